"""allauth's adapters: the story decides who is let in, never allauth's sign-up."""

import logging
from dataclasses import replace
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language
from requests import RequestException, Session

from workspace_manager.contract.message import Message
from workspace_manager.drive_credentials import after_sign_in, first_account
from workspace_manager.people import admit as first_login
from workspace_manager.people import import_people, sign_in
from workspace_manager.people.admit import Claims, NotAdmitted
from workspace_manager.records.models import Person
from workspace_manager.web.addresses import is_ours
from workspace_manager.web.messages import message
from workspace_manager.web.sign_in import fresh, tokens, wire
from workspace_manager.web.sign_in.provider import (
    PROVIDER_ID,
    NotConfigured,
    Provider,
    app,
    identity_provider,
)
from workspace_manager.web.sign_in.provider_refusal import refusal
from workspace_manager.wiring import connected_systems

log = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """An adapter without local accounts: nobody signs up here, and redirects stay on our host."""

    def is_open_for_signup(self, _request: HttpRequest) -> bool:
        return False

    def is_safe_url(self, url: str | None) -> bool:
        return is_ours(url)

    def add_message(self, *_args: Any, **_kwargs: Any) -> None:
        """Add no message: the page after a sign-in says enough."""


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """An adapter that admits people by `sub`, and makes their account here at the first sign-in.

    See docs/explanation/signing-in.md#the-first-sign-in.
    """

    def list_apps(self, *_: Any, **__: Any) -> list[SocialApp]:
        try:
            return [app()]
        except NotConfigured:
            return []

    def get_provider(self, request: HttpRequest, provider: str, **_: Any) -> Provider:
        if provider not in {PROVIDER_ID, "openid_connect"}:
            raise SocialApp.DoesNotExist
        try:
            return Provider(request, app=app())
        except NotConfigured as missing:
            raise SocialApp.DoesNotExist from missing

    def get_requests_session(self) -> Session:
        return wire.session()

    def on_authentication_error(
        self,
        request: HttpRequest,
        _provider: Provider,
        error: str = AuthError.UNKNOWN,
        exception: Exception | None = None,
        **_: Any,
    ) -> None:
        """Answer a failed sign-in with our own page; allauth's pages do not exist here. The log has
        only the kind of the error.
        """
        if error == AuthError.CANCELLED:
            raise ImmediateHttpResponse(render_refusal(request, message("stopped"), status=401))
        if (why := refusal(request)) is not None:
            raise ImmediateHttpResponse(render_refusal(request, why, status=401))
        log.warning("a sign-in was not finished: %s", type(exception).__name__)
        if isinstance(exception, RequestException):
            raise ImmediateHttpResponse(render_refusal(request, message("silent"), status=503))
        raise ImmediateHttpResponse(render_refusal(request, message("unfinished"), status=401))

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Check the nonce, then let the story decide."""
        fresh.proved_at(request, sociallogin.claims.get("auth_time"))
        expected = (sociallogin.state or {}).get("nonce", "")
        if not expected or not constant_time_compare(expected, sociallogin.nonce):
            raise ImmediateHttpResponse(
                render_refusal(request, message("not_started_here"), status=401)
            )
        claims = replace(claims_of(sociallogin.claims), browser=get_language() or "")
        try:
            person = first_login.admit(
                claims, admit_unregistered=identity_provider().admit_unregistered
            )
            if person is None:
                person = first_login.enter(claims, connected_systems())
                sociallogin.lookup()
                _begin(person, sociallogin)
            else:
                if import_people.first_time(person, connected_systems()):
                    _begin(person, sociallogin)
                sign_in.note_sign_in(person, claims)
            after_sign_in.request_sync(person, *tokens.access_of(sociallogin))
        except NotAdmitted as no:
            page = render_refusal(request, no.message, may_register=no.may_register)
            raise ImmediateHttpResponse(page) from no
        try:
            tokens.keep(request, person, sociallogin)
        except IntegrityError as gone:
            # A removal that has just ended left no row.
            raise ImmediateHttpResponse(
                render_refusal(request, message("cannot_sign_in"))
            ) from gone


def _begin(person: Person, sociallogin: SocialLogin) -> None:
    """Send a person to the wizard at the first sign-in, unless another page was requested. Their
    account at the drive exists before they go on to it.
    """
    first_account.make(person, connected_systems(), tokens.access_of(sociallogin)[0])
    if sociallogin.state.get("next") in {None, "", "/"}:
        sociallogin.state["next"] = reverse("start")


def claims_of(data: dict[str, Any]) -> Claims:
    """Return the claims that we use, as text, and nothing else."""

    def text(name: str) -> str:
        value = data.get(name)
        return value if isinstance(value, str) else ""

    return Claims(
        sub=text("sub"),
        username=text("preferred_username").lower(),
        email=text("email"),
        first_name=text("given_name"),
        last_name=text("family_name"),
        locale=text("locale"),
        timezone=text("zoneinfo"),
        email_confirmed=data.get("email_verified") is True,
    )


def render_refusal(
    request: HttpRequest, reason: Message, *, status: int = 403, may_register: bool = True
) -> HttpResponse:
    """Return the page that explains a refused sign-in and what to do."""
    context = {"reason": reason, "may_register": may_register}
    return render(request, "sign_in/refused.html", context, status=status)
