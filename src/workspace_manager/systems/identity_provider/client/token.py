"""The administrator's token: fetched rarely, shared by all threads, and never requested again with
a refused credential.

A password grant takes 300 ms and leaves a session at the identity provider, so a token is used
until ten seconds before it expires, by all clients of this process with the same credential
(docs/systems/identity-provider.md#tokens-for-administration). A refused credential is remembered,
too: another attempt would only lock the administrator out.
"""

import hashlib
import itertools
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx

from workspace_manager.contract import slots
from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.client.closed_realm import closed_realm
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import SERVICE_ACCOUNT_PREFIX
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_manager.systems.identity_provider.shapes import lifetime

SYSTEM = "identity_provider"
DOING = message("signing_in")
SPARE_S = 10
"""Seconds before its end at which a token is no longer used."""

_REFUSALS = {"invalid_grant", "invalid_client", "unauthorized_client"}
_BY_TEXT = {
    "Account disabled": message("account_disabled"),
    "Account is not fully set up": message("account_not_set_up"),
    "Client not allowed for direct access grants": message("direct_grants_off"),
    "Client not enabled to retrieve service account": message("service_account_off"),
}
_CHECK = message("check_credential")


_numbers: Iterator[int] = itertools.count()


@dataclass
class CachedToken:
    """The cached token of one credential."""

    name: str = field(default_factory=lambda: f"{SYSTEM}: token {next(_numbers)}")
    """The name of the slot that threads wait for while the token is requested; contains nothing of
    the credential.
    """
    token: tuple[Secret, float] | None = None
    """The token and the moment of its end."""
    refused: tuple[Message, Message] | None = None
    """Detail and advice of the refusal."""


_kept: dict[tuple[str, str, str], CachedToken] = {}
_kept_lock = threading.Lock()


class AdminToken:
    """The token of the administrator in the settings."""

    def __init__(
        self,
        settings: Settings,
        *,
        policy: CallPolicy,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._settings = settings
        self._password = settings.admin_password or Secret("", name="administrator's password")
        self._url = settings.token_url or (
            f"{settings.url}/realms/master/protocol/openid-connect/token"
        )
        self._http = HttpClient(self._url, system=SYSTEM, policy=policy, transport=transport)
        digest = hashlib.sha256(self._password.reveal().encode()).hexdigest()
        with _kept_lock:
            self._kept = _kept.setdefault(
                (self._url, settings.admin_username, digest), CachedToken()
            )

    def get(self) -> Secret:
        """Return a token that is valid for at least SPARE_S more seconds, if the server grants
        tokens that long.

        One thread requests it, and the others wait for it as for a slot: briefly, and then Busy is
        raised. Raises Denied at once for a credential that was refused before.
        """
        if token := self._good():
            return token
        with slots.on_behalf_of_all(self._kept.name, kind=SYSTEM, doing=DOING):
            if token := self._good():
                return token
            token, seconds = self._fetch()
            self._kept.token = token, time.monotonic() + seconds - SPARE_S
            return token

    def _good(self) -> Secret | None:
        if self._kept.refused:
            detail, advice = self._kept.refused
            raise Denied(detail, kind=SYSTEM, doing=DOING, advice=advice)
        token, until = self._kept.token or (None, 0.0)
        return token if time.monotonic() < until else None

    def prove(self) -> None:
        """Request a new token, whatever is cached, as proof of the credential. Raises Denied."""
        self._kept.token = None
        self.get()

    def drop(self, token: Secret) -> None:
        """Drop a refused token, unless another thread has fetched a newer one since."""
        if (kept := self._kept.token) and kept[0] == token:
            self._kept.token = None

    def try_again(self) -> None:
        """Forget the refusal of the credential: a person has corrected it at the provider."""
        self._kept.refused = None

    def _fetch(self) -> tuple[Secret, float]:
        answer = self._http.send("POST", "", doing=DOING, form=self._grant(), anonymous=True)
        if answer.status != 200:
            raise self._refusal(answer)
        body = answer.json()
        token = body.get("access_token") if isinstance(body, dict) else None
        if not isinstance(token, str) or not token:
            raise answer.error(Invalid, message("answer_without_token", shape=answer.shape))
        return Secret(token, name="administrator's token"), lifetime(body.get("expires_in"))

    def _grant(self) -> dict[str, str]:
        username = self._settings.admin_username
        if username.startswith(SERVICE_ACCOUNT_PREFIX):
            return {
                "grant_type": "client_credentials",
                "client_id": username.removeprefix(SERVICE_ACCOUNT_PREFIX),
                "client_secret": self._password.reveal(),
            }
        return {
            "grant_type": "password",
            "client_id": "admin-cli",
            "username": username,
            "password": self._password.reveal(),
        }

    def _refusal(self, answer: Answer) -> ConnectorError:
        """Return the error for an answer without a token; a refused credential is remembered. The
        code in the body decides: a wrong password is 400 or 401, depending on the version
        (docs/systems/identity-provider.md#refused-tokens).
        """
        answer.raise_for_transient()
        body = answer.json_or_none()
        said = body if isinstance(body, dict) else {}
        if answer.status in {400, 401} and said.get("error") in _REFUSALS:
            detail = message("credential_refused", error=said["error"])
            advice = _BY_TEXT.get(str(said.get("error_description")), _CHECK)
            self._kept.refused = (detail, advice)
            return answer.error(Denied, detail, advice=advice)
        if closed := closed_realm(answer, self._settings.signs_in_at or self._settings.realm):
            return closed
        if answer.status in {401, 403}:
            return answer.error(
                Denied,
                message("gives_no_token", shape=answer.shape),
                advice=message("check_realm_enabled"),
            )
        return answer.error(
            Invalid,
            message("gives_no_token", shape=answer.shape),
            advice=message("check_token_address"),
        )
