"""How often one address, one person or one API token may do something: counted in the shared
cache.
"""

import hashlib
import math
import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from ninja.throttling import SimpleRateThrottle

from workspace_manager.records.models import Person

SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}
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


class TooOften(Exception):
    """The person or the token has asked for too many changes. `seconds`: until the next may be."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"again in {seconds} s")
        self.seconds = seconds


class _Changes(SimpleRateThrottle):
    """The changes of one minute. One object per request: it keeps what it found in itself."""

    def __init__(self, key: str, most: int) -> None:
        super().__init__(f"{most}/min")
        self._key = f"changes:{key}"

    def get_cache_key(self, request: HttpRequest) -> str:  # noqa: ARG002
        return self._key


def count_change(request: HttpRequest, person: Person, *, token: str = "") -> None:
    """Count a request that may change something; looking is free. Raises TooOften.

    `token`: the API token it came with; a person's tokens and sessions count together, too. A limit
    of 0 counts nothing.
    """
    if request.method in SAFE:
        return
    counted = [(f"person:{person.id}", settings.PERSON_RATE)]
    if token:
        digest = hashlib.sha256(token.encode()).hexdigest()
        counted.append((f"token:{digest}", settings.TOKEN_RATE))
    for key, most in counted:
        if most <= 0:
            continue
        throttle = _Changes(key, most)
        if not throttle.allow_request(request):
            raise TooOften(max(1, math.ceil(throttle.wait() or 1)))
