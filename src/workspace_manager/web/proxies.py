"""Trusted proxies: only those of `WORKSPACE_TRUSTED_PROXIES` may state things about a client."""

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

Address = IPv4Address | IPv6Address
PROTO: Final = "HTTP_X_FORWARDED_PROTO"
FOR: Final = "HTTP_X_FORWARDED_FOR"
TOLD: Final = (
    PROTO, FOR, "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PORT", "HTTP_X_FORWARDED_SERVER",
    "HTTP_X_FORWARDED_SSL", "HTTP_X_FORWARDED_PREFIX", "HTTP_X_REAL_IP", "HTTP_FORWARDED",
    "HTTP_X_REQUEST_ID",
)  # fmt: skip
"""Headers that a proxy sets and that anybody can send."""


class BelieveOurProxies:
    """Middleware that removes what an untrusted client says about itself, before anything reads
    it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_trusted(request.META.get("REMOTE_ADDR", "")):
            for name in TOLD:
                request.META.pop(name, None)
        elif PROTO in request.META:
            # A proxy that appends keeps what the client wrote, so all values have to say https.
            said = {one.strip() for one in request.META[PROTO].split(",")}
            request.META[PROTO] = "https" if said == {"https"} else "http"
        return self.get_response(request)


def client_address(request: HttpRequest) -> str:
    """Return the address of the client: the one that connects to us, or to the first of our
    proxies.
    """
    told = str(request.META.get("REMOTE_ADDR", ""))
    hops = [told, *reversed(request.META.get(FOR, "").split(","))]
    for hop in hops:
        address = parsed(hop)
        if address is None:
            break
        told = str(address)
        if not is_trusted(told):
            break
    return told


def parsed(text: str) -> Address | None:
    """Return the address of a header's text: with a port, in brackets, with an interface, or of
    IPv4 inside IPv6.
    """
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def is_trusted(text: str) -> bool:
    """Return whether the address belongs to a trusted proxy."""
    address = parsed(text)
    return address is not None and any(
        address in network for network in _networks(tuple(settings.TRUSTED_PROXIES))
    )


@lru_cache(maxsize=8)
def _networks(texts: tuple[str, ...]) -> list[IPv4Network | IPv6Network]:
    return [ip_network(text, strict=False) for text in texts]
