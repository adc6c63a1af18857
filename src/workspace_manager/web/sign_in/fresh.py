"""Changes to systems' addresses and credentials require a sign-in of the last minutes, so that an
open browser or a stolen session cannot make them.
"""

import time
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest

from workspace_manager.contract.message import Message
from workspace_manager.core.clock import LEAP
from workspace_manager.core.refusal import Forbidden
from workspace_manager.web.messages import message
from workspace_manager.web.sign_in.marks import EMERGENCY, PROVES

AGAIN = "again"
"""The query parameter of a sign-in that makes a signed-in person authenticate again."""
_AT = "proved_at"


def proved_at(request: HttpRequest, seconds: Any) -> None:
    """Note when the identity provider last authenticated the person (`auth_time`): a sign-in may
    reuse a session that is hours old.
    """
    told = seconds if isinstance(seconds, int) and not isinstance(seconds, bool) else None
    setattr(request, _AT, told)


def note(*, request: HttpRequest, **_: Any) -> None:
    """Store that moment in the new session; called at each sign-in, of any kind."""
    now = time.time()
    told = getattr(request, _AT, None)
    request.session[_AT] = now if told is None else max(0, min(told, now))


def is_fresh(request: HttpRequest) -> bool:
    """Return whether the sign-in is recent. One in the future is not: a clock was turned back
    since.
    """
    age = time.time() - request.session.get(_AT, 0)
    return bool(-LEAP.total_seconds() <= age <= settings.FRESH_SIGN_IN_MINUTES * 60)


def proves(request: HttpRequest) -> bool:
    """Return whether the caller has just authenticated: by a fresh sign-in, or by a token made on
    the server, whose operator could do without it.
    """
    if "Authorization" in request.headers:
        return bool(getattr(request, PROVES, False))
    return is_fresh(request)


def refuse_stale(request: HttpRequest) -> None:
    """Raise Forbidden for a session whose sign-in is too old. The route's role says which tokens
    are accepted instead.
    """
    if "Authorization" not in request.headers and not is_fresh(request):
        raise Forbidden(stale())


def refuse_stale_for_token(request: HttpRequest) -> None:
    """Raise Forbidden if the sign-in is too old to make a token for administration, which would
    outlive the session.
    """
    if not is_fresh(request):
        raise Forbidden(message("sign_in_for_token", minutes=settings.FRESH_SIGN_IN_MINUTES))


def stale() -> Message:
    """Return the message to a person whose sign-in is too old."""
    return message("sign_in_again", minutes=settings.FRESH_SIGN_IN_MINUTES)


def confirmation_url(request: HttpRequest, back: str = "/manage/systems") -> str:
    """Return the address for a new authentication that leads back to this page, or to `back` if the
    request was not a GET.
    """
    if request.session.get(EMERGENCY):
        return "/emergency/"
    here = request.get_full_path() if request.method in {"GET", "HEAD"} else back
    return f"/sign-in?{urlencode({'next': here, AGAIN: '1'})}"
