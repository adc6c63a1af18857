"""Replacement of a MariaDB database by a restored one.

One statement moves the tables, completely or not at all. What has to be dropped before (triggers,
views) and made afterwards takes other statements. So the plan is first written to a database of its
own, and nobody is let in until all is done: a process that is killed before leaves the old content,
and afterwards the next one continues to the new content.
"""

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from workspace_manager.contract.errors import Conflict, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.client import MariaDBSession
from workspace_manager.systems.sql_server.client.mariadb import content, dialect
from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.client.mariadb.content import DefinedObject
from workspace_manager.systems.sql_server.client.mariadb.dialect import quote_name
from workspace_manager.systems.sql_server.client.mariadb.privileges import grant_again
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.snapshots.mariadb_notes import put_in_order
from workspace_manager.systems.sql_server.snapshots.mariadb_objects import (
    choose_definer,
    remake,
    views_first,
)

PLAN: Final = "plan"
MOVED: Final = "moved"
"""Tables of the journal: the plan, and the note that the tables have moved."""
WAIT_S: Final = 60
"""Sessions that use a table have been ended; after a longer wait, the replacement is retried."""


@dataclass(frozen=True)
class SwitchPlan:
    """Everything that has to be known when it can no longer be read."""

    beside: str
    live_tables: Sequence[str]
    new_tables: Sequence[str]
    defaults: str
    objects: Sequence[Mapping[str, str]] = field(default_factory=tuple)
    """Each with its future definer."""
    grants: Sequence[Mapping[str, str]] = field(default_factory=tuple)
    """The rows of mysql.db."""


