"""Where a webhook may lead: to https, and to no address on this machine or in a private network,
unless an operator allows it.

What a name means is asked once more when it is called (`contract.wire`), of the address that is
connected to: a name may lead elsewhere tomorrow.
"""

import ipaddress
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from workspace_manager.contract.loopback import is_loopback, is_public
from workspace_manager.contract.message import Message
from workspace_manager.records.models import WebhookEndpoint
from workspace_manager.webhooks.messages import message

LONGEST: Final = 500


def address_obstacle(url: str) -> Message | None:
    """Return why this address cannot be told; None when it can."""
    parts = _split(url)
    if parts is None:
        return message("address")
    private = settings.WEBHOOKS_TO_PRIVATE_ADDRESSES
    host = parts.hostname or ""
    if parts.scheme != "https" and not (private and is_loopback(host)):
        return message("https_only")
    if not private and (is_loopback(host) or _is_private(host)):
        return message("not_public")
    return None


def origin(url: str) -> str:
    """The part of an address that may be written down; the rest may be a password."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def full_address(endpoint: WebhookEndpoint) -> str:
    """The address itself, to be called and for whoever may change it."""
    return endpoint.address.reveal() if endpoint.address else ""


def _split(url: str) -> SplitResult | None:
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        return None
    try:
        parts = urlsplit(url)
        usable = parts.port != 0
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not parts.hostname or not usable:
        return None
    if parts.username is not None or parts.password is not None or parts.fragment:
        return None
    return parts


def _is_private(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return not is_public(host)
