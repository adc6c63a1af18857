"""A sign-in in progress, stored in a cookie of its browser: a request to sign in writes nothing
here.

Each has its own cookie, so that two windows do not interfere. It is encrypted, because it contains
the PKCE verifier.
"""

import json
import re
import time
import zlib
from collections.abc import Iterator
from typing import Any, Final

from allauth.socialaccount.adapter import get_adapter
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from workspace_manager.core.clock import LEAP
from workspace_manager.records.fields import cipher

LASTS_S = 600
MOST_BYTES: Final = 4_096
"""Of all these cookies together, with their names. A browser sends all of them with each request,
and common proxies answer 400 to a header of 8 kB. If many windows are open, the oldest sign-ins are
lost.
"""
LONGEST_ADDRESS: Final = 1_000
"""Of the address to go to afterwards: cookies of two windows with such addresses fit."""
LONGEST_TEXT: Final = 8_000
"""Of an unpacked cookie."""
_STATE = re.compile(r"[A-Za-z0-9]{16}")
_FOR = "sign-in"
_REQUEST = "begun_sign_in"


def begin(request: HttpRequest, kept: dict[str, Any]) -> str:
    """Return the `state` that names this sign-in; `keep` puts its data into the answer."""
    state: str = get_adapter().generate_state_param(kept)
    setattr(request, _REQUEST, (state, kept))
    return state


def keep(request: HttpRequest, response: HttpResponseBase) -> None:
    """Store the sign-in of this request in the browser, and delete the oldest cookies that do not
    fit.
    """
    state, kept = getattr(request, _REQUEST)
    value = _closed({"for": _FOR, "state": state, "at": time.time(), "kept": kept})
    response.set_cookie(
        _name(state),
        value,
        max_age=LASTS_S,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
    for name in _too_many(request.COOKIES, room=MOST_BYTES - _size(_name(state), value)):
        _delete(response, name)


def _too_many(cookies: dict[str, str], *, room: int) -> Iterator[str]:
    """Yield the cookies that do not fit beside the newer ones."""
    ours = [name for name in cookies if name.startswith(_name(""))]
    ours.sort(key=lambda name: _decrypt_cookie(cookies[name]).get("at", 0.0), reverse=True)
    for name in ours:
        room -= _size(name, cookies[name])
        if room < 0:
            yield name


def _size(name: str, value: str) -> int:
    return len(f"{name}={value}; ".encode())


def read_begun(request: HttpRequest) -> dict[str, Any] | None:
    """Return the sign-in that this browser began under the `state` of the address; None if there is
    none, or it is too old.
    """
    state = request.GET.get("state", "")
    if not _STATE.fullmatch(state):
        return None
    told = _decrypt_cookie(request.COOKIES.get(_name(state), ""))
    if told.get("state") != state:
        return None
    if not -LEAP.total_seconds() <= time.time() - told["at"] <= LASTS_S:
        return None
    kept: dict[str, Any] = told["kept"]
    return kept


def forget(request: HttpRequest, response: HttpResponseBase) -> None:
    """Delete the cookie of a sign-in that has ended, successfully or not."""
    state = request.GET.get("state", "")
    if _STATE.fullmatch(state) and _name(state) in request.COOKIES:
        _delete(response, _name(state))


def _closed(told: dict[str, Any]) -> str:
    """Return a cookie's value: compressed, so that more of them fit, and encrypted."""
    text = json.dumps(told, separators=(",", ":"))
    return cipher().encrypt(zlib.compress(text.encode(), level=9)).decode()


def _decrypt_cookie(value: str) -> dict[str, Any]:
    """Return the content of a cookie; empty for one that we did not write for this."""
    try:
        packed = cipher().decrypt(value.encode(), ttl=3600)
        told = json.loads(zlib.decompressobj().decompress(packed, LONGEST_TEXT))
    except (InvalidToken, ValueError, zlib.error):
        return {}
    return told if isinstance(told, dict) and told.get("for") == _FOR else {}


def _name(state: str) -> str:
    # A page of a neighbouring host cannot set a cookie with this prefix.
    return f"{'__Host-' if settings.HTTPS else ''}sign_in_{state}"


def _delete(response: HttpResponseBase, name: str) -> None:
    response.set_cookie(name, max_age=0, secure=settings.HTTPS, httponly=True, samesite="Lax")
