"""`POST …/backchannel-logout`: the identity provider reports the end of a sign-in (OpenID Connect
Back-Channel Logout 1.0).

Only the signature identifies the sender. There is no session, so nothing to protect from CSRF. The
answer does not say what is wrong with a token.
"""

import logging
import time
from typing import Any, Final

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from workspace_manager.access import session_check
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_manager.web import rate
from workspace_manager.web.sign_in.signatures import Wrong, is_for, verify_token
from workspace_manager.wiring import connected_systems

log = logging.getLogger(__name__)

EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
TYPES: Final = {"logout+jwt", "application/logout+jwt", "JWT", None}
GOOD_S: Final = 300
"""The greatest age of a logout, and the tolerated difference between the clocks."""
LEEWAY_S: Final = 30
WRONG_AN_HOUR: Final = 60


@csrf_exempt
@require_POST
def receive(request: HttpRequest) -> HttpResponse:
    """End the sessions of a logout. The answer is 200 even if there were none, 400 for anything
    that is no logout, and 503 if its signature cannot be verified now.
    """
    try:
        claims = _verified(request.POST.get("logout_token", ""))
    except Wrong as wrong:
        return _refuse_logout(request, wrong)
    except ConnectorError as error:
        log.warning("a logout could not be verified: %s", error)
        return _answer({"error": "temporarily_unavailable"}, 503, **{"Retry-After": "30"})
    seen = f"logout:{claims['jti']}"[:200]
    if cache.get(seen):
        return _refuse_logout(request, Wrong("it was received before"))
    session_check.end_told(sub=claims.get("sub", ""), sid=claims.get("sid", ""))
    cache.set(seen, True, timeout=2 * GOOD_S)
    return _answer({}, 200)


def _verified(token: str) -> dict[str, Any]:
    """Return the claims of a valid logout. Raises Wrong, and the errors of reading the keys."""
    systems = connected_systems()
    if not systems.has_identity_provider:
        raise Wrong("no identity provider is configured")
    claims = verify_token(token, systems, types=TYPES)
    _check_claims(claims, systems.settings_of(Settings).client_id)
    return claims


def _check_claims(claims: dict[str, Any], client_id: str) -> None:
    """Check the claims in the order of section 2.6; the issuer is checked already."""
    if not is_for(claims, client_id):
        raise Wrong("it is for another client")
    now = time.time()
    if not _is_recent(claims.get("iat"), now) or (
        "exp" in claims and not _is_in_future(claims["exp"], now)
    ):
        raise Wrong("it is too old, or of the future")
    named = [claims.get(name, "") for name in ("sub", "sid")]
    if not any(named) or not all(isinstance(one, str) for one in named):
        raise Wrong("it names nobody")
    events = claims.get("events")
    if not isinstance(events, dict) or not isinstance(events.get(EVENT), dict):
        raise Wrong("it is no logout")
    if "nonce" in claims:
        raise Wrong("it has a nonce, as an ID token has")
    if not isinstance(claims.get("jti"), str) or not claims["jti"]:
        raise Wrong("it has no id")


def _is_recent(when: object, now: float) -> bool:
    return isinstance(when, int | float) and now - GOOD_S <= when <= now + GOOD_S


def _is_in_future(when: object, now: float) -> bool:
    return isinstance(when, int | float) and when > now - LEEWAY_S


def _refuse_logout(request: HttpRequest, wrong: Wrong) -> HttpResponse:
    """Answer 400, or 429 after too many of them. A valid logout is never limited by others'
    attempts.
    """
    log.warning("a logout was refused: %s", wrong)
    wait = rate.allow(request, "backchannel-logout", limit=WRONG_AN_HOUR)
    if wait is not None:
        return _answer({"error": "too_many_requests"}, 429, **{"Retry-After": str(wait)})
    return _answer({"error": "invalid_request"}, 400)


def _answer(document: dict[str, str], status: int, **headers: str) -> HttpResponse:
    response = JsonResponse(document, status=status)
    for name, value in {"Cache-Control": "no-store", **headers}.items():
        response.headers[name] = value
    return response
