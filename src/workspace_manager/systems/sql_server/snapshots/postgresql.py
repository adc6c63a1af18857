"""Snapshots of PostgreSQL databases, with `pg_dump` and `pg_restore`.

One part is an archive in the custom format, `database.dump`; `extensions.json` names its extensions
that only an administrator can make. `psql` loads a file of statements, `database.sql`. Accounts of
their own read and load it: see docs/systems/sql-server.md#snapshots.
"""

import json
import re
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.snapshots import (
    SnapshotFacts,
    SnapshotReader,
    SnapshotWriter,
    TableFacts,
)
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.client import PostgreSQLSession
from workspace_manager.systems.sql_server.client.login import (
    Login,
    path_of,
    postgresql_environment,
    postgresql_file,
    private_file,
)
from workspace_manager.systems.sql_server.client.postgresql import content, dialect
from workspace_manager.systems.sql_server.client.postgresql.connection import Connection
from workspace_manager.systems.sql_server.client.postgresql.replacement import Replacement, let_in
from workspace_manager.systems.sql_server.client.tools import (
    PG_DUMP,
    PG_RESTORE,
    PSQL,
    Run,
    ToolFailed,
)
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import DATABASE_KIND
from workspace_manager.systems.sql_server.settings import Settings
from workspace_manager.systems.sql_server.snapshots.account import (
    LOADING,
    READING,
    SnapshotAccounts,
)
from workspace_manager.systems.sql_server.snapshots.failures import Failure, Words, find_tool
from workspace_manager.systems.sql_server.snapshots.postgresql_archive import (
    choose_entries,
    restrict,
)

PART: Final = "database.dump"
STATEMENTS: Final = "database.sql"
EXTENSIONS: Final = "extensions.json"
LONG: Final = CallPolicy(answer_s=86_400)
"""A count of a large table may take that long."""
_ONLY_CONTENT: Final = (
    *("--no-owner", "--no-privileges", "--no-publications", "--no-subscriptions"),
    *("--no-security-labels", "--no-tablespaces"),
)
_PASSING: Final = re.compile(
    r"could not connect|connection to server .* failed: (?!FATAL)|server closed the connection|"
    r"terminating connection|no connection to the server|canceling statement due to lock timeout|"
    r"too many clients|the database system is|could not receive data|SSL SYSCALL|"
    r"connection not open"
)
_WORDS: Final = Words(
    code=re.compile(r"(?:ERROR|FATAL):  ([0-9A-Z]{5})\b"),
    line=re.compile(r"<stdin>:(\d+):"),
    refused=frozenset({"28P01", "28000"}),
    refused_words=re.compile("password authentication failed|no pg_hba.conf entry|SSL error"),
    passing=lambda code, said: code[:2] in {"08", "53", "57", "40"} or bool(_PASSING.search(said)),
)