class MariaDBSwitch:
    """One replacement, over a connection of the administrator."""

    def __init__(self, admin: Connection, live: str, doing: Message) -> None:
        self._admin = admin
        self._session = MariaDBSession(admin)
        self._live = live
        self._doing = doing
        self._journal = names.set_aside(live, "journal")
        self._old = names.set_aside(live, "old")

    def is_begun(self) -> bool:
        """Return whether the plan is written, so that it has to be completed."""
        return self._read() is not None

    def run(self, beside: str) -> None:
        """Begin the replacement, or continue an interrupted one. Raises NotFound if neither
        database exists.
        """
        self._admin.do(f"SET SESSION lock_wait_timeout = {WAIT_S}")
        plan = self._read() or self._write_down(beside)
        if plan is None:
            return
        self._shut()
        if not self._is_moved(plan):
            self._move(plan)
        self._admin.do(
            f"CREATE TABLE IF NOT EXISTS {quote_name(self._journal)}.{MOVED} (a INT) ENGINE=InnoDB"
        )
        self._furnish(plan)
        for row in plan.grants:
            statement, values = grant_again(row)
            # The account has been dropped meanwhile.
            with contextlib.suppress(NotFound):
                self._admin.do(statement, *values, meaning={1410: NotFound})
        self._compare(plan)
        for grant in self._session.grants_on(plan.beside):
            self._session.revoke(grant)
        # The journal comes last: while it exists, its plan is not done.
        for name in (self._old, plan.beside, self._journal):
            self._drop(name)

    # --- plan ----------------------------------------------------------------------------------

    def _read(self) -> SwitchPlan | None:
        if not self._session.database_exists(self._journal):
            return None
        if PLAN not in self._tables(self._journal):
            return None
        rows = self._admin.rows(f"SELECT document FROM {quote_name(self._journal)}.{PLAN}")  # noqa: S608
        return SwitchPlan(**json.loads(rows[0][0])) if rows else None

    def _write_down(self, beside: str) -> SwitchPlan | None:
        """Write the plan; return None if it is done already. Until the row exists, nothing has
        changed.
        """
        if not self._session.database_exists(beside):
            if self._session.database_exists(self._live):
                return None
            raise NotFound(
                message("switch_not_possible", name=self._live),
                kind=names.DATABASE_KIND,
                doing=self._doing,
                advice=message("switch_needs_both"),
            )
        self._drop(self._journal)
        self._drop(self._old)
        plan = self._look(beside)
        journal = quote_name(self._journal)
        self._session.create_database(self._old)
        self._session.create_database(self._journal)
        self._admin.do(f"CREATE TABLE {journal}.{PLAN} (document LONGTEXT) ENGINE=InnoDB")
        self._admin.do(f"INSERT INTO {journal}.{PLAN} VALUES (%s)", json.dumps(asdict(plan)))  # noqa: S608
        return plan

    def _look(self, beside: str) -> SwitchPlan:
        grants = self._session.grants_on(self._live)
        objects = []
        for one in put_in_order(content.read_objects(self._admin, beside)):
            definer = choose_definer(self._session, grants, one.definer, self._admin)
            objects.append({**asdict(one), "definer": definer})
        return SwitchPlan(
            beside,
            self._tables(self._live),
            self._tables(beside),
            content.read_defaults(self._admin, beside),
            objects,
            self._read_grants(),
        )

    def _read_grants(self) -> list[dict[str, str]]:
        records = self._admin.records(dialect.GRANTS_ON, "\\", self._live)
        rows = [{name.lower(): _text(value) for name, value in row.items()} for row in records]
        return [row for row in rows if not row["user"].startswith(names.SNAPSHOT)]

    # --- execution -----------------------------------------------------------------------------

    def _shut(self) -> None:
        """Revoke all grants, so that nobody reads the database until all is done."""
        for grant in self._session.grants_on(self._live):
            self._session.revoke(grant)
        self._session.end_sessions_in(self._live)

    def _is_moved(self, plan: SwitchPlan) -> bool:
        """Return whether the tables have moved, even if the process was killed before the note."""
        if MOVED in self._tables(self._journal):
            return True
        if not plan.live_tables and not plan.new_tables:
            return False
        here = not plan.new_tables or set(self._tables(self._live)) == set(plan.new_tables)
        away = set(self._tables(self._old)) == set(plan.live_tables)
        return here and away and not self._tables(plan.beside)

    def _move(self, plan: SwitchPlan) -> None:
        for name in (self._live, plan.beside):
            for one in content.read_objects(self._admin, name):
                self._admin.do(content.plain(one.drop()))
        moves = [(self._live, self._old, table) for table in plan.live_tables]
        moves += [(plan.beside, self._live, table) for table in plan.new_tables]
        if moves:
            said = ", ".join(
                f"{quote_name(source)}.{quote_name(table)} TO {quote_name(to)}.{quote_name(table)}"
                for source, to, table in moves
            )
            self._admin.do(f"RENAME TABLE {said}")

    def _furnish(self, plan: SwitchPlan) -> None:
        self._admin.do(f"USE {quote_name(self._live)}")
        self._admin.do(plan.defaults)
        objects = [DefinedObject(**row) for row in plan.objects]
        for one in objects:
            if one.kind in {content.VIEW, *content.ROUTINES}:
                # Made as ours and not run: a view is refused while the definers of its parts may
                # not use them, and nobody may yet.
                remake(self._admin, one, "")
        for one in views_first(objects):
            remake(self._admin, one, one.definer)

    def _compare(self, plan: SwitchPlan) -> None:
        """Check that all users can use it again, except dropped accounts. Raises Conflict; the old
        content still exists.
        """
        given = self._read_grants()
        lost = sorted(
            row["user"]
            for row in plan.grants
            if row not in given
            and row["host"] in {one.host for one in self._session.accounts(row["user"])}
        )
        if lost:
            raise Conflict(
                message("rights_lost", names=", ".join(lost)),
                kind=names.DATABASE_KIND,
                doing=self._doing,
                advice=message("rights_lost_advice"),
            )

    def _tables(self, name: str) -> list[str]:
        found = content.read_tables(self._admin, name)
        return [one.name for one in found if one.type != content.VIEW]

    def _drop(self, name: str) -> None:
        if self._session.database_exists(name):
            self._session.end_sessions_in(name)
            self._session.drop_database(name)


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
