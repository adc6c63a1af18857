"""`/emergency/`: the sign-in of an administrator while the identity provider is unavailable. Only
with WORKSPACE_EMERGENCY_SIGN_IN=1.

There are no local passwords. It takes a personal API token of an active administrator that was made
on the server: `workspace-manager tokens create --person NAME --name emergency`. A token that was
made in a session is refused: it would open a session, which could make another token.
"""

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from workspace_manager.access import provider_state, tokens
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.records.models import Person
from workspace_manager.web import rate
from workspace_manager.web.messages import message
from workspace_manager.web.proxies import client_address
from workspace_manager.web.sign_in.marks import EMERGENCY

TRIES_AN_HOUR = 10
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@never_cache
@sensitive_variables()
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for the token and sign its administrator in. The page does not exist without the
    setting.
    """
    if not settings.EMERGENCY_SIGN_IN:
        raise Http404
    if request.method == "GET":
        return _form(request)
    wait = rate.allow(request, "emergency", limit=TRIES_AN_HOUR)
    if wait is not None:
        response = _form(request, message("too_many_tries"), status=429)
        response.headers["Retry-After"] = str(wait)
        return response
    token = tokens.find_token(request.POST.get("token", "").strip())
    if token is None or token.scope != tokens.Scope.OPERATION or not may_enter(token.person):
        note("sign_in:emergency_refused", "", actor="", address=client_address(request))
        return _form(request, message("no_administrators_token"), status=403)
    login(request, token.person, backend=BACKEND)
    request.session[EMERGENCY] = str(token.id)
    note("sign_in:emergency", token.person.username, actor=token.person.username)
    return HttpResponseRedirect("/")


def may_enter(person: Person) -> bool:
    """Return whether a person is an administrator whom the identity provider let in when it last
    answered. It is not asked, as it is unavailable.
    """
    said = provider_state.last_known_state(person)
    shut_out = said is not None and said.state != provider_state.State.ENABLED
    return person.is_administrator and not shut_out


def is_in_force(person: Person, token_id: object) -> bool:
    """Return whether an emergency session goes on: the setting is on, its token is in force, and
    its person may enter.
    """
    if not settings.EMERGENCY_SIGN_IN or not isinstance(token_id, str):
        return False
    return may_enter(person) and tokens.valid_tokens(person).filter(id=token_id).exists()


def _form(
    request: HttpRequest, reason: Message | None = None, *, status: int = 200
) -> HttpResponse:
    return render(request, "sign_in/emergency.html", {"reason": reason}, status=status)
