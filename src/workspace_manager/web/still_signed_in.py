"""Sessions last as long as their sign-in at the identity provider.

See docs/explanation/signing-in.md#who-is-still-there.
"""

from collections.abc import Callable
from typing import Final, cast

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse

from workspace_manager.access import session_check
from workspace_manager.access.session_check import Verdict
from workspace_manager.records.models import Person
from workspace_manager.web.api import gate, problems
from workspace_manager.web.failures import ASK_AGAIN_S
from workspace_manager.web.messages import message
from workspace_manager.web.pages import errors
from workspace_manager.web.rate import SAFE
from workspace_manager.web.sign_in import emergency, tokens
from workspace_manager.web.sign_in.marks import EMERGENCY, ENDED, READS_ONLY
from workspace_manager.wiring import connected_systems

ALWAYS: Final = ("/sign-in", "/sign-out", "/emergency/", "/accounts/", "/health/")
"""Signing in and out always works, whatever the identity provider says."""
API: Final = "/api/"


class StillSignedIn:
    """Middleware that ends a session whose sign-in has ended at the identity provider. While that
    is unknown, it stops the requests that must not continue.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        person = request.user
        if not isinstance(person, Person) or request.path.startswith(ALWAYS) or _by_token(request):
            return self.get_response(request)
        verdict = _verdict(request, person)
        if verdict is Verdict.ENDED:
            logout(request)
            setattr(request, ENDED, True)
        elif verdict is Verdict.NOTHING or (
            verdict is Verdict.READING and request.method not in SAFE
        ):
            return _not_now(request, verdict)
        setattr(request, READS_ONLY, verdict is Verdict.READING)
        return self.get_response(request)


def _by_token(request: HttpRequest) -> bool:
    """Return whether a token was sent, so that the session does not count (`api.auth`)."""
    return request.path.startswith(API) and "Authorization" in request.headers


def _verdict(request: HttpRequest, person: Person) -> Verdict:
    if name := request.session.get(tokens.KEY):
        return session_check.verdict(name, person, connected_systems)
    if token_id := request.session.get(EMERGENCY):
        return Verdict.ALL if emergency.is_in_force(person, token_id) else Verdict.ENDED
    return session_check.by_sub(person, connected_systems)


def _not_now(request: HttpRequest, verdict: Verdict) -> HttpResponse:
    """Answer 503: as far as known, nothing is wrong with the person."""
    why = message("only_reading" if verdict is Verdict.READING else "nothing_now")
    wait = {"Retry-After": str(ASK_AGAIN_S)}
    if request.path.startswith(API):
        answer = gate.in_asked_language(lambda _: problems.problem(503, why, headers=wait))
        return cast(HttpResponse, answer(request))
    page = errors.not_now(request, why)
    page.headers["Retry-After"] = wait["Retry-After"]
    return page
