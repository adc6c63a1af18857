"""Snapshots of MariaDB databases, with `mariadb-dump` and `mariadb`.

A snapshot has two parts: `database.sql`, tables and sequences from the dump, and `definers.sql`,
objects that run with a definer's rights. An account that may only read that database reads it, and
one without rights elsewhere loads it: see docs/systems/sql-server.md#snapshots.
"""

import contextlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import (
    Conflict,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import Message
from workspace_manager.contract.snapshots import (
    SnapshotFacts,
    SnapshotReader,
    SnapshotWriter,
)
from workspace_manager.systems.sql_server.client import READ, MariaDBSession
from workspace_manager.systems.sql_server.client.login import (
    Login,
    mariadb_file,
    path_of,
    private_file,
)
from workspace_manager.systems.sql_server.client.mariadb import content
from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.client.mariadb.dialect import quote_name
from workspace_manager.systems.sql_server.client.tools import MARIADB, MARIADB_DUMP, Run, ToolFailed
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import DATABASE_KIND
from workspace_manager.systems.sql_server.settings import Settings
from workspace_manager.systems.sql_server.snapshots import definers, mariadb_notes
from workspace_manager.systems.sql_server.snapshots.account import (
    LOADING,
    READING,
    SnapshotAccounts,
)
from workspace_manager.systems.sql_server.snapshots.failures import Failure, TableChanged, find_tool
from workspace_manager.systems.sql_server.snapshots.mariadb_facts import (
    Shape,
    count,
    read_shape,
)
from workspace_manager.systems.sql_server.snapshots.mariadb_objects import (
    give_to_owners,
    make_objects,
)
from workspace_manager.systems.sql_server.snapshots.mariadb_switch import MariaDBSwitch
from workspace_manager.systems.sql_server.snapshots.mariadb_tools import (
    CHANGED,
    DUMPED,
    LOADED,
    TABLE,
    WORDS,
)

PART: Final = "database.sql"
TRIES: Final = 3
LONG: Final = CallPolicy(answer_s=86_400)
"""A count, or an index, of a large table may take that long."""
LOCK_S: Final = 10


class MariaDBSnapshots:
    """Snapshots of MariaDB databases, by name."""

    def __init__(self, accounts: SnapshotAccounts, settings: Settings) -> None:
        self._accounts = accounts
        self._settings = settings

    def capture(self, name: str, writer: SnapshotWriter) -> SnapshotFacts:
        """Write a snapshot. If a table was altered meanwhile, it starts again, at most three times.
        Raises Conflict then.
        """
        doing = message("capturing")
        for _ in range(TRIES):
            try:
                return self._capture(name, writer, doing)
            except TableChanged as changed:
                table = changed.table
        raise Conflict(
            message("table_kept_changing", table=table, times=TRIES),
            kind=DATABASE_KIND,
            doing=doing,
            advice=message("snapshot_when_quiet"),
        )

    def restore(self, name: str, reader: SnapshotReader) -> None:
        doing = message("restoring")
        if self._accounts.exists(name, LOADING, doing=doing):
            # An earlier attempt was killed: nobody else has seen its content.
            self.empty(name, doing)
        with self._administrator(doing) as admin:
            if content.read_tables(admin, name) or content.read_objects(admin, name):
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
        with (
            self._accounts.make(name, READING, use=READ, doing=doing) as login,
            self._connection(login, doing) as reading,
        ):
            for statement in content.CONSISTENT:
                reading.do(statement)
            return count(reading, name, read_shape(reading, name))

    def switch(self, name: str, beside: str) -> None:
        doing = message("switching")
        with self._administrator(doing) as admin:
            MariaDBSwitch(admin, name, doing).run(beside)

    def is_begun(self, name: str, doing: Message) -> bool:
        """Return whether an interrupted replacement has to be finished."""
        with self._administrator(doing) as admin:
            return MariaDBSwitch(admin, name, doing).is_begun()

    def reopen(self, name: str, doing: Message) -> None:
        """Do nothing: the replacement itself revokes and grants rights."""

    def empty(self, name: str, doing: Message) -> None:
        """Delete the content; the grants stay."""
        with self._accounts.session(doing) as session:
            session.end_sessions_in(name)
            with contextlib.suppress(NotFound):
                session.drop_database(name)
            session.create_database(name)

    # --- capture ----------------------------------------------------------------------------------

    def _capture(self, name: str, writer: SnapshotWriter, doing: Message) -> SnapshotFacts:
        """The account is removed before the thread is waited for, which also ends its counting."""
        with (
            ThreadPoolExecutor(1) as beside,
            self._accounts.make(name, READING, use=READ, doing=doing) as login,
            self._connection(login, doing) as reading,
            self._administrator(doing) as admin,
            private_file(mariadb_file(login)) as file,
        ):
            reading.do(f"USE {quote_name(name)}")
            tables = content.read_tables(admin, name)
            objects, notes = mariadb_notes.sort_objects(reading, content.read_objects(admin, name))
            defaults = content.read_defaults(admin, name)
            command = [find_tool(MARIADB_DUMP, doing), f"--defaults-file={path_of(file)}", *DUMPED]
            views = [one.name for one in tables if one.type == content.VIEW]
            command += [f"--ignore-table={name}.{view}" for view in views]
            with Run([*command, name], [file]) as run:
                counted = self._write(run, writer, name, (reading, admin), beside)
            part = writer.open_part(definers.PART)
            part.write(definers.write(defaults, objects))
            part.close()
            facts = counted.result()
        return facts.model_copy(update={"notes": (*facts.notes, *notes)})

    def _write(
        self,
        run: Run,
        writer: SnapshotWriter,
        name: str,
        connections: tuple[Connection, Connection],
        beside: ThreadPoolExecutor,
    ) -> "Future[SnapshotFacts]":
        """Write the dump. The counts are as of the dump's moment: both begin while nobody
        writes.
        """
        reading, admin = connections
        part = writer.open_part(PART)
        pieces = run.output()
        try:
            with _without_writers(admin, name, read_shape(admin, name)) as shape:
                for statement in content.CONSISTENT:
                    reading.do(statement)
                # The dump's output reaches this size only after its own transaction has begun.
                first = next(pieces, b"")
            # A table made a moment ago would be in only one of the two.
            read_shape(admin, name).expect(shape)
            counted = beside.submit(count, reading, name, shape)
            part.write(first)
            for piece in pieces:
                part.write(piece)
        except ToolFailed as failed:
            failure = Failure(MARIADB_DUMP.names[0], failed, WORDS, admin.doing)
            if failure.code in CHANGED:
                found = TABLE.search(failed.said)
                raise TableChanged((found[1] or found[2]) if found else "") from None
            raise failure.of_reading() from None
        shape.expect(read_shape(admin, name))
        part.close()
        return counted

    # --- restore ----------------------------------------------------------------------------------

    def _load(self, login: Login, reader: SnapshotReader, doing: Message) -> None:
        try:
            recorded = list(definers.read(_read_optional(reader, definers.PART)))
        except definers.Unreadable:
            raise Invalid(
                message("definers_unreadable", part=definers.PART),
                kind=DATABASE_KIND,
                doing=doing,
                advice=message("snapshot_is_spoiled"),
            ) from None
        with private_file(mariadb_file(login)) as file:
            command = [find_tool(MARIADB, doing), f"--defaults-file={path_of(file)}", *LOADED]
            with Run([*command, f"--database={login.database}"], [file], feeds=True) as run:
                try:
                    run.feed(reader.read_part(PART))
                except ToolFailed as failed:
                    failure = Failure(MARIADB.names[0], failed, WORDS, doing)
                    raise failure.of_loading() from None
        with self._connection(login, doing) as loading:
            loading.do(f"USE {quote_name(login.database)}")
            make_objects(loading, recorded)
        with self._administrator(doing) as admin:
            give_to_owners(admin, MariaDBSession(admin), login, recorded)

    def _connection(self, login: Login, doing: Message) -> Connection:
        return Connection(
            self._settings,
            LONG,
            kind=DATABASE_KIND,
            doing=doing,
            user=login.user,
            password=login.password,
        )

    def _administrator(self, doing: Message) -> Connection:
        return Connection(self._settings, LONG, kind=DATABASE_KIND, doing=doing)


@contextlib.contextmanager
def _without_writers(admin: Connection, name: str, shape: Shape) -> Iterator[Shape]:
    """Keep everybody from writing to this database in this block; readers do not wait. Yield its
    shape. Raises Unavailable if a writer does not finish.
    """
    if not shape.tables:
        yield shape
        return
    locks = ", ".join(f"{quote_name(name)}.{quote_name(one.name)} READ" for one in shape.tables)
    admin.do(f"SET SESSION lock_wait_timeout = {LOCK_S}")
    try:
        admin.do(f"LOCK TABLES {locks}", meaning={1146: _Gone})
    except _Gone:
        raise TableChanged("") from None
    try:
        yield read_shape(admin, name)
    finally:
        admin.do("UNLOCK TABLES")


class _Gone(Unavailable):
    """A table is gone."""


def _read_optional(reader: SnapshotReader, name: str) -> Iterator[bytes]:
    """Yield a part that other people's dumps do not have."""
    try:
        pieces = iter(reader.read_part(name))
        first = next(pieces, b"")
    except KeyError:
        return
    yield first
    yield from pieces
