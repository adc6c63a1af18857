"""Limits on how often an address, a person or an API token may do something."""

import hashlib
from ipaddress import IPv6Address, ip_network

from django.conf import settings
from django.http import HttpRequest

from workspace_manager.core import rate_limit
from workspace_manager.records.models import Person
from workspace_manager.web.proxies import client_address, parsed

SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}
HOUR_S = 3600
MINUTE_S = 60
NETWORK = 64
"""Bits of an IPv6 address that identify a network; its owner chooses the others freely."""


def counted_as(request: HttpRequest) -> str:
    """Return the key of a visitor: the address of IPv4, the network of IPv6."""
    address = parsed(client_address(request))
    if isinstance(address, IPv6Address):
        return str(ip_network((address, NETWORK), strict=False))
    return str(address)


def allow(request: HttpRequest, what: str, *, limit: int | None = None) -> int | None:
    """Count an attempt. Return None if it is allowed, else the seconds until the next one. A limit
    of 0 allows all.
    """
    limit = settings.REGISTRATION_RATE if limit is None else limit
    if limit <= 0:
        return None
    return rate_limit.wait(f"{what} {counted_as(request)}", most=limit, seconds=HOUR_S)


class TooOften(Exception):
    """The person or the token has ordered too many changes. `seconds`: until the next one is
    allowed.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(f"again in {seconds} s")
        self.seconds = seconds


def count_change(request: HttpRequest, person: Person, *, token: str = "") -> None:
    """Count a request that may change something; reading is not counted. Raises TooOften.

    `token`: the API token that was sent. A person's tokens and sessions are also counted together.
    A limit of 0 counts nothing.
    """
    if request.method in SAFE:
        return
    counted = [(f"person:{person.id}", settings.PERSON_RATE)]
    if token:
        digest = hashlib.sha256(token.encode()).hexdigest()
        counted.append((f"token:{digest}", settings.TOKEN_RATE))
    for what, most in counted:
        if most <= 0:
            continue
        seconds = rate_limit.wait(f"change {what}", most=most, seconds=MINUTE_S)
        if seconds is not None:
            raise TooOften(seconds)
