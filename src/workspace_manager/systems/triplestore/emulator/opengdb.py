"""OpenGDB's own layer: accounts and repositories in its database, and the rules before anything reaches RDF4J.

Defects are kept, since they are what a connector must survive: see the facts (triplestore 0 and 2.1) for each.
"""

import contextlib
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Protocol
from urllib.parse import quote

from workspace_manager.systems.triplestore.emulator import accounts
from workspace_manager.systems.triplestore.emulator.accounts import (
    Broken,
    UnknownAuthority,
    UnknownKey,
)
from workspace_manager.systems.triplestore.emulator.rdf4j import (
    Down,
    Storage,
    create_call,
    plain_call,
)
from workspace_manager.systems.triplestore.emulator.wire import (
    Call,
    Reply,
    detail,
    empty,
    json_reply,
    server_error,
    text,
)

User = tuple[str, dict[str, Any]] | None
View = Callable[[Call, User], Awaitable[Reply]]

NO_USER = "No User matches the given query."
NO_REPOSITORY = "No Repository matches the given query."
FIELDS = ("id", "title", "publicRead", "publicWrite")
TEMPLATE = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#>.
@prefix config: <tag:rdf4j.org,2023:config/>.
[] a config:Repository ;
config:rep.id "{id}" ;
rdfs:label "{title}" ;
config:rep.impl [
    config:rep.type "openrdf:SailRepository" ;
    config:sail.impl [
        config:sail.type "openrdf:NativeStore" ;
        config:native.tripleIndexes "spoc,posc,cosp"
    ]
]."""


class Database(Protocol):
    """What the layers share: the stand-in's state and how to keep it."""

    state: dict[str, Any]

    @property
    def storage(self) -> Storage: ...

    def changed(self) -> None: ...


