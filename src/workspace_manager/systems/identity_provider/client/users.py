"""Calls about users, one method each. Honest: deleting a missing user raises NotFound.

Paths are made of quoted segments and never contain `//`, which newer versions refuse
(docs/systems/identity-provider.md#administration-calls-in-general). Raises the five errors of
`contract.errors`; `answers` decides which.
"""

import json
import re
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import quote

import httpx

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Denied, Invalid, NotFound
from workspace_manager.contract.http import HttpClient, Token
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.client.answers import (
    USER_ABSENT,
    documents,
    new_id,
    understand,
    unexpected,
    user_document,
)
from workspace_manager.systems.identity_provider.client.token import SYSTEM, AdminToken
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.settings import Settings

USER = f"{SYSTEM}.user"
ATTRIBUTES = f"{SYSTEM}.attributes"

WRITTEN_WITH_ATTRIBUTES = ("username", "email", "firstName", "lastName")
"""The only members that a write of attributes erases if it leaves them out. `enabled` and
`credentials` are never written back.
"""


class Wire:
    """The admin API: sends calls with the token, repeats one with a fresh token after a 401, and
    interprets the answers.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        policy: CallPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.settings = settings
        policy = policy or CallPolicy()
        self.http = HttpClient(settings.url, system=SYSTEM, policy=policy, transport=transport)
        self.token = AdminToken(settings, policy=policy, transport=transport)
        realm = quote(settings.realm, safe="")
        self.users = _path(settings.users_url.replace("{realm}", realm), settings.url)
        self.realm = (
            self.users.removesuffix("/users")
            if self.users.endswith("/users")
            else f"/admin/realms/{realm}"
        )

    def send(
        self,
        method: str,
        path: str,
        *,
        doing: Message,
        kind: str = SYSTEM,
        ok: Collection[int] = (200,),
        absent: str = USER_ABSENT,
        params: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> Answer:
        """Send a call as the administrator. After a 401 it is repeated once with a fresh token;
        then Denied is raised.
        """
        token = self.token.get()
        answer = self._once(token, method, path, doing, kind, params, body)
        if answer.status == 401:
            self.token.drop(token)
            token = self.token.get()
            answer = self._once(token, method, path, doing, kind, params, body)
            if answer.status == 401:
                self.token.drop(token)
        understand(answer, ok=ok, absent=absent)
        return answer

    def _once(
        self,
        token: Secret,
        method: str,
        path: str,
        doing: Message,
        kind: str,
        params: Mapping[str, str] | None,
        body: Any,
    ) -> Answer:
        return self.http.send(
            method,
            path,
            doing=doing,
            kind=kind,
            params=params,
            json_body=body,
            credential=Token("Authorization", token, scheme="Bearer"),
        )


class UserClient:
    """The calls about users."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def create_user(
        self,
        user: Mapping[str, Any],
        password_hash: Secret | None = None,
        *,
        password: Secret | None = None,
    ) -> str:
        """Make a user and return its id. `password_hash`: JSON text with the two strings
        `credentialData` and `secretData`; `password`: one that the realm's policy checks.

        After a timeout the user may exist. Raises Conflict for a taken name or e-mail address.
        """
        doing = message("creating_user")
        body = dict(user)
        if password_hash is not None:
            body["credentials"] = [_credential(password_hash, doing)]
        if password is not None:
            body["credentials"] = [{"type": "password", "value": password.reveal()}]
        path = _path(f"{self.wire.users}/{self.wire.settings.users_create_url}", "")
        return new_id(self.wire.send("POST", path, doing=doing, kind=USER, ok=(201,), body=body))

    def get_user(self, sub: str, *, kind: str = USER) -> dict[str, Any]:
        """Return a whole user. Raises NotFound only for the provider's own "User not found"."""
        doing = message("looking_at_user")
        answer = self.wire.send("GET", self._user(sub, doing), doing=doing, kind=kind)
        return user_document(answer, answer.json())

    def find_user(self, username: str) -> dict[str, Any] | None:
        """Return the user with exactly this name. The name is compared here, too: a server may
        match more than it was asked to.
        """
        doing = message("looking_for_user")
        params = {"username": username, "exact": "true", "briefRepresentation": "false"}
        answer = self.wire.send("GET", self.wire.users, doing=doing, kind=USER, params=params)
        users = [user_document(answer, item) for item in documents(answer)]
        return next((user for user in users if user["username"] == username.lower()), None)

    def some_user(self) -> dict[str, Any] | None:
        """Return any user, as proof that we see them. Raises Denied if there are some and none is
        shown: with query-users alone a list is empty and the count is not (seen on Keycloak
        26.7.3).
        """
        doing = message("querying_users")
        answer = self.wire.send("GET", self.wire.users, doing=doing, kind=USER, params={"max": "1"})
        if users := documents(answer):
            return users[0]
        counted = self.wire.send("GET", f"{self.wire.users}/count", doing=doing, kind=USER)
        if (count := counted.json()) == 0:
            return None
        if not isinstance(count, int):
            raise unexpected(counted, message("expected_number", shape=counted.shape))
        raise counted.error(
            Denied,
            message("no_user_shown"),
            advice=message("give_view_users", client=self.wire.settings.roles_of),
        )

    def disabled_users(self, most: int) -> list[dict[str, Any]]:
        """Return up to `most` disabled users with their attributes."""
        params = {"enabled": "false", "briefRepresentation": "false", "max": str(most)}
        doing = message("looking_for_disabled")
        return documents(
            self.wire.send("GET", self.wire.users, doing=doing, kind=USER, params=params)
        )

    def put_user(self, sub: str, body: Mapping[str, Any], *, kind: str = USER) -> None:
        """Write a user. Without `attributes`, the body is merged; with them, it replaces
        attributes, names and e-mail.

        See docs/systems/identity-provider.md#changing-a-user.
        """
        doing = message("changing_user")
        self.wire.send(
            "PUT", self._user(sub, doing), doing=doing, kind=kind, ok=(204,), body=dict(body)
        )

    def put_attributes(
        self, user: Mapping[str, Any], wishes: Mapping[str, str | Secret | None]
    ) -> None:
        """Write a user back with some attributes changed; None removes one. Everything else
        stays.
        """
        attributes = dict(user.get("attributes") or {})
        for name, wish in wishes.items():
            attributes.pop(name, None)
            if wish is not None:
                attributes[name] = [wish.reveal() if isinstance(wish, Secret) else wish]
        body = {name: user[name] for name in WRITTEN_WITH_ATTRIBUTES if name in user}
        self.put_user(str(user["id"]), {**body, "attributes": attributes}, kind=ATTRIBUTES)

    def delete_user(self, sub: str) -> None:
        """Delete a user with its attributes and sessions. Raises NotFound the second time."""
        doing = message("deleting_user")
        template = self.wire.settings.users_delete_url
        if "{userId}" not in template:
            raise Invalid(
                message("path_without_id"),
                kind=USER,
                doing=doing,
                advice=message("set_delete_path"),
            )
        tail = template.replace("{userId}", segment(sub, kind=USER, doing=doing))
        path = _path(f"{self.wire.users}/{tail}", "")
        self.wire.send("DELETE", path, doing=doing, kind=USER, ok=(204,))

    def log_out(self, sub: str) -> None:
        """End every session of a user, and notify the clients (back-channel). No sessions are no
        error.
        """
        doing = message("ending_sessions")
        self.wire.send(
            "POST", f"{self._user(sub, doing)}/logout", doing=doing, kind=USER, ok=(204,)
        )

    def read_attribute(self, sub: str, name: str) -> Secret:
        """Return an attribute as a secret. Raises NotFound if it is not set, or the user is
        missing.
        """
        value = attribute(self.get_user(sub, kind=ATTRIBUTES), name)
        if value is None:
            raise NotFound(
                message("attribute_not_set"),
                kind=ATTRIBUTES,
                doing=message("reading_attribute", name=name),
                advice=message("store_it_again"),
            )
        return Secret(value, name=name)

    def _user(self, sub: str, doing: Message) -> str:
        return f"{self.wire.users}/{segment(sub, kind=USER, doing=doing)}"


def attribute(user: Mapping[str, Any], name: str) -> str | None:
    """Return the first value of an attribute; None if it is absent, empty or an empty text
    (Keycloak stores none of these).
    """
    values = (user.get("attributes") or {}).get(name)
    if isinstance(values, list) and values and isinstance(values[0], str):
        return values[0] or None
    return None


def _path(text: str, url: str) -> str:
    """Return a path with one slash before each segment and none at its end, whatever the settings
    contain.
    """
    return "/" + re.sub(r"/{2,}", "/", text.removeprefix(url)).strip("/")


def _credential(password_hash: Secret, doing: Message) -> dict[str, str]:
    """Return the credential that imports a hash. It is checked here: the server answers 500 for a
    broken one, which would be retried for ever
    (docs/systems/identity-provider.md#passwords-and-imported-hashes).
    """
    try:
        parts = json.loads(password_hash.reveal())
        pair = {name: parts[name] for name in ("credentialData", "secretData")}
        whole = all(isinstance(json.loads(text), dict) for text in pair.values())
    except (ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise Invalid(
            message("hash_of_other_form"),
            kind=USER,
            doing=doing,
            advice=message("reject_registration"),
        )
    return {"type": "password", **pair}
