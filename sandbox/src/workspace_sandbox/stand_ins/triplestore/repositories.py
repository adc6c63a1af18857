"""OpenGDB's repositories: rows in its database, data in RDF4J, and the calls in which the
two part.
"""

import contextlib
import json
from typing import Any

from workspace_sandbox.stand_ins.triplestore import accounts
from workspace_sandbox.stand_ins.triplestore.accounts import Broken
from workspace_sandbox.stand_ins.triplestore.database import Database, User, decoded
from workspace_sandbox.stand_ins.triplestore.rdf4j import Down, create_call, plain_call
from workspace_sandbox.stand_ins.triplestore.wire import (
    Call,
    Reply,
    detail,
    empty,
    json_reply,
    text,
)

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


class Repositories:
    """Answer the calls under /rest/repositories, none of which asks for credentials, and decide who
    may reach the data.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    @property
    def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._db.state["repositories"]
        return found

    async def repositories(self, call: Call, _user: User) -> Reply:
        """The list and the creation; neither asks for credentials."""
        if call.method == "POST":
            return await self._create_repository(call)
        listed = [{field: row[field] for field in FIELDS} for row in self.rows]
        return json_reply(listed, content_type="application/json; charset=utf8")

    async def _create_repository(self, call: Call) -> Reply:
        """Create in RDF4J, then write the row. Failing there deletes what RDF4J has under the id:
        the existing data.
        """
        try:
            settings = decoded(call)
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
            raise Broken
        doubled = any(other["codename"] == slug for other in self.rows)
        self.rows.append(row)
        self._db.changed()
        if doubled:
            said = (
                "UNIQUE constraint failed: auth_permission.content_type_id, "
                "auth_permission.codename"
            )
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
        if accept == "application/json":
            raise Broken
        return empty(404)

    async def _delete_repository(self, row: dict[str, Any]) -> Reply:
        """Delete the row whatever RDF4J says: 200 even when it is down, and the data
        stays behind.
        """
        with contextlib.suppress(Down):
            await self._db.storage.send(plain_call("DELETE", row["id"]))
        self.rows.remove(row)
        gone = {f"{verb}_REPO_{row['codename']}" for verb in ("READ", "WRITE")}
        for account in self._db.state["users"].values():
            account["rights"] = [right for right in account["rights"] if right not in gone]
        self._db.changed()
        return empty(200)

    def _put_repository(self, call: Call, row: dict[str, Any]) -> Reply:
        """Change the row alone: a new id leaves RDF4J's repository behind under the old one."""
        try:
            settings = decoded(call)
        except json.JSONDecodeError as wrong:
            return _error(wrong, status=400)
        if not isinstance(settings, (dict, list, str)):
            raise Broken
        for field in FIELDS:
            if field in settings:
                if not isinstance(settings, dict):
                    raise Broken
                value = settings[field]
                row[field] = _flag(value) if field.startswith("public") else str(value)
        self._db.changed()
        return empty(204)

    # --- data -------------------------------------------------------------------------------------

    async def data(self, call: Call, user: User, slug: str, verb: str) -> Reply:
        """Let a call through to RDF4J when the caller holds the right, or the repository is public;
        else an empty 404.
        """
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
