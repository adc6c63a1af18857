"""One realm of the state, with the look-ups everybody needs: people, clients, roles and what they
expand to.
"""

import secrets
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from workspace_sandbox.server import StandIn
from workspace_sandbox.stand_ins.identity_provider.answers import Doc

MASTER = "master"


def new_id() -> str:
    return str(uuid.uuid4())


def new_session_id() -> str:
    """24 characters of base64, as since Keycloak 26.5: not a UUID."""
    return secrets.token_urlsafe(18)


class Realm:
    """A view on one realm's part of the state; it keeps nothing itself."""

    def __init__(self, data: Doc) -> None:
        self.data = data
        self.settings: Doc = data["settings"]
        self.keys: Doc = data["keys"]
        self.users: dict[str, Doc] = data["users"]
        self.clients: dict[str, Doc] = data["clients"]
        self.roles: dict[str, Doc] = data["roles"]
        self.scopes: dict[str, Doc] = data["scopes"]
        # A state that was kept before there were groups has none.
        self.groups: dict[str, Doc] = data.setdefault("groups", {})
        self.sessions: dict[str, Doc] = data["sessions"]
        self.offline: dict[str, Doc] = data["offline"]

    @property
    def name(self) -> str:
        return str(self.settings["realm"])

    @property
    def id(self) -> str:
        return str(self.settings["id"])

    def setting(self, name: str) -> Any:
        return self.settings.get(name)

    # --- people -----------------------------------------------------------------------------------

    def user_named(self, username: str) -> Doc | None:
        wanted = username.strip().lower()
        return next((user for user in self.users.values() if user["username"] == wanted), None)

    def user_with_email(self, email: str) -> Doc | None:
        wanted = email.strip().lower()
        return next((u for u in self.users.values() if wanted and u.get("email") == wanted), None)

    def user_for_login(self, name: str) -> Doc | None:
        """Return who signs in under this name: the user name, or the e-mail address where the realm
        allows it.
        """
        user = self.user_named(name)
        if user is None and self.setting("loginWithEmailAllowed"):
            user = self.user_with_email(name)
        return user

    # --- groups -----------------------------------------------------------------------------------

    def group_named(self, name: str) -> Doc | None:
        return next((group for group in self.groups.values() if group["name"] == name), None)

    def groups_of(self, user: Doc) -> list[Doc]:
        inside = (group for group in self.groups.values() if user["id"] in group["members"])
        return sorted(inside, key=lambda group: str(group["name"]))

    # --- clients ----------------------------------------------------------------------------------

    def client_named(self, client_id: str) -> Doc | None:
        return next((c for c in self.clients.values() if c["clientId"] == client_id), None)

    def scope_named(self, name: str) -> Doc | None:
        return next((s for s in self.scopes.values() if s["name"] == name), None)

    # --- roles ------------------------------------------------------------------------------------

    def role_named(self, name: str, container: str | None = None) -> Doc | None:
        """The role of this name in the realm itself, or in the client with this internal id."""
        where = container or self.id
        return next(
            (r for r in self.roles.values() if r["name"] == name and r["containerId"] == where),
            None,
        )

    def roles_in(self, container: str) -> list[Doc]:
        return [role for role in self.roles.values() if role["containerId"] == container]

    def expanded(self, role_ids: Iterable[str]) -> Iterator[Doc]:
        """These roles and everything they are composed of, each once."""
        seen: set[str] = set()
        waiting = list(role_ids)
        while waiting:
            role = self.roles.get(waiting.pop(0))
            if role and role["id"] not in seen:
                seen.add(role["id"])
                waiting.extend(role["composites"])
                yield role

    def roles_of(self, user: Doc) -> list[Doc]:
        """Return the roles that the user holds in effect: directly and by composition."""
        return list(self.expanded(user["roles"]))


class Store:
    """The realms of one stand-in. The state is replaced by a reset, so it is asked for
    every time.
    """

    def __init__(self, owner: StandIn) -> None:
        self._owner = owner

    @property
    def realms(self) -> dict[str, Doc]:
        realms: dict[str, Doc] = self._owner.state["realms"]
        return realms

    def realm(self, name: str) -> Realm | None:
        data = self.realms.get(name)
        return Realm(data) if data else None

    @property
    def master(self) -> Realm:
        return Realm(self.realms[MASTER])

    def changed(self) -> None:
        """Something an administrator or a person asked for was done: kept, and counted as an
        effect.
        """
        self._owner.changed()

    def keep(self) -> None:
        """A sign-in, a token, a failure: kept, not counted."""
        self._owner.keep()
