"""How often one address may do something: counted per hour in the shared cache."""

import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

HOUR_S = 3600


def client_address(request: HttpRequest) -> str:
    """The address of the client; `X-Forwarded-For` counts only from a trusted proxy, and then its
    last hop.
    """
    address: str = request.META.get("REMOTE_ADDR", "")
    forwarded: str = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if address in settings.TRUSTED_PROXIES and forwarded:
        return forwarded.rpartition(",")[2].strip()
    return address


def allow(request: HttpRequest, what: str, *, limit: int | None = None) -> int | None:
    """Count this try; None when it is allowed, else the seconds until the next may be made. A limit
    of 0 counts nothing.
    """
    limit = settings.REGISTRATION_RATE if limit is None else limit
    if limit <= 0:
        return None
    window = int(time.time() // HOUR_S)
    key = f"rate:{what}:{client_address(request)}:{window}"
    cache.add(key, 0, timeout=HOUR_S)
    if cache.incr(key) <= limit:
        return None
    return HOUR_S - int(time.time() % HOUR_S)
