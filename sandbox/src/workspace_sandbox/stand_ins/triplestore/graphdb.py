"""GraphDB as far as the manager speaks to it: sign-in, accounts, repositories, and its 401, 403 and
empty 404.

There are no graph views, no clusters, no rights by pattern but `*`.
"""

import base64
import binascii
import json
import re
from typing import Any

from workspace_sandbox.stand_ins.triplestore import accounts
from workspace_sandbox.stand_ins.triplestore.database import Database
from workspace_sandbox.stand_ins.triplestore.rdf4j import Down, create_call, plain_call
from workspace_sandbox.stand_ins.triplestore.repositories import TEMPLATE
from workspace_sandbox.stand_ins.triplestore.wire import Call, Reply, json_reply, plain, text

ROLES = ("ROLE_USER", "ROLE_MONITORING", "ROLE_REPO_MANAGER", "ROLE_CLUSTER", "ROLE_ADMIN")
UNKNOWN_AUTHORITY = (
    "Unknown authority. One of READ_REPO_xxx, WRITE_REPO_xxx, ROLE_USER, "
    "ROLE_MONITORING, ROLE_REPO_MANAGER, ROLE_CLUSTER, "
    "ROLE_ADMIN is required."
)
USER = re.compile(r"rest/security/users/([^/]+)")
REPOSITORY = re.compile(r"rest/repositories/([^/]+)")
DATA = re.compile(r"repositories/([^/]+)(/.*)?", re.DOTALL)
UNAUTHORIZED = "Unauthorized (HTTP status 401)\n"
FORBIDDEN = "Forbidden (HTTP status 403)\n"


