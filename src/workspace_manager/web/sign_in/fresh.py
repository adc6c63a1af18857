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
"""In the query of the sign-in address: whoever is signed in proves it once more."""
_AT = "proved_at"


def proved_at(request: HttpRequest, seconds: Any) -> None:
    """Note what the identity provider says of when this person last typed something (`auth_time`):
    a sign-in may follow from one of hours ago.
    """
    told = seconds if isinstance(seconds, int) and not isinstance(seconds, bool) else None
    setattr(request, _AT, told)


def note(*, request: HttpRequest, **_: Any) -> None:
    """Keep it in the session that begins; called at each sign-in, by whatever door."""
    now = time.time()
    told = getattr(request, _AT, None)
    request.session[_AT] = now if told is None else max(0, min(told, now))


def is_fresh(request: HttpRequest) -> bool:
    """Not in the future either: a clock was turned back since."""
    age = time.time() - request.session.get(_AT, 0)
    return bool(-LEAP.total_seconds() <= age <= settings.FRESH_SIGN_IN_MINUTES * 60)


def proves(request: HttpRequest) -> bool:
    """Whether who asks showed just now who they are: by a fresh sign-in, or by a token of the
    server's own, which whoever makes it there could do without.
    """
    if "Authorization" in request.headers:
        return bool(getattr(request, PROVES, False))
    return is_fresh(request)


def refuse_stale(request: HttpRequest) -> None:
    """Raise Forbidden for a session whose sign-in is too long ago; which tokens do instead, the
    route's role says.
    """
    if "Authorization" not in request.headers and not is_fresh(request):
        raise Forbidden(stale())


def refuse_stale_for_token(request: HttpRequest) -> None:
    """Raise Forbidden where a session of long ago would make a token for administration: that would
    outlive the session.
    """
    if not is_fresh(request):
        raise Forbidden(message("sign_in_for_token", minutes=settings.FRESH_SIGN_IN_MINUTES))


def stale() -> Message:
    """Return the message to a person whose sign-in is too old."""
    return message("sign_in_again", minutes=settings.FRESH_SIGN_IN_MINUTES)


def confirmation_url(request: HttpRequest, back: str = "/manage/systems") -> str:
    """The address at which whoever is here proves once more who they are, and comes back: to this
    page, or to `back` where that was asked to do something.
    """
    if request.session.get(EMERGENCY):
        return "/emergency/"
    here = request.get_full_path() if request.method in {"GET", "HEAD"} else back
    return f"/sign-in?{urlencode({'next': here, AGAIN: '1'})}"
