"""OpenGDB's accounts as its interface shows and changes them.

Defects are kept, since they are what a connector must survive.
"""

import json
import secrets
from typing import Any
from urllib.parse import quote

from workspace_sandbox.stand_ins.triplestore import accounts
from workspace_sandbox.stand_ins.triplestore.accounts import UnknownAuthority, UnknownKey
from workspace_sandbox.stand_ins.triplestore.database import Database, User, decoded
from workspace_sandbox.stand_ins.triplestore.wire import (
    Call,
    Reply,
    detail,
    empty,
    json_reply,
    text,
)

NO_USER = "No User matches the given query."


class Users:
    """Answer the calls under /rest/security/users and /api-token-auth/."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @property
    def _all(self) -> dict[str, Any]:
        found: dict[str, Any] = self._db.state["users"]
        return found

    async def token(self, call: Call) -> Reply:
        """POST /api-token-auth/: a form only; the name loses its edge blanks, the password does
        not.
        """
        form = call.form()
        name, password = form.get("username", "").strip(), form.get("password", "")
        wrong = {
            field: ["This field may not be blank." if field in form else "This field is required."]
            for field, value in (("username", name), ("password", password))
            if not value
        }
        if wrong:
            return Reply(400, _compact(wrong), "application/json")
        account = self._all.get(name)
        if account is None or not accounts.matches(account["password"], password):
            said = {"non_field_errors": ["Unable to log in with provided credentials."]}
            return Reply(400, _compact(said), "application/json")
        if account["token"] is None:
            account["token"] = secrets.token_hex(20)
            self._db.changed()
        return Reply(200, _compact({"token": account["token"]}), "application/json")

    async def users(self, call: Call, user: User) -> Reply:
        refused = _only_superusers(call, user)
        found = [accounts.render_account(name, account) for name, account in self._all.items()]
        return refused or json_reply({str(n): one for n, one in enumerate(found)})

    async def user(self, call: Call, user: User, name: str) -> Reply:
        refused = _only_superusers(call, user)
        if refused:
            return refused
        if call.method == "POST":
            return self._create_user(call, name)
        if call.method == "PUT":
            return self._put_user(call, name)
        if name not in self._all:
            return detail(NO_USER, status=404)
        if call.method == "DELETE":
            del self._all[name]
            self._db.changed()
            return empty(204)
        return json_reply(accounts.render_account(name, self._all[name]))

    def _create_user(self, call: Call, name: str) -> Reply:
        try:
            settings = decoded(call)
        except json.JSONDecodeError as wrong:
            return text(str(wrong), status=500)
        if name in self._all:
            return text("An account with the given username already exists.", status=400)
        self._all[name] = accounts.new_account()
        self._db.changed()
        return self._apply(self._all[name], settings, done=empty(201))

    def _put_user(self, call: Call, name: str) -> Reply:
        try:
            settings = decoded(call)
        except json.JSONDecodeError as wrong:
            return text(str(wrong), status=500)
        if name not in self._all:
            return detail(NO_USER, status=404)
        return self._apply(self._all[name], settings, done=empty(200))

    def _apply(self, account: dict[str, Any], settings: Any, *, done: Reply) -> Reply:
        known = [
            f"{verb}_REPO_{row['codename']}"
            for row in self._db.state["repositories"]
            for verb in ("READ", "WRITE")
        ]
        try:
            accounts.apply_settings(account, settings, known, self._db.changed)
        except UnknownKey as wrong:
            return json_reply({"message": str(wrong)}, status=400)
        except UnknownAuthority as wrong:
            return json_reply({"message": str(wrong)}, status=500)
        return done


def _only_superusers(call: Call, user: User) -> Reply | None:
    """Redirect everybody else to the login page: the permission that is asked for exists nowhere
    but for superusers.
    """
    if user is not None and user[1]["superuser"]:
        return None
    target = quote(quote("/" + call.path), safe="/")
    reply = empty(302)
    reply.headers["Location"] = f"/admin?next={target}"
    return reply


def _compact(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()
