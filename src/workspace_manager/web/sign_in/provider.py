"""Parts of OpenID Connect that allauth leaves out: a nonce, the signature on the code flow, and
equal `sub`s in both answers.

The client is made from our encrypted settings and never stored in allauth's clear-text table.
"""

import secrets
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit

from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse

from workspace_manager.access import provider_state
from workspace_manager.contract.deadline import act_until, moment
from workspace_manager.contract.storable import storable_json
from workspace_manager.operations.system_configuration import settings_of
from workspace_manager.systems.identity_provider.realm.services import ASKED_SCOPES
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_manager.systems.identity_provider.shapes import lifetime
from workspace_manager.web.sign_in import id_token as id_tokens
from workspace_manager.web.sign_in import pending_sign_ins
from workspace_manager.web.sign_in.signatures import Wrong
from workspace_manager.wiring import connected_systems

PROVIDER_ID = "identity_provider"


class NotConfigured(Exception):
    """Nobody can sign in: the identity provider's address, realm, client or client secret is not
    set.
    """


class Adapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """An adapter that verifies the signature, which TLS would let us skip, and that userinfo is
    about the same person. Endpoints come from the metadata that this process has read; the callback
    address is the configured one, whatever host name the browser sent.
    """

    @property
    def openid_config(self) -> Mapping[str, str]:
        systems = connected_systems()
        if not systems.has_identity_provider:
            raise NotConfigured
        with act_until(moment() + provider_state.PATIENCE_S):
            return systems.identity_provider().read_metadata().endpoints

    def get_callback_url(self, _request: HttpRequest, _app: SocialApp) -> str:
        path = reverse("openid_connect_callback", kwargs={"provider_id": self.provider_id})
        return f"{settings.BASE_URL}{path}"

    def parse_token(self, data: Any) -> SocialToken:
        """Return the tokens of the token endpoint's answer. Raises OAuth2Error for another
        shape.
        """
        told = storable_json(data) if isinstance(data, dict) else {}
        if not isinstance(told.get("access_token"), str):
            raise OAuth2Error("no access token")
        refresh = told.get("refresh_token")
        return super().parse_token(
            {
                "access_token": told["access_token"],
                "refresh_token": refresh if isinstance(refresh, str) else "",
                "expires_in": lifetime(told.get("expires_in")) or None,
            }
        )

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        answer = kwargs["response"]
        if not isinstance(answer.get("id_token"), str):
            raise OAuth2Error("no ID token")
        try:
            id_token = id_tokens.claims_of(answer["id_token"], app.client_id, connected_systems())
        except Wrong as wrong:
            raise OAuth2Error(str(wrong)) from wrong
        userinfo = storable_json(self._fetch_user_info(token.token))
        if not isinstance(userinfo, dict) or userinfo.get("sub") != id_token["sub"]:
            raise OAuth2Error("the ID token and userinfo speak of different people")
        login = self.get_provider().sociallogin_from_response(
            request, {"userinfo": userinfo, "id_token": id_token}
        )
        login.account.extra_data = {}
        login.claims = {**id_token, **userinfo}
        login.nonce = id_token.get("nonce", "")
        login.id_token = answer["id_token"]
        sid = id_token.get("sid")
        login.sid = sid if isinstance(sid, str) else ""
        return login


class Provider(OpenIDConnectProvider):  # type: ignore[misc]
    """Our only provider. The query of a sign-in address cannot change the request to it."""

    oauth2_adapter_class: ClassVar[type[Adapter]] = Adapter

    def get_scope_from_request(self, _request: HttpRequest) -> list[str]:
        return [*ASKED_SCOPES]

    def redirect(
        self,
        request: HttpRequest,
        process: str,
        next_url: str = "",
        *,
        again: bool = False,
        **_: Any,
    ) -> HttpResponseBase:
        """Redirect to the identity provider with state, nonce and PKCE challenge. `again`: a person
        with a session there has to authenticate again.
        """
        nonce = secrets.token_urlsafe(24)
        asked = {"nonce": nonce, **({"prompt": "login", "max_age": "0"} if again else {})}
        response: HttpResponseBase = super().redirect(
            request, process, next_url, auth_params=asked, nonce=nonce
        )
        pending_sign_ins.keep(request, response)
        return response

    def stash_redirect_state(
        self,
        request: HttpRequest,
        process: str,
        next_url: str | None = None,
        data: Any = None,  # noqa: ARG002  what allauth hands over
        **kept: Any,
    ) -> str:
        """Store the sign-in in the browser; allauth would store it in a session."""
        return pending_sign_ins.begin(
            request, {"process": process, "next": next_url or "/", **kept}
        )


class CallbackView(OAuth2CallbackView):  # type: ignore[misc]
    """The callback of a sign-in; its data comes from the browser."""

    def _get_state(
        self, request: HttpRequest, provider: Provider
    ) -> tuple[dict[str, Any] | None, HttpResponseBase | None]:
        state = pending_sign_ins.read_begun(request)
        if state is None:
            return None, render_authentication_error(request, provider)
        return state, None


def identity_provider() -> Settings:
    """Return the settings of the identity provider. Raises NotConfigured."""
    found = settings_of(Settings)
    if not (found.url and found.realm and found.client_id and found.client_secret):
        raise NotConfigured
    return found


def app() -> SocialApp:
    """Return the unsaved client that allauth works with."""
    told = identity_provider()
    assert told.client_secret is not None
    return SocialApp(
        provider="openid_connect",
        provider_id=PROVIDER_ID,
        name="Identity provider",
        client_id=told.client_id,
        secret=told.client_secret.reveal(),
        settings={
            "server_url": f"{told.url}/realms/{told.realm}",
            "token_auth_method": "client_secret_post",
            "oauth_pkce_enabled": True,
        },
    )


def origin() -> str:
    """Return scheme and host of the identity provider, for the content security policy; "" if it is
    not configured.
    """
    try:
        parts = urlsplit(identity_provider().url)
    except NotConfigured:
        return ""
    return f"{parts.scheme}://{parts.netloc}"
