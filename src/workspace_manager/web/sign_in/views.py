"""Views of signing in and out."""

from typing import Final
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter as account_adapter
from allauth.socialaccount.providers.base.constants import AuthProcess
from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST, require_safe

from workspace_manager.contract.bulkhead import Bulkhead
from workspace_manager.web.messages import message
from workspace_manager.web.sign_in import pending_sign_ins, tokens
from workspace_manager.web.sign_in.adapter import render_refusal
from workspace_manager.web.sign_in.fresh import AGAIN
from workspace_manager.web.sign_in.marks import ENDED
from workspace_manager.web.sign_in.provider import (
    PROVIDER_ID,
    Adapter,
    CallbackView,
    Provider,
    app,
    identity_provider,
    origin,
)
from workspace_manager.web.sign_in.provider_errors import provider_errors_on_page, silent

UNDER_WAY: Final = Bulkhead(3)
"""Callbacks wait for the identity provider. If it is slow, they take at most this many threads of
the process, and the others serve signed-in people.
"""


@never_cache
@require_safe
def sign_in(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the identity provider, and afterwards to `next`, if it is an address of ours.

    If a session has just ended, a page says so and why first.
    """
    after = request.GET.get("next", "")
    if len(after) > pending_sign_ins.LONGEST_ADDRESS or not account_adapter().is_safe_url(after):
        after = "/"
    again = AGAIN in request.GET
    if request.user.is_authenticated and not again:
        return HttpResponseRedirect(after)
    if ENDED in request.GET:
        context = {"after": after, "reason": message("session_ended")}
        return render(request, "sign_in/ended.html", context)
    return _begin(request, after, again=again)


@never_cache
@require_GET  # No HEAD: an unread answer would use up the code.
def callback(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Finish a sign-in: the identity provider redirects people here."""
    if provider_id != PROVIDER_ID:
        return render_refusal(request, message("no_such_provider"), status=404)
    with UNDER_WAY.slot() as mine:
        # The sign-in is still stored and the code is unused, so the page may be loaded again.
        response = _finish(request) if mine else silent(request, "many_sign_ins")
    if response.status_code != 503:
        pending_sign_ins.forget(request, response)
    return response


@provider_errors_on_page
def _begin(request: HttpRequest, after: str, *, again: bool) -> HttpResponseBase:
    return Provider(request, app=app()).redirect(
        request, process=AuthProcess.LOGIN, next_url=after, again=again
    )


@provider_errors_on_page
def _finish(request: HttpRequest) -> HttpResponseBase:
    response: HttpResponse = CallbackView.adapter_view(Adapter(request, PROVIDER_ID))(request)
    return response


@never_cache
@require_POST
def sign_out(request: HttpRequest) -> HttpResponseBase:
    """End the session here and at the identity provider (OpenID Connect RP-initiated logout)."""
    hint = tokens.id_token(request)
    tokens.forget(request)
    logout(request)
    if not origin():
        return HttpResponseRedirect("/")
    provider = identity_provider()
    told = {"client_id": provider.client_id, "post_logout_redirect_uri": f"{settings.BASE_URL}/"}
    address = f"{provider.url}/realms/{provider.realm}/protocol/openid-connect/logout"
    if hint is None:
        return HttpResponseRedirect(f"{address}?{urlencode(told)}")
    # Sent as a form: an address would be stored in histories and logs.
    context = {"address": address, "told": {**told, "id_token_hint": hint.reveal()}}
    return render(request, "sign_in/signing_out.html", context)


@require_safe
def not_here(request: HttpRequest) -> HttpResponseBase:
    """Answer pages of allauth that do not exist here; each leads to the sign-in."""
    return render_refusal(request, message("cannot_sign_in"))
