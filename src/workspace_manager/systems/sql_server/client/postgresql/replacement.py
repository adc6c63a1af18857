"""Replacement of a PostgreSQL database by another.

Rights and settings belong to a database and not to its name, so they are written to the new one
first. Two renames and the opening are one transaction: a killed process leaves one or the other.
The names show the progress: while `beside` exists, the old content is in its place.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Final

from psycopg.sql import SQL, Composed, Identifier, Literal

from workspace_manager.contract.errors import Conflict, NotFound, Unavailable
from workspace_manager.systems.sql_server.client.postgresql import dialect
from workspace_manager.systems.sql_server.client.postgresql.access import (
    readers_of,
    roles_of,
    users_of,
)
from workspace_manager.systems.sql_server.client.postgresql.connection import Connection
from workspace_manager.systems.sql_server.client.postgresql.session import PostgreSQLSession
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import DATABASE_KIND

TRIES: Final = 5
"""Attempts: a client that was signing in when sessions were ended prevents a rename."""
_SETTINGS: Final = SQL(
    "SELECT coalesce(r.rolname::text, ''), s.setconfig FROM pg_db_role_setting s"
    " JOIN pg_database d ON d.oid = s.setdatabase LEFT JOIN pg_roles r ON r.oid = s.setrole"
    " WHERE d.datname::text = %s ORDER BY 1"
)
_QUOTED_LISTS: Final = frozenset(
    {"search_path", "temp_tablespaces", "session_preload_libraries", "local_preload_libraries"}
)
"""Settings with several names: a single text would be taken for one name."""
_MADE: Final = SQL(
    "SELECT n.nspname::text, c.relname::text, c.relkind::text FROM pg_class c"
    " JOIN pg_roles o ON o.oid = c.relowner JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE o.rolname::text = %s AND c.relkind IN ('r', 'v', 'm', 'p', 'f', 'S')"
    " AND n.nspname !~ '^pg_' UNION ALL"
    " SELECT n.nspname::text, '', '' FROM pg_namespace n JOIN pg_roles o ON o.oid = n.nspowner"
    " WHERE o.rolname::text = %s ORDER BY 1, 2"
)


class Replacement:
    """One replacement: `live` gets the content of `beside`; `old` is the name of the former one
    until it is dropped.
    """

    def __init__(
        self, connection: Connection, session: PostgreSQLSession, live: str, old: str
    ) -> None:
        self._connection = connection
        self._session = session
        self._live, self._old = live, old

    def run(self, beside: str) -> None:
        """Begin the replacement, or continue an interrupted one. Raises NotFound if `live` is
        missing.
        """
        exists = self._session.database_exists
        if exists(beside):
            self._give_content(beside)
            self._give_rights(beside)
            self._rename(beside)
        if exists(self._old):
            self._compare()
            self._session.drop_database(self._old)
        if self._session.accounts(beside):
            self._session.drop_roles(beside)

    def _give_content(self, beside: str) -> None:
        """Inside: set the future owners. Nobody except us can connect."""
        for name, _, _ in self._connection.rows(dialect.RIGHTS_ON, beside):
            self._connection.do(dialect.close_to(beside, str(name)))
        self._connection.do(_close(beside, on=False))
        live, users, readers = self._live, users_of(self._live), readers_of(self._live)
        self._session.join_roles([*roles_of(beside), live])
        with self._connection.to_database(beside) as there:
            for role in filter(self._session.accounts, roles_of(beside)):
                there.do(dialect.reassign(role, live))
                there.do(dialect.drop_owned(role))
            for statement in dialect.furnish_inside(live, users):
                there.do(statement)
            made = [(str(a), str(b), str(c)) for a, b, c in there.rows(_MADE, live, live)]
            for statement in _let_use(made, users):
                there.do(statement)
            if self._session.accounts(readers):
                for statement in dialect.furnish_for_readers(live, readers):
                    there.do(statement)
                for statement in dialect.let_read([(a, b) for a, b, _ in made], readers):
                    there.do(statement)

    def _give_rights(self, beside: str) -> None:
        """Outside, while nobody can connect: both are closed."""
        for name in (beside, self._live):
            self._connection.do(_close(name, on=True))
        for name, privileges, may_hand_on in self._connection.rows(dialect.RIGHTS_ON, self._live):
            self._connection.do(_let(beside, str(name), privileges, bool(may_hand_on)))
        for role, settings in self._connection.rows(_SETTINGS, self._live):
            for setting in settings:
                name, _, value = str(setting).partition("=")
                for statement in _set(beside, str(role), name, value):
                    self._connection.do(statement)

    def _compare(self) -> None:
        """Compare rights and settings of the new database with those of the old one. Raises
        Conflict if something is lost; the old content still exists.
        """
        lost = self._rights(self._old) - self._rights(self._live)
        if lost:
            raise Conflict(
                message("rights_lost", names=", ".join(sorted(lost))),
                kind=DATABASE_KIND,
                doing=self._connection.doing,
                advice=message("rights_lost_advice"),
            )

    def _rights(self, name: str) -> set[str]:
        rights = self._connection.rows(dialect.RIGHTS_ON, name)
        found = {f"{role}: {one}" for role, privileges, _ in rights for one in privileges}
        for role, settings in self._connection.rows(_SETTINGS, name):
            found |= {f"{role}: {str(one).partition('=')[0]}" for one in settings}
        return found

    def _rename(self, beside: str) -> None:
        for attempt in range(TRIES):
            for name in (self._live, beside):
                self._session.end_sessions_in(name)
            try:
                self._connection.do(
                    SQL(
                        "BEGIN; ALTER DATABASE {live} RENAME TO {old};"
                        " ALTER DATABASE {beside} RENAME TO {live};"
                        " ALTER DATABASE {live} ALLOW_CONNECTIONS true; COMMIT"
                    ).format(
                        live=Identifier(self._live),
                        old=Identifier(self._old),
                        beside=Identifier(beside),
                    )
                )
            except Unavailable:
                with contextlib.suppress(NotFound):
                    self._connection.do(SQL("ROLLBACK"))
                if attempt == TRIES - 1:
                    raise
            else:
                return


def let_in(name: str) -> Composed:
    """Return the statement that allows connections."""
    return _close(name, on=False)


def _close(name: str, *, on: bool) -> Composed:
    return SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(
        Identifier(name), SQL("false" if on else "true")
    )


def _let(database: str, role: str, privileges: Sequence[str], may_hand_on: bool) -> Composed:
    said = SQL("GRANT {} ON DATABASE {} TO {}").format(
        SQL(", ").join(SQL(one) for one in privileges if one in _PRIVILEGES),
        Identifier(database),
        Identifier(role) if role else SQL("PUBLIC"),
    )
    return said + SQL(" WITH GRANT OPTION") if may_hand_on else said


_PRIVILEGES: Final = frozenset({"CONNECT", "CREATE", "TEMPORARY"})


def _set(database: str, role: str, name: str, value: str) -> Iterator[Composed]:
    """Yield the statement for a setting of a database, or of a role in it."""
    whose = SQL("DATABASE {}").format(Identifier(database))
    if role:
        whose = SQL("ROLE {} IN ").format(Identifier(role)) + whose
    which = SQL(".").join(Identifier(part) for part in name.split("."))
    if name not in _QUOTED_LISTS:
        yield SQL("ALTER {} SET {} TO {}").format(whose, which, Literal(value))
        return
    yield SQL("SELECT set_config({}, {}, false)").format(Literal(name), Literal(value))
    yield SQL("ALTER {} SET {} FROM CURRENT").format(whose, which)
    yield SQL("SELECT set_config('search_path', 'pg_catalog,pg_temp', false)").format()


def _let_use(made: Sequence[tuple[str, str, str]], users: str) -> Iterator[Composed]:
    """Yield the statements that let users use what members have made; default privileges cover what
    they make in future.
    """
    to_users = SQL(" TO {}").format(Identifier(users))
    kinds = (
        ("USAGE ON SCHEMA", [Identifier(schema) for schema, name, _ in made if not name]),
        (
            "SELECT, INSERT, UPDATE, DELETE ON TABLE",
            [Identifier(schema, name) for schema, name, kind in made if name and kind != "S"],
        ),
        (
            "USAGE, SELECT ON SEQUENCE",
            [Identifier(schema, name) for schema, name, kind in made if kind == "S"],
        ),
    )
    for said, things in kinds:
        if things:
            yield SQL("GRANT {} {}").format(SQL(said), SQL(", ").join(things)) + to_users
