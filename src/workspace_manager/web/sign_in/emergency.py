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
    person = token.person if token and token.scope == tokens.Scope.OPERATION else None
    # The identity provider is not asked, as it is unavailable; its last known answer counts.
    said = provider_state.last_known_state(person) if person else None
    shut_out = said is not None and said.state != provider_state.State.ENABLED
    if person is None or not person.is_administrator or shut_out:
        note("sign_in:emergency_refused", "", actor="", address=client_address(request))
        return _form(request, message("no_administrators_token"), status=403)
    login(request, person, backend=BACKEND)
    request.session[EMERGENCY] = True
    note("sign_in:emergency", person.username, actor=person.username)
    return HttpResponseRedirect("/")


def _form(
    request: HttpRequest, reason: Message | None = None, *, status: int = 200
) -> HttpResponse:
    return render(request, "sign_in/emergency.html", {"reason": reason}, status=status)