class PostgreSQLSnapshots:
    """Snapshots of PostgreSQL databases, by name."""

    def __init__(self, accounts: SnapshotAccounts, settings: Settings) -> None:
        self._accounts = accounts
        self._settings = settings

    def capture(self, name: str, writer: SnapshotWriter) -> SnapshotFacts:
        """Write a snapshot. The account is removed before the thread is waited for, which also ends
        its counting.
        """
        doing = message("capturing")
        with (
            ThreadPoolExecutor(1) as beside,
            self._accounts.make(name, READING, use="", doing=doing) as login,
        ):
            self._let_read(login, doing)
            with (
                self._connection(login, doing) as reading,
                private_file(postgresql_file(login)) as file,
            ):
                for statement in content.CONSISTENT:
                    reading.do(statement)
                command = [
                    find_tool(PG_DUMP, doing),
                    "--format=custom",
                    "--compress=0",
                    "--no-password",
                ]
                command += ["--lock-wait-timeout=60s", *_ONLY_CONTENT]
                # The counts are as of the dump's moment.
                command.append(f"--snapshot={content.export_snapshot(reading)}")
                extensions = content.read_extensions(reading)
                with Run(command, [file], _environment(login, file)) as run:
                    part = writer.open_part(PART)
                    counted = beside.submit(self._count, reading)
                    self._copy(run, part.write, doing)
                    part.close()
                part = writer.open_part(EXTENSIONS)
                part.write(json.dumps(extensions).encode())
                part.close()
                return counted.result()

    def restore(self, name: str, reader: SnapshotReader) -> None:
        doing = message("restoring")
        if self._accounts.exists(name, LOADING, doing=doing):
            # An earlier attempt was killed: nobody else has seen its content.
            self.empty(name, doing)
        with self._administrator(name, doing) as admin:
            if not content.is_empty(admin):
                raise Conflict(
                    message("not_empty", name=name),
                    kind=DATABASE_KIND,
                    doing=doing,
                    advice=message("restore_into_fresh"),
                )
        with self._accounts.make(name, LOADING, use="", doing=doing) as login:
            try:
                self._load(login, reader, doing)
            except BaseException:
                # Before the account is removed: while it exists, a leftover is known to be ours.
                self.empty(name, doing)
                raise

    def facts(self, name: str) -> SnapshotFacts:
        doing = message("counting")
        with self._accounts.make(name, READING, use="", doing=doing) as login:
            self._let_read(login, doing)
            with self._connection(login, doing) as reading:
                for statement in content.CONSISTENT:
                    reading.do(statement)
                return self._count(reading)

    def switch(self, name: str, beside: str) -> None:
        doing = message("switching")
        with Connection(self._settings, LONG, kind=DATABASE_KIND, doing=doing) as connection:
            session = PostgreSQLSession(connection)
            if not any(map(session.database_exists, (name, beside))):
                raise NotFound(
                    message("switch_not_possible", name=name),
                    kind=DATABASE_KIND,
                    doing=doing,
                    advice=message("switch_needs_both"),
                )
            Replacement(connection, session, name, names.set_aside(name, "old")).run(beside)

    def is_begun(self, name: str, doing: Message) -> bool:
        """Return whether an interrupted replacement has to be finished."""
        with self._accounts.session(doing) as session:
            return session.database_exists(names.set_aside(name, "old"))

    def reopen(self, name: str, doing: Message) -> None:
        """Allow connections again, after an interrupted replacement."""
        with Connection(self._settings, LONG, kind=DATABASE_KIND, doing=doing) as connection:
            if PostgreSQLSession(connection).database_exists(name):
                connection.do(let_in(name))

    def empty(self, name: str, doing: Message) -> None:
        """Delete the content; the users stay."""
        with self._accounts.session(doing) as session:
            assert isinstance(session, PostgreSQLSession)
            session.empty_database(name)

    # --- capture ----------------------------------------------------------------------------------

    def _let_read(self, login: Login, doing: Message) -> None:
        """Let the account read everything, even what belongs to a single member of the database."""
        with self._administrator(login.database, doing) as admin:
            admin.do(dialect.act_as_oneself(login.database, login.user))
            if content.has_of_others(admin, login.database):
                admin.do(content.read_everything(login.user))

    def _copy(self, run: Run, write: Callable[[bytes], object], doing: Message) -> None:
        try:
            for piece in run.output():
                write(piece)
        except ToolFailed as failed:
            raise Failure(PG_DUMP.names[0], failed, _WORDS, doing).of_reading() from None

    def _count(self, reading: Connection) -> SnapshotFacts:
        counted = []
        for schema, table in content.read_tables(reading):
            rows, checksum = content.count_rows(reading, schema, table)
            counted.append(TableFacts(name=f"{schema}.{table}", rows=rows, checksum=checksum))
        rows, checksum = content.count_large_objects(reading)
        if rows:
            counted.append(TableFacts(name=content.LARGE_OBJECTS, rows=rows, checksum=checksum))
        return SnapshotFacts(tables=tuple(counted), consistent=True)

    # --- restore ----------------------------------------------------------------------------------

    def _load(self, login: Login, reader: SnapshotReader, doing: Message) -> None:
        with private_file(postgresql_file(login)) as file:
            environment = _environment(login, file)
            try:
                entries_text = choose_entries(self._list(reader, doing))
            except KeyError:
                self._load_statements(login, reader, file, doing)
                return
            self._make_extensions(login, reader, doing)
            with private_file(entries_text) as entries:
                command = [
                    find_tool(PG_RESTORE, doing),
                    "--exit-on-error",
                    "--no-password",
                    *_ONLY_CONTENT,
                ]
                command += [f"--use-list={path_of(entries)}", f"--role={login.database}"]
                command += [f"--dbname={login.database}"]
                with Run(command, [file, entries], environment, feeds=True) as run:
                    try:
                        run.feed(reader.read_part(PART))
                    except ToolFailed as failed:
                        failure = Failure(PG_RESTORE.names[0], failed, _WORDS, doing)
                        raise failure.of_loading() from None

    def _load_statements(
        self, login: Login, reader: SnapshotReader, file: int, doing: Message
    ) -> None:
        command = [find_tool(PSQL, doing), "--no-psqlrc", "--no-password", "--quiet", "--file=-"]
        command += ["--set=ON_ERROR_STOP=1", "--set=VERBOSITY=sqlstate"]
        with Run(command, [file], _environment(login, file), feeds=True) as run:
            try:
                run.feed(restrict(reader.read_part(STATEMENTS), secrets.token_hex(16)))
            except ToolFailed as failed:
                raise Failure(PSQL.names[0], failed, _WORDS, doing).of_loading() from None

    def _list(self, reader: SnapshotReader, doing: Message) -> bytes:
        """Return the archive's list of entries."""
        with Run([find_tool(PG_RESTORE, doing), "--list"], [], feeds=True, answers=True) as run:
            try:
                return run.ask(reader.read_part(PART))
            except ToolFailed as failed:
                raise Failure(PG_RESTORE.names[0], failed, _WORDS, doing).of_loading() from None

    def _make_extensions(self, login: Login, reader: SnapshotReader, doing: Message) -> None:
        """Make the source's extensions that no other account may make, as the administrator; only
        our own snapshots name them.
        """
        try:
            data = b"".join(reader.read_part(EXTENSIONS))
            found = json.loads(data or b"[]")
        except KeyError:
            return
        except ValueError:
            found = None
        if not isinstance(found, list) or not all(_is_pair(one) for one in found):
            raise Invalid(
                message("definers_unreadable", part=EXTENSIONS),
                kind=DATABASE_KIND,
                doing=doing,
                advice=message("snapshot_is_spoiled"),
            )
        with self._administrator(login.database, doing) as admin:
            for name, schema in found:
                content.make_extension(admin, name, schema)

    def _connection(self, login: Login, doing: Message) -> Connection:
        return Connection(
            self._settings,
            LONG,
            kind=DATABASE_KIND,
            doing=doing,
            user=login.user,
            password=login.password,
            database=login.database,
        )

    def _administrator(self, database: str, doing: Message) -> Connection:
        return Connection(self._settings, LONG, kind=DATABASE_KIND, doing=doing, database=database)


def _is_pair(found: object) -> bool:
    return isinstance(found, list) and [type(one) for one in found] == [str, str]


def _environment(login: Login, file: int) -> dict[str, str]:
    return {**postgresql_environment(login), "PGPASSFILE": path_of(file)}
