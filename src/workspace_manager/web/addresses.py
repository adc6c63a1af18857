"""Which addresses are ours: those of the configured one, whatever a browser called us."""

from urllib.parse import urlsplit

from django.conf import settings
from django.utils.http import url_has_allowed_host_and_scheme


def is_ours(address: str | None) -> bool:
    """Whether somebody may be led there: within this host, or to it by its configured name."""
    return url_has_allowed_host_and_scheme(
        address, allowed_hosts={urlsplit(settings.BASE_URL).netloc}, require_https=settings.HTTPS
    )
