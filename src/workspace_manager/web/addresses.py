"""Addresses of our own host: the configured one, whatever host name a browser sent."""

from urllib.parse import urlsplit

from django.conf import settings
from django.utils.http import url_has_allowed_host_and_scheme


def is_ours(address: str | None) -> bool:
    """Return whether a redirect may lead there: to a path of this host, or to its configured
    name.
    """
    return url_has_allowed_host_and_scheme(
        address, allowed_hosts={urlsplit(settings.BASE_URL).netloc}, require_https=settings.HTTPS
    )
