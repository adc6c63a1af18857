"""Calls of JupyterHub's own API. Honest: one method per call, no retry, no memory.

See docs/systems/notebook-hub.md#the-hubs-api.
"""

from collections.abc import Mapping
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
"""The hub's words if it knows the token."""
_HIDDEN = "No access to resources"
"""The hub's words about a user outside the filter of the token's scopes; about an unknown user it
has none.
"""
_HEADERS = {"Accept": "application/jupyterhub-pagination+json, application/json"}
"""Without the first type the hub truncates lists silently."""
PAGE = 200
"""Users requested at once; the hub may return fewer, by a limit of its own."""


@dataclass(frozen=True)
class Server:
    """A server of a user as the hub sees it, up to half a minute late after an outside stop.

    See docs/systems/notebook-hub.md#after-an-outside-stop.
    """

    name: str
    """"" for the default server."""
    active: bool
    """It runs, starts or stops. Other servers have only their name."""
    pending: str = ""
    container: str = ""
    """The name of its container, if the token may read the state of servers."""


@dataclass(frozen=True)
class User:
    """A user of the hub in a list of all users. `servers` None: hidden."""

    name: str
    servers: tuple[Server, ...] | None


class Client:
    """The client of the hub's API, one method per call. `base_url` ends with /hub/api. Raises only
    the five errors.
    """

    def __init__(self, base_url: str, token: Secret | None, *, policy: CallPolicy = CALLS) -> None:
        self.calls = policy
        self._http = HttpClient(
            base_url,
            system=SYSTEM,
            policy=policy,
            credential=Token("Authorization", token, scheme="token") if token else None,
        )

    def version(self) -> str:
        """Return the hub's version; needs no token."""
        return str(self._get("/", doing=message("asking_version")).get("version", ""))

    def me(self) -> dict[str, Any]:
        """Return the token's owner and `scopes`, and the hub's description of its configuration in
        `info`, if it may be read.
        """
        return self._get("/user", doing=message("asking_whose_token"))

    def prove_token(self) -> None:
        """Raise Denied if the hub does not know the token. A known token without the scope for this
        call is answered 403, too, with other words.

        See docs/systems/notebook-hub.md#the-hubs-api.
        """
        answer = self._http.send("GET", "/user", doing=message("asking_whose_token"), kind=KIND)
        body = answer.json_or_none() if answer.is_json else None
        said = str(body.get("message", "")) if isinstance(body, dict) else ""
        error = meaning(answer)
        if error is not None and not (isinstance(error, Denied) and _LACKS_SCOPE in said):
            raise error

    def info(self) -> dict[str, Any]:
        """Return the authenticator and the spawner, each with `class` and `version`. Raises Denied
        without the scope read:hub.
        """
        return self._get("/info", doing=message("asking_authenticator"))

    def servers(self, user: str) -> tuple[Server, ...]:
        """Return every server that the hub lists for a user, including remembered stopped ones.
        Raises NotFound for a user the hub does not know.
        """
        doing = message("asking_for_server")
        found = self._get(
            f"/users/{_user(user)}",
            doing=doing,
            one_user=True,
            params={"include_stopped_servers": "1"},
        )
        servers = _servers(found)
        if servers is None:
            raise Denied(message("servers_not_shown"), kind=KIND, doing=doing, advice=_ADVICE)
        return servers

    def users(self, offset: int) -> tuple[list[object], int]:
        """Return the page of users from `offset`, in the hub's form (`user_of`), and their total
        number. Raises Denied without the scope list:users.
        """
        found = self._get(
            "/users",
            doing=message("listing_users"),
            params={"offset": str(offset), "limit": str(PAGE)},
        )
        items, about = found.get("items"), found.get("_pagination")
        total = about.get("total") if isinstance(about, dict) else None
        if not isinstance(items, list) or type(total) is not int:
            raise Invalid(
                message("no_page_of_users"),
                kind=KIND,
                doing=message("listing_users"),
                advice=_ADVICE_ADDRESS,
            )
        return items, total

    def stop_server(self, user: str, server: str = "") -> bool:
        """Stop a server; return True if it is stopped, False if that takes longer (202). Raises
        NotFound for an unknown user or server.

        The answer is also 204 if no server ran.
        """
        path = f"/users/{_user(user)}/server"
        if server:
            path += f"s/{_user(server)}"
        answer = self._send("DELETE", path, message("stopping_server"), True)
        if answer.status not in {202, 204}:
            raise answer.error(
                Invalid, message("answered_to_stop", shape=answer.shape), advice=_ADVICE_ADDRESS
            )
        return answer.status == 204

    def _get(
        self,
        path: str,
        *,
        doing: Message,
        one_user: bool = False,
        params: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        answer = self._send("GET", path, doing, one_user, params)
        found = answer.json()
        if answer.status != 200 or not isinstance(found, dict):
            raise answer.error(
                Invalid, message("not_an_object", shape=answer.shape), advice=_ADVICE_ADDRESS
            )
        return found

    def _send(
        self,
        method: str,
        path: str,
        doing: Message,
        one_user: bool,
        params: Mapping[str, str] | None = None,
    ) -> Answer:
        answer = self._http.send(
            method, path, doing=doing, kind=KIND, params=params, headers=_HEADERS
        )
        error = meaning(answer, one_user=one_user)
        if error is not None:
            raise error
        return answer


def meaning(answer: Answer, *, one_user: bool = False) -> ConnectorError | None:
    """Return the error of an answer; None for a success. `one_user`: the call named a user, so that
    its JSON 404 is NotFound.
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
    if status == 404 and isinstance(body, dict) and _HIDDEN in str(body.get("message")):
        return answer.error(Denied, message("hidden_by_filter"), advice=_ADVICE)
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


def user_of(found: object) -> User | None:
    """Return a user of a list; None for an entry of another shape."""
    name = found.get("name") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(name, str) or not name:
        return None
    try:
        return User(name, _servers(found))
    except Invalid:
        return None


def _servers(found: dict[str, Any]) -> tuple[Server, ...] | None:
    """Return the servers of a user; None if the hub hides them. Raises Invalid for another shape,
    because it would be unknown what runs.
    """
    servers = found.get("servers")
    if servers is None:
        return None
    if not isinstance(servers, dict) or not all(isinstance(one, dict) for one in servers.values()):
        raise Invalid(
            message("server_of_unknown_shape"),
            kind=KIND,
            doing=message("asking_for_server"),
            advice=_ADVICE_ADDRESS,
        )
    return tuple(_server(str(name), one) for name, one in sorted(servers.items()))


def _server(name: str, found: dict[str, Any]) -> Server:
    """Return a server. It counts as stopped only if the hub says so: earlier versions list only
    active ones, without saying so.
    """
    pending = str(found.get("pending") or "")
    active = found.get("ready") is True or bool(pending) or found.get("stopped") is not True
    state = found.get("state")
    container = str(state.get("object_name") or "") if isinstance(state, dict) else ""
    return Server(name, active, pending, container)
