"""Ask JupyterHub's own API. Honest: one method per call, no retry, no memory.

See docs/systems/notebook-hub.md#the-hubs-api.
"""

from dataclasses import dataclass
from typing import Any

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.http import HttpClient, Token
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import KIND

SYSTEM = "notebook_hub"
CALLS = CallPolicy(connect_s=5, answer_s=30)
_ADVICE = message("give_role_and_token")
_ADVICE_ADDRESS = message("check_api_url")
_LACKS_SCOPE = "not authorized with current scopes"
"""What the hub says to a token that it knows."""


@dataclass(frozen=True)
class Server:
    """A user's default server as the hub sees it; up to half a minute out of date after an outside
    stop.

    See docs/systems/notebook-hub.md#after-an-outside-stop.
    """

    ready: bool
    pending: str


class Client:
    """One method per call. `base_url` ends in /hub/api. Raises only the five errors."""

    def __init__(self, base_url: str, token: Secret | None, *, policy: CallPolicy = CALLS) -> None:
        self._http = HttpClient(
            base_url,
            system=SYSTEM,
            policy=policy,
            credential=Token("Authorization", token, scheme="token") if token else None,
        )

    def version(self) -> str:
        """The hub's version; needs no token."""
        return str(self._get("/", doing=message("asking_version")).get("version", ""))

    def me(self) -> dict[str, Any]:
        """Who owns the token, its `scopes`, and what the hub's configuration says of itself in
        `info`, where that may be read.
        """
        return self._get("/user", doing=message("asking_whose_token"))

    def prove_token(self) -> None:
        """Raises Denied when the hub does not know the token. One that lacks the scope for this
        call is known, and answered 403 like one that is not.

        See docs/systems/notebook-hub.md#the-hubs-api.
        """
        answer = self._http.send("GET", "/user", doing=message("asking_whose_token"), kind=KIND)
        body = answer.json_or_none() if answer.is_json else None
        said = str(body.get("message", "")) if isinstance(body, dict) else ""
        error = meaning(answer)
        if error is not None and not (isinstance(error, Denied) and _LACKS_SCOPE in said):
            raise error

    def authenticator(self) -> tuple[str, str]:
        """Class and version of what signs people in. Raises Denied without the scope read:hub."""
        found = self._get("/info", doing=message("asking_authenticator")).get("authenticator")
        known = found if isinstance(found, dict) else {}
        return str(known.get("class", "")), str(known.get("version", ""))

    def server(self, user: str) -> Server | None:
        """The user's default server; None when the user has none. Raises NotFound for a user the
        hub does not know.
        """
        found = self._get(
            f"/users/{_user(user)}", doing=message("asking_for_server"), one_user=True
        )
        servers = found.get("servers")
        if servers is None:
            text = message("servers_not_shown")
            raise Denied(text, kind=KIND, doing=message("asking_for_server"), advice=_ADVICE)
        server = servers.get("") if isinstance(servers, dict) else servers
        if server is None:
            return None
        if not isinstance(server, dict):
            raise Invalid(
                message("server_of_unknown_shape"), kind=KIND, doing=message("asking_for_server")
            )
        return Server(ready=server.get("ready") is True, pending=str(server.get("pending") or ""))

    def stop_server(self, user: str) -> bool:
        """Stop the default server; True when that is done, False when it goes on (202). Raises
        NotFound for an unknown user.

        204 is also the answer when no server ran.
        """
        answer = self._send(
            "DELETE", f"/users/{_user(user)}/server", message("stopping_server"), True
        )
        if answer.status not in {202, 204}:
            raise answer.error(
                Invalid, message("answered_to_stop", shape=answer.shape), advice=_ADVICE_ADDRESS
            )
        return answer.status == 204

    def _get(self, path: str, *, doing: Message, one_user: bool = False) -> dict[str, Any]:
        answer = self._send("GET", path, doing, one_user)
        found = answer.json()
        if answer.status != 200 or not isinstance(found, dict):
            raise answer.error(
                Invalid, message("not_an_object", shape=answer.shape), advice=_ADVICE_ADDRESS
            )
        return found

    def _send(self, method: str, path: str, doing: Message, one_user: bool) -> Answer:
        answer = self._http.send(method, path, doing=doing, kind=KIND)
        error = meaning(answer, one_user=one_user)
        if error is not None:
            raise error
        return answer


def meaning(answer: Answer, *, one_user: bool = False) -> ConnectorError | None:
    """Classify an answer of the hub; None is a success. `one_user`: a user was named, so that its
    JSON 404 is NotFound.
    """
    status = answer.status
    if 200 <= status < 300:
        return None
    body = answer.json_or_none() if answer.is_json else None
    ours = isinstance(body, dict) and body.get("status") == status
    if status in {401, 403}:
        return answer.error(
            Denied,
            message("token_not_accepted", shape=answer.shape),
            advice=_ADVICE,
        )
    if status == 404 and ours and one_user:
        return answer.error(NotFound, message("no_such_user"))
    if status == 400 and ours and one_user:
        return answer.error(
            Unavailable,
            message("starting_or_stopping"),
            advice=message("asked_again"),
            retry_after=5,
        )
    if status == 409:
        return answer.error(Conflict, message("conflict", shape=answer.shape))
    if status == 429 or status >= 500:
        return answer.error(
            Unavailable,
            message("hub_answered", shape=answer.shape),
            advice=message("hub_in_trouble"),
        )
    return answer.error(
        Invalid,
        message("hub_not_understood", shape=answer.shape),
        advice=_ADVICE_ADDRESS,
    )


def _user(user: str) -> str:
    return segment(user, kind=KIND, doing=message("addressing_user"))
