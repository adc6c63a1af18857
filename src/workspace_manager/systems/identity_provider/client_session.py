"""The identity provider's wire: a person's own session, for the manager's client (OpenID Connect
Core, section 12).
"""

from dataclasses import dataclass
from urllib.parse import quote

import httpx

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Denied, Invalid
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.client_token import SYSTEM
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.settings import Settings

DOING = message("refreshing_token")
_ENDED = {"invalid_grant", "unauthorized_client"}


@dataclass(frozen=True)
class Tokens:
    """What a refresh gives: new tokens, and how many seconds the access token is good."""

    access: Secret
    refresh: Secret
    seconds: float


class SessionClient:
    """Refresh the tokens of somebody who signed in here. Never as the administrator."""

    def __init__(
        self,
        settings: Settings,
        *,
        policy: CallPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._settings = settings
        realm = quote(settings.realm, safe="")
        url = f"{settings.url}/realms/{realm}/protocol/openid-connect/token"
        self._http = HttpClient(
            url, system=SYSTEM, policy=policy or CallPolicy(), transport=transport
        )

    def refresh(self, token: Secret) -> Tokens:
        """New tokens for a refresh token. Raises Denied when the session has ended, and what the
        answer means otherwise.
        """
        secret = self._settings.client_secret or Secret("", name="client secret")
        form = {
            "grant_type": "refresh_token",
            "client_id": self._settings.client_id,
            "client_secret": secret.reveal(),
            "refresh_token": token.reveal(),
        }
        answer = self._http.send("POST", "", doing=DOING, form=form, anonymous=True)
        answer.raise_for_transient()
        found = answer.json_or_none()
        body = found if isinstance(found, dict) else {}
        if answer.status in {400, 401} and body.get("error") in _ENDED:
            raise answer.error(
                Denied,
                message("session_ended", error=body["error"]),
                advice=message("person_signs_in_again"),
            )
        access, seconds = body.get("access_token"), body.get("expires_in")
        if answer.status != 200 or not isinstance(access, str) or not access:
            raise answer.error(Invalid, message("answer_without_token", shape=answer.shape))
        renewed = body.get("refresh_token")
        return Tokens(
            Secret(access, name="access token"),
            Secret(renewed, name="refresh token") if isinstance(renewed, str) else token,
            float(seconds) if isinstance(seconds, int | float) else 0.0,
        )