class GraphDb:
    """Answer GraphDB's calls over the same state: names, rights and repositories are kept alike."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def answer(self, call: Call) -> Reply:
        if call.path == "rest/security" and call.method == "GET":
            return text("true", content_type="application/json")
        name = self._who(call)
        if name is None:
            return text(UNAUTHORIZED, status=401, content_type="text/plain;charset=UTF-8")
        try:
            return await self._routed(call, name)
        except Down:
            return text("", status=500)

    async def _routed(self, call: Call, name: str) -> Reply:
        user, repository, data = (
            pattern.fullmatch(call.path) for pattern in (USER, REPOSITORY, DATA)
        )
        if call.path == "rest/security/users" and call.method == "GET":
            return self._only_admins(name) or json_reply([self._shown(one) for one in self._users])
        if user:
            return self._user(call, name, user[1])
        if call.path == "rest/repositories":
            return await self._repositories(call, name)
        if repository:
            return await self._repository(call, name, repository[1])
        if call.path == "repositories":
            return await self._db.storage.send(call)
        if data:
            return await self._data(call, name, data[1], data[2] or "")
        return text("", status=404)

    # --- who --------------------------------------------------------------------------------------

    @property
    def _users(self) -> dict[str, Any]:
        found: dict[str, Any] = self._db.state["users"]
        return found

    def _who(self, call: Call) -> str | None:
        _, _, value = call.headers.get("Authorization", "").partition(" ")
        try:
            name, _, password = base64.b64decode(value, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return None
        account = self._users.get(name)
        return name if account and accounts.matches(account["password"], password) else None

    def _is_admin(self, name: str) -> bool:
        return bool(self._users[name]["superuser"]) or self._users[name]["role"] == "ROLE_ADMIN"

    def _only_admins(self, name: str) -> Reply | None:
        if self._is_admin(name):
            return None
        return text(FORBIDDEN, status=403, content_type="text/plain;charset=UTF-8")

    def _shown(self, name: str) -> dict[str, Any]:
        account = self._users[name]
        role = "ROLE_ADMIN" if account["superuser"] else account["role"]
        found = accounts.render_account(name, account)
        # Rights are shown for every role, and times are milliseconds.
        return found | {
            "grantedAuthorities": [role, *account["rights"]],
            "dateCreated": account["dateCreated"] * 1000,
        }

    # --- accounts ---------------------------------------------------------------------------------

    def _user(self, call: Call, caller: str, name: str) -> Reply:
        own_read = call.method == "GET" and caller == name
        refused = None if own_read else self._only_admins(caller)
        if refused:
            return refused
        if call.method == "POST" and name in self._users:
            return text("An account with the given username already exists.", status=400)
        if call.method != "POST" and name not in self._users:
            return text("", status=404)
        if call.method == "GET":
            return json_reply(self._shown(name))
        if call.method == "DELETE":
            if self._users[name]["superuser"]:
                said = {"message": "Deleting the default admin user is not allowed!"}
                return json_reply(said, status=500)
            del self._users[name]
            self._db.changed()
            return text("", status=204)
        return self._write_user(call, name)

    def _write_user(self, call: Call, name: str) -> Reply:
        """Create or replace: PUT replaces the rights, unknown members are ignored, the last role
        wins.
        """
        try:
            body = json.loads(call.body)
            authorities = [str(one) for one in body.get("grantedAuthorities", [])]
        except (ValueError, AttributeError, TypeError):
            return text("", status=500)
        if any(
            one not in ROLES and not one.startswith(("READ_REPO_", "WRITE_REPO_", "CUSTOM_"))
            for one in authorities
        ):
            return json_reply({"message": UNKNOWN_AUTHORITY}, status=500)
        account = self._users.get(name) or accounts.new_account()
        if isinstance(body.get("password"), str) and body["password"]:
            account["password"] = accounts.hashed(body["password"])
        account["role"] = ([one for one in authorities if one in ROLES] or ["ROLE_USER"])[-1]
        account["rights"] = [one for one in authorities if one not in ROLES]
        self._users[name] = account
        self._db.changed()
        return text("", status=201 if call.method == "POST" else 200)

    # --- repositories -----------------------------------------------------------------------------

    async def _repositories(self, call: Call, name: str) -> Reply:
        rows: list[dict[str, Any]] = self._db.state["repositories"]
        if call.method == "GET":
            return json_reply([self._row(row) for row in rows])
        refused = self._only_admins(name)
        if refused:
            return refused
        try:
            body = json.loads(call.body)
            repository_id = str(body["id"])
        except (ValueError, KeyError, TypeError):
            return text("", status=400)
        title = str(body.get("title", ""))
        made = await self._db.storage.send(
            create_call(repository_id, TEMPLATE.format(id=repository_id, title=title))
        )
        if made.status != 204:
            return plain(f"Repository {repository_id} already exists.", status=400)
        row = {"id": repository_id, "title": title, "publicRead": False, "publicWrite": False}
        rows.append(row | {"codename": repository_id})
        self._db.changed()
        return text("", status=201)

    async def _repository(self, call: Call, name: str, repository_id: str) -> Reply:
        rows: list[dict[str, Any]] = self._db.state["repositories"]
        row = next((one for one in rows if one["id"] == repository_id), None)
        refused = self._only_admins(name)
        if refused:
            return refused
        if call.method == "DELETE":
            if row:
                await self._db.storage.send(plain_call("DELETE", repository_id))
                rows.remove(row)
                self._db.changed()
            return text("", status=200)
        if row is None:
            return text("", status=404)
        if call.method == "PUT":
            row["title"] = str(json.loads(call.body).get("title", row["title"]))
            self._db.changed()
            return text("", status=200)
        return json_reply(self._row(row) | {"params": {}})

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": row["id"],
            "title": row["title"],
            "type": "graphdb",
            "local": True,
            "state": "INACTIVE",
        }

    async def _data(self, call: Call, name: str, repository_id: str, rest: str) -> Reply:
        """Read with READ_REPO, write with WRITE_REPO; `*` opens every repository here."""
        writes = bool(rest) and call.method != "GET"
        verb = "WRITE" if writes else "READ"
        account = self._users[name]
        if not any(accounts.may(account, f"{verb}_REPO_{one}") for one in (repository_id, "*")):
            return text(FORBIDDEN, status=403, content_type="text/plain;charset=UTF-8")
        return await self._db.storage.send(call)
