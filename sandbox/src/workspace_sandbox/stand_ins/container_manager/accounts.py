"""Portainer's own routes: signing in, users, access tokens, settings (facts 1.1)."""

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

from workspace_sandbox.stand_ins.container_manager.gate import (
    ADMINISTRATOR,
    COOKIE,
    Gate,
    Request,
    Row,
    Stop,
    digest,
    fits,
    hashed,
)
from workspace_sandbox.stand_ins.container_manager.payload import Payload, invalid, number
from workspace_sandbox.stand_ins.container_manager.wire import (
    PORTAINER,
    Reply,
    portainer_error,
    portainer_json,
)

VERSION = "2.23.0"
INTERNAL, OAUTH = 1, 3
_ROLES = {1, 2}
_SHORTEST = 12


def user_row(number_: int, name: str, password: str, role: int) -> Row:
    return {"Id": number_, "Username": name, "Role": role, "password": hashed(password)}


class Accounts:
    """Users of Portainer and their tokens."""

    def __init__(self, gate: Gate, changed: Callable[[], None]) -> None:
        self._gate = gate
        self._changed = changed

    @property
    def state(self) -> dict[str, Any]:
        return self._gate.state

    async def status(self, _request: Request, _parts: Sequence[str]) -> Reply:
        return portainer_json({"Version": VERSION, "InstanceID": self.state["instance_id"]})

    # --- signing in ----------------------------------------------------------------------------------------------------

    async def sign_in(self, request: Request, _parts: Sequence[str]) -> Reply:
        given = Payload(request.body)
        name, password = given.text("Username"), given.text("Password")
        if not name:
            raise invalid("Invalid username")
        if not password:
            raise invalid("Invalid password")
        user = self._named(name)
        if self.state["settings"]["authentication_method"] == OAUTH and (
            user is None or user["Id"] != 1
        ):
            message = "Only initial admin is allowed to login without oauth"
            return portainer_error(422, message, "Unauthorized")
        if user is None or not fits(password, user["password"]):
            return portainer_error(422, "Invalid credentials", "Unauthorized")
        token = self._gate.token(user)
        reply = portainer_json({"jwt": token})
        reply.headers["Set-Cookie"] = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"
        return reply

    async def sign_out(self, request: Request, _parts: Sequence[str]) -> Reply:
        """Without a cookie the real one panics and closes the connection; status 0 says so."""
        cookie = request.cookies.get(COOKIE)
        if not cookie:
            return Reply(0)
        self.state["logged_out"].append(cookie)
        self._changed()
        return Reply(204, headers=dict(PORTAINER))

    async def admin_check(self, _request: Request, _parts: Sequence[str]) -> Reply:
        if any(user["Role"] == ADMINISTRATOR for user in self._users.values()):
            return Reply(204, headers=dict(PORTAINER))
        message = "No administrator account found inside the database"
        return portainer_error(404, message, "Object not found inside the database")

    async def admin_init(self, request: Request, _parts: Sequence[str]) -> Reply:
        given = Payload(request.body)
        name, password = given.text("Username"), given.text("Password")
        if not name:
            raise invalid("Invalid username. Must not contain any whitespace")
        if not password:
            raise invalid("Invalid password")
        if any(user["Role"] == ADMINISTRATOR for user in self._users.values()):
            message = "Unable to create administrator user"
            return portainer_error(409, message, "An administrator user already exists")
        self._strong(password)
        user = self._add(name, password, ADMINISTRATOR)
        bcrypt = "$2a$10$" + user["password"].partition("$")[2][:53]
        return portainer_json({**_shown(user), "Password": bcrypt})

    # --- users ---------------------------------------------------------------------------------------------------------

    async def me(self, request: Request, _parts: Sequence[str]) -> Reply:
        assert request.user is not None
        reply = portainer_json({**_shown(request.user), "forceChangePassword": False})
        cookie = request.cookies.get(COOKIE)
        if cookie:
            reply.headers["X-Csrf-Token"] = self._gate.csrf(cookie)
        return reply

    async def list_users(self, request: Request, _parts: Sequence[str]) -> Reply:
        if not request.administrator:
            return portainer_error(403, "Permission denied to access users list")
        return portainer_json([_shown(user) for user in self._users.values()])

    async def get_user(self, request: Request, parts: Sequence[str]) -> Reply:
        who = number(parts[0], "Invalid user identifier route variable")
        assert request.user is not None
        if not request.administrator and request.user["Id"] != who:
            return portainer_error(
                403, "Permission denied inspect user", "Access denied to resource"
            )
        if str(who) not in self._users:
            return _no_user(who)
        return portainer_json(_shown(self._users[str(who)]))

    async def create_user(self, request: Request, _parts: Sequence[str]) -> Reply:
        given = Payload(request.body)
        name, password, role = given.text("Username"), given.text("Password"), given.get("Role")
        if not name or " " in name:
            raise invalid("Invalid username. Must not contain any whitespace")
        if role not in _ROLES:
            raise invalid(
                "Invalid role value. Value must be one of: 1 (administrator) or 2 (regular user)"
            )
        if self._named(name):
            message = "Another user with the same username already exists"
            return portainer_error(409, message, "User already exists")
        self._strong(password)
        return portainer_json(_shown(self._add(name, password, role)))

    async def delete_user(self, _request: Request, parts: Sequence[str]) -> Reply:
        who = number(parts[0], "Invalid user identifier route variable")
        if str(who) not in self._users:
            return _no_user(who)
        del self._users[str(who)]
        self.state["keys"] = [row for row in self.state["keys"] if row["userId"] != who]
        self._changed()
        return Reply(204, headers=dict(PORTAINER))

    # --- access tokens -------------------------------------------------------------------------------------------------

    async def create_key(self, request: Request, parts: Sequence[str]) -> Reply:
        who = number(parts[0], "Invalid user identifier route variable")
        assert request.user is not None
        if request.by_key:
            return portainer_error(401, "Auth not supported", "Authentication required")
        given = Payload(request.body)
        if not given.text("password"):
            raise invalid("Invalid password: cannot be empty")
        if not given.text("description"):
            raise invalid("Invalid description: cannot be empty")
        if request.user["Id"] != who:
            message = "Permission denied to create user access token"
            return portainer_error(403, message, "Unauthorized")
        if not fits(given.text("password"), request.user["password"]):
            return portainer_error(
                403,
                "Current password doesn't match",
                "Current password does not match the password provided. Please try again",
            )
        key = "ptr_" + secrets.token_urlsafe(32) + "="
        return portainer_json(
            {"rawAPIKey": key, "apiKey": self.add_key(who, key, given.text("description"))}, 201
        )

    def add_key(self, who: int, key: str, description: str) -> Row:
        self.state["last"]["key"] += 1
        row = {
            "id": self.state["last"]["key"],
            "userId": who,
            "description": description,
            "prefix": key[:7],
            "dateCreated": int(time.time()),
            "lastUsed": 0,
            "digest": digest(key),
        }
        self.state["keys"].append(row)
        self._changed()
        return row

    async def list_keys(self, _request: Request, parts: Sequence[str]) -> Reply:
        return portainer_json([r for r in self.state["keys"] if str(r["userId"]) == parts[0]])

    async def delete_key(self, _request: Request, parts: Sequence[str]) -> Reply:
        which = number(parts[1], "Invalid api-key identifier route variable")
        kept = [row for row in self.state["keys"] if row["id"] != which]
        if len(kept) == len(self.state["keys"]):
            return portainer_error(500, "API Key not found", _missing("api_key", which))
        self.state["keys"] = kept
        self._changed()
        return Reply(204, headers=dict(PORTAINER))

    # --- settings ------------------------------------------------------------------------------------------------------

    async def public_settings(self, _request: Request, _parts: Sequence[str]) -> Reply:
        intervals = {"PingInterval": 0, "SnapshotInterval": 0, "CommandInterval": 0}
        return portainer_json(
            {
                "LogoURL": "",
                "AuthenticationMethod": self.state["settings"]["authentication_method"],
                "RequiredPasswordLength": _SHORTEST,
                "GlobalDeploymentOptions": {"hideStacksFunctionality": False},
                "EnableEdgeComputeFeatures": False,
                "Features": {},
                "OAuthLoginURI": "",
                "OAuthLogoutURI": "",
                "EnableTelemetry": False,
                "KubeconfigExpiry": "0",
                "TeamSync": False,
                "IsAMTEnabled": False,
                "Edge": {**intervals, "CheckinInterval": 5},
                "IsDockerDesktopExtension": False,
            }
        )

    async def settings(self, _request: Request, _parts: Sequence[str]) -> Reply:
        method = self.state["settings"]["authentication_method"]
        return portainer_json({"AuthenticationMethod": method, "UserSessionTimeout": "8h"})

    # --- rows ----------------------------------------------------------------------------------------------------------

    @property
    def _users(self) -> dict[str, Row]:
        found: dict[str, Row] = self.state["users"]
        return found

    def _named(self, name: str) -> Row | None:
        return next((u for u in self._users.values() if u["Username"] == name.lower()), None)

    def _add(self, name: str, password: str, role: int) -> Row:
        self.state["last"]["user"] += 1
        user = user_row(self.state["last"]["user"], name.lower(), password, role)
        self._users[str(user["Id"])] = user
        self._changed()
        return user

    def _strong(self, password: str) -> None:
        if len(password) < _SHORTEST:
            raise Stop(portainer_error(400, "Password does not meet the requirements"))


def _shown(user: Row) -> Row:
    return {
        "Id": user["Id"],
        "Username": user["Username"],
        "Role": user["Role"],
        "TokenIssueAt": 0,
        "ThemeSettings": {"color": ""},
        "UseCache": False,
        "PortainerAuthorizations": None,
        "EndpointAuthorizations": None,
    }


def _no_user(who: int) -> Reply:
    message = "Unable to find a user with the specified identifier inside the database"
    return portainer_error(404, message, _missing("users", who))


def _missing(bucket: str, key: int) -> str:
    return f"Object not found inside the database (bucket={bucket}, key={key})"
