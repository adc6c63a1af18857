"""Calls about a person's own session, for the manager's client (OpenID Connect Core, section 12),
and the keys of the realm's signatures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Denied, Invalid
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.client.closed_realm import closed_realm
from workspace_manager.systems.identity_provider.client.metadata import (
    MetadataCache,
    ProviderMetadata,
)
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_manager.systems.identity_provider.shapes import lifetime

DOING = message("refreshing_token")
_TOKEN = "/protocol/openid-connect/token"  # noqa: S105  a path
_CERTS = "/protocol/openid-connect/certs"
_DISCOVERY = "/.well-known/openid-configuration"
READING_KEYS = message("reading_keys")
_ENDED = "invalid_grant"
_OUR_CLIENT = {"invalid_client", "unauthorized_client"}


@dataclass(frozen=True)
class Tokens:
    """New tokens of a refresh, and the seconds that the access token is valid."""

    access: Secret
    refresh: Secret
    seconds: float


class SessionClient:
    """The calls that refresh the tokens of a signed-in person, and that read the realm's keys. None
    is made as the administrator.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        policy: CallPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._settings = settings
        realm = quote(settings.realm, safe="")
        url = f"{settings.url}/realms/{realm}"
        self._http = HttpClient(
            url, system=SYSTEM, policy=policy or CallPolicy(), transport=transport
        )
        self._kept = MetadataCache(self._published)

    def refresh(self, token: Secret) -> Tokens:
        """Return new tokens for a refresh token. Raises Denied only if the session has ended: a
        refusal of our own client says nothing about the session.
        """
        secret = self._settings.client_secret or Secret("", name="client secret")
        form = {
            "grant_type": "refresh_token",
            "client_id": self._settings.client_id,
            "client_secret": secret.reveal(),
            "refresh_token": token.reveal(),
        }
        answer = self._http.send("POST", _TOKEN, doing=DOING, form=form, anonymous=True)
        answer.raise_for_transient()
        found = answer.json_or_none()
        body = found if isinstance(found, dict) else {}
        if answer.status in {400, 401} and body.get("error") == _ENDED:
            raise answer.error(
                Denied,
                message("session_ended", error=_ENDED),
                advice=message("person_signs_in_again"),
            )
        if answer.status in {400, 401} and body.get("error") in _OUR_CLIENT:
            raise answer.error(
                Invalid, message("own_client_refused"), advice=message("check_own_client_again")
            )
        access = body.get("access_token")
        if answer.status != 200 or not isinstance(access, str) or not access:
            raise answer.error(Invalid, message("answer_without_token", shape=answer.shape))
        renewed = body.get("refresh_token")
        return Tokens(
            Secret(access, name="access token"),
            Secret(renewed, name="refresh token") if isinstance(renewed, str) else token,
            lifetime(body.get("expires_in")),
        )

    def read_metadata(self, key: str = "") -> ProviderMetadata:
        """Return the realm's issuer, endpoints and signing keys from this process's cache."""
        return self._kept.read_metadata(key)

    def _published(self) -> ProviderMetadata:
        answer = self._read(_DISCOVERY)
        found = answer.json_or_none()
        said = found if isinstance(found, dict) else {}
        texts = {name: value for name, value in said.items() if isinstance(value, str)}
        if not texts.get("issuer"):
            raise answer.error(Invalid, message("no_issuer", shape=answer.shape))
        ends = {name: value for name, value in texts.items() if name.endswith("_endpoint")}
        return ProviderMetadata(texts["issuer"], self._keys(), ends)

    def _keys(self) -> dict[str, Mapping[str, Any]]:
        answer = self._read(_CERTS)
        found = answer.json_or_none()
        keys = found.get("keys") if isinstance(found, dict) else None
        if not isinstance(keys, list):
            raise answer.error(Invalid, message("no_keys", shape=answer.shape))
        # One of the keys is for encryption
        # (docs/systems/identity-provider.md#openid-connect-endpoints).
        signing = (key for key in keys if isinstance(key, dict) and key.get("use") == "sig")
        return {key["kid"]: key for key in signing if isinstance(key.get("kid"), str)}

    def _read(self, path: str) -> Answer:
        answer = self._http.send("GET", path, doing=READING_KEYS, anonymous=True)
        answer.raise_for_transient()
        if closed := closed_realm(answer, self._settings.realm):
            raise closed
        if answer.status != 200:
            raise answer.error(Invalid, message("no_keys", shape=answer.shape))
        return answer
