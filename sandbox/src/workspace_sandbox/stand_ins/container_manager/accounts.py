"""Portainer's own routes: signing in, users, access tokens."""

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

from workspace_sandbox.stand_ins.container_manager.gate import (
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
    Reply,
    portainer_error,
    portainer_json,
)

VERSION = "2.23.0"
INTERNAL, OAUTH = 1, 3
_ROLES = {1, 2}
_SHORTEST = 12
AT_ONCE, SHUT_OUT_S = 10, 3600
"""Sign-ins, right or wrong: so many at once and one more each second; whoever asks for more is shut
out for so long.
"""


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

    # --- signing in -------------------------------------------------------------------------------

    async def sign_in(self, request: Request, _parts: Sequence[str]) -> Reply:
        if self._too_often():
            return portainer_error(403, "Access denied", "Access denied to resource")
        given = Payload(request.body, "auth.authenticatePayload")
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

    def _too_often(self) -> bool:
        """Count one more sign-in. Return whether it is too many."""
        fresh = {"left": float(AT_ONCE), "since": 0.0, "until": 0.0}
        limit, now = self.state.setdefault("sign_ins", fresh), time.time()
        if now < limit["until"]:
            return True
        limit["left"] = min(AT_ONCE, limit["left"] + now - limit["since"])
        limit["since"] = now
        if limit["left"] < 1:
            limit["until"] = now + SHUT_OUT_S
            return True
        limit["left"] -= 1
        return False

    # --- users ------------------------------------------------------------------------------------

    async def me(self, request: Request, _parts: Sequence[str]) -> Reply:
        assert request.user is not None
        reply = portainer_json({**_shown(request.user), "forceChangePassword": False})
        cookie = request.cookies.get(COOKIE)
        if cookie:
            reply.headers["X-Csrf-Token"] = self._gate.csrf(cookie)
        return reply

    async def create_user(self, request: Request, _parts: Sequence[str]) -> Reply:
        given = Payload(request.body, "users.userCreatePayload")
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

    # --- access tokens ----------------------------------------------------------------------------

    async def create_key(self, request: Request, parts: Sequence[str]) -> Reply:
        who = number(parts[0], "Invalid user identifier route variable")
        assert request.user is not None
        if request.by_key:
            return portainer_error(401, "Auth not supported", "Authentication required")
        given = Payload(request.body, "users.userAccessTokenCreatePayload")
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

    # --- settings ---------------------------------------------------------------------------------

    # --- rows -------------------------------------------------------------------------------------

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