class OpenGdb:
    """Answer the calls under /rest and /api-token-auth/, and decide who may reach the data."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @property
    def users(self) -> dict[str, Any]:
        found: dict[str, Any] = self._db.state["users"]
        return found

    @property
    def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._db.state["repositories"]
        return found

    # --- accounts --------------------------------------------------------------------------------------------------------

    async def token(self, call: Call) -> Reply:
        """POST /api-token-auth/: a form only; the name loses its edge blanks, the password does not."""
        form = call.form()
        name, password = form.get("username", "").strip(), form.get("password", "")
        wrong = {
            field: ["This field may not be blank." if field in form else "This field is required."]
            for field, value in (("username", name), ("password", password))
            if not value
        }
        if wrong:
            return Reply(400, _compact(wrong), "application/json")
        account = self.users.get(name)
        if account is None or not accounts.matches(account["password"], password):
            said = {"non_field_errors": ["Unable to log in with provided credentials."]}
            return Reply(400, _compact(said), "application/json")
        if account["token"] is None:
            account["token"] = secrets.token_hex(20)
            self._db.changed()
        return Reply(200, _compact({"token": account["token"]}), "application/json")

    async def list_users(self, call: Call, user: User) -> Reply:
        refused = _only_superusers(call, user)
        found = [accounts.shown(name, account) for name, account in self.users.items()]
        return refused or json_reply({str(n): one for n, one in enumerate(found)})

    async def user(self, call: Call, user: User, name: str) -> Reply:
        if call.method == "PATCH":
            return self._patch_user(call, user, name)
        refused = _only_superusers(call, user)
        if refused:
            return refused
        if call.method == "POST":
            return self._create_user(call, name)
        if call.method == "PUT":
            return self._put_user(call, name)
        if name not in self.users:
            return detail(NO_USER, status=404)
        if call.method == "DELETE":
            del self.users[name]
            self._db.changed()
            return empty(204)
        return json_reply(accounts.shown(name, self.users[name]))

    def _create_user(self, call: Call, name: str) -> Reply:
        try:
            settings = _decoded(call)
        except json.JSONDecodeError as wrong:
            return text(str(wrong), status=500)
        if name in self.users:
            return text("An account with the given username already exists.", status=400)
        self.users[name] = accounts.new_account()
        self._db.changed()
        return self._apply(self.users[name], settings, done=empty(201))

    def _put_user(self, call: Call, name: str) -> Reply:
        try:
            settings = _decoded(call)
        except json.JSONDecodeError as wrong:
            return text(str(wrong), status=500)
        if name not in self.users:
            return detail(NO_USER, status=404)
        return self._apply(self.users[name], settings, done=empty(200))

    def _apply(self, account: dict[str, Any], settings: Any, *, done: Reply) -> Reply:
        known = [
            f"{verb}_REPO_{row['codename']}" for row in self.rows for verb in ("READ", "WRITE")
        ]
        try:
            accounts.apply_settings(account, settings, known, self._db.changed)
        except UnknownKey as wrong:
            return json_reply({"message": str(wrong)}, status=400)
        except UnknownAuthority as wrong:
            return json_reply({"message": str(wrong)}, status=500)
        return done

    def _patch_user(self, call: Call, user: User, name: str) -> Reply:
        """PATCH asks for no right: anybody may change an account with ROLE_ADMIN, any other account only itself."""
        account = self.users.get(name)
        if account is None:
            return detail(NO_USER, status=404)
        if account["role"] != "ROLE_ADMIN" and (user is None or user[0] != name):
            return empty(404)
        try:
            accounts.apply_app_settings(account, _decoded(call))
        except json.JSONDecodeError as wrong:
            return text(str(wrong), status=500)
        except UnknownKey as wrong:
            return json_reply({"message": str(wrong)}, status=400)
        self._db.changed()
        return empty(200)

    # --- repositories ----------------------------------------------------------------------------------------------------

    async def repositories(self, call: Call, _user: User) -> Reply:
        """The list and the creation; neither asks for credentials."""
        if call.method == "POST":
            return await self._create_repository(call)
        listed = [{field: row[field] for field in FIELDS} for row in self.rows]
        return json_reply(listed, content_type="application/json; charset=utf8")

    async def _create_repository(self, call: Call) -> Reply:
        """Create in RDF4J, then write the row. Failing there deletes what RDF4J has under the id: the existing data."""
        try:
            settings = _decoded(call)
        except json.JSONDecodeError as wrong:
            return _error(wrong, status=500)
        if not isinstance(settings, dict):
            raise Broken
        if not settings.get("id"):
            return _error("NOT NULL constraint failed: rdf4j_repository.slug", status=400)
        row = {field: settings.get(field) or "" for field in FIELDS}
        for flag in ("publicRead", "publicWrite"):
            row[flag] = _flag(settings.get(flag, False))
        slug = row["id"] = row["codename"] = str(row["id"])
        made = await self._db.storage.send(
            create_call(slug, TEMPLATE.format(id=slug, title=row["title"]))
        )
        if made.status != 204:
            await self._db.storage.send(plain_call("DELETE", slug))
            return server_error()
        doubled = any(other["codename"] == slug for other in self.rows)
        self.rows.append(row)
        self._db.changed()
        if doubled:
            said = "UNIQUE constraint failed: auth_permission.content_type_id, auth_permission.codename"
            return _error(said, status=400)
        return empty(200)

    async def repository(self, call: Call, _user: User, slug: str) -> Reply:
        row = self._row(slug)
        if row is None:
            return detail(NO_REPOSITORY, status=404)
        if call.method == "DELETE":
            return await self._delete_repository(row)
        if call.method == "PUT":
            return self._put_repository(call, row)
        accept = call.headers.get("Accept")
        if accept == "text/turtle":
            turtle = TEMPLATE.format(id=row["id"], title=row["title"])
            return text(turtle, content_type="text/turtle")
        # Reading it as JSON breaks, reading it as anything else says that it is not there.
        return server_error() if accept == "application/json" else empty(404)

    async def _delete_repository(self, row: dict[str, Any]) -> Reply:
        """Delete the row whatever RDF4J says: 200 even when it is down, and the data stays behind."""
        with contextlib.suppress(Down):
            await self._db.storage.send(plain_call("DELETE", row["id"]))
        self.rows.remove(row)
        gone = {f"{verb}_REPO_{row['codename']}" for verb in ("READ", "WRITE")}
        for account in self.users.values():
            account["rights"] = [right for right in account["rights"] if right not in gone]
        self._db.changed()
        return empty(200)

    def _put_repository(self, call: Call, row: dict[str, Any]) -> Reply:
        """Change the row alone: a new id leaves RDF4J's repository behind under the old one."""
        try:
            settings = _decoded(call)
        except json.JSONDecodeError as wrong:
            return _error(wrong, status=400)
        if not isinstance(settings, dict):
            raise Broken
        for field in FIELDS:
            if field in settings:
                value = settings[field]
                row[field] = _flag(value) if field.startswith("public") else str(value)
        self._db.changed()
        return empty(204)

    async def size(self, _call: Call, _user: User, slug: str) -> Reply:
        if self._row(slug) is None:
            return detail(NO_REPOSITORY, status=404)
        found = await self._db.storage.send(plain_call("GET", slug, "/size"))
        return text(found.body.decode()) if found.status == 200 else server_error()

    async def restart(self, call: Call, _user: User, slug: str) -> Reply:
        return text(f"Method: {call.method} on /{call.path}, ")

    # --- data ------------------------------------------------------------------------------------------------------------

    async def data(self, call: Call, user: User, slug: str, verb: str) -> Reply:
        """Let a call through to RDF4J when the caller holds the right, or the repository is public; else an empty 404."""
        if verb:
            row = self._row(slug)
            if row is None:
                return detail(NO_REPOSITORY, status=404)
            public = row["publicRead" if verb == "READ" else "publicWrite"]
            if not public and not accounts.may(user[1] if user else None, f"{verb}_REPO_{slug}"):
                return empty(404)
        reply = await self._db.storage.send(call.forwarded())
        reply.content_type = reply.content_type or "text/html; charset=utf-8"
        return reply

    def _row(self, slug: str) -> dict[str, Any] | None:
        """Raises Broken for an id with two rows: no call on it works any more."""
        found = [row for row in self.rows if row["id"] == slug]
        if len(found) > 1:
            raise Broken
        return found[0] if found else None


def _only_superusers(call: Call, user: User) -> Reply | None:
    """Redirect everybody else to the login page: the permission that is asked for exists nowhere but for superusers."""
    if user is not None and user[1]["superuser"]:
        return None
    target = quote(quote("/" + call.path), safe="/")
    reply = empty(302)
    reply.headers["Location"] = f"/admin?next={target}"
    return reply


def _decoded(call: Call) -> Any:
    try:
        return json.loads(call.body.decode("utf-8"))
    except UnicodeDecodeError as wrong:
        raise Broken from wrong


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Broken
    return value


def _error(wrong: Exception | str, *, status: int) -> Reply:
    """Answer as the error view does, with a Python traceback in it."""
    cls = "IntegrityError" if isinstance(wrong, str) else type(wrong).__name__
    kind = f"django.db.utils.{cls}" if isinstance(wrong, str) else f"json.decoder.{cls}"
    trace = f"Traceback (most recent call last):\n  [cut]\n{kind}: {wrong}\n"
    return json_reply({"error": {"message": str(wrong), "cls": cls, "trace": trace}}, status=status)


def _compact(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()
