"""What allauth leaves out of OpenID Connect: a nonce, the signature on the code flow, and the same
`sub` in both answers.

The client is made from our encrypted settings and never stored in allauth's clear-text table.
"""

import secrets
from typing import Any, ClassVar
from urllib.parse import urlsplit

from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest, HttpResponseBase

from workspace_manager.operations.configured import settings_of
from workspace_manager.systems.identity_provider.settings import Settings

PROVIDER_ID = "identity_provider"


class NotConfigured(Exception):
    """Nobody can sign in: the identity provider's address, realm or client is not set."""


class Adapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """Check the signature although TLS would let us skip it, and that userinfo speaks of the same
    person.
    """

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        answer = kwargs["response"]
        if not answer.get("id_token"):
            raise OAuth2Error("no ID token")
        # allauth verifies the signature only of tokens it did not fetch itself.
        self.did_fetch_access_token = False
        id_token = self._decode_id_token(app, answer["id_token"])
        userinfo = self._fetch_user_info(token.token)
        if not id_token.get("sub") or userinfo.get("sub") != id_token["sub"]:
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
    """Our one provider: nothing in the query of a sign-in address changes what is asked of it."""

    oauth2_adapter_class: ClassVar[type[Adapter]] = Adapter

    def get_scope_from_request(self, _request: HttpRequest) -> list[str]:
        return self.get_scope()  # type: ignore[no-any-return]

    def redirect(
        self,
        request: HttpRequest,
        process: str,
        next_url: str = "",
        *,
        again: bool = False,
        **_: Any,
    ) -> HttpResponseBase:
        """Send somebody to the identity provider with state, nonce and PKCE challenge. `again`:
        whoever has a session there types something all the same.
        """
        nonce = secrets.token_urlsafe(24)
        asked = {"nonce": nonce, **({"prompt": "login", "max_age": "0"} if again else {})}
        response: HttpResponseBase = super().redirect(
            request, process, next_url, auth_params=asked, nonce=nonce
        )
        return response


def identity_provider() -> Settings:
    """The settings of the identity provider. Raises NotConfigured."""
    settings = settings_of(Settings)
    if not (settings.url and settings.realm and settings.client_id and settings.client_secret):
        raise NotConfigured
    return settings


def app() -> SocialApp:
    """The unsaved client that allauth works with."""
    settings = identity_provider()
    assert settings.client_secret is not None
    return SocialApp(
        provider="openid_connect",
        provider_id=PROVIDER_ID,
        name="Identity provider",
        client_id=settings.client_id,
        secret=settings.client_secret.reveal(),
        settings={
            "server_url": f"{settings.url}/realms/{settings.realm}",
            "token_auth_method": "client_secret_post",
            "oauth_pkce_enabled": True,
        },
    )


def origin() -> str:
    """Scheme and host of the identity provider, for the content security policy; "" when not
    configured.
    """
    try:
        parts = urlsplit(identity_provider().url)
    except NotConfigured:
        return ""
    return f"{parts.scheme}://{parts.netloc}"
