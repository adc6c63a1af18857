"""Counting of a MariaDB database's content, and a check that its tables stay unchanged: a table
with an instantly added column can still be read in its former shape, but is dumped with the new
one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.snapshots import SnapshotFacts, TableFacts
from workspace_manager.systems.sql_server.client.mariadb import content
from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.client.mariadb.content import Table
from workspace_manager.systems.sql_server.snapshots.failures import TableChanged
from workspace_manager.systems.sql_server.snapshots.mariadb_notes import notes_on
from workspace_manager.systems.sql_server.snapshots.mariadb_tools import CHANGED


@dataclass(frozen=True)
class Shape:
    """The tables of a database with rows, and their columns."""

    tables: Sequence[Table]
    columns: Mapping[str, Sequence[tuple[str, str]]]

    def expect(self, later: "Shape") -> None:
        """Raise TableChanged if one of the tables differs now."""
        there = {one.name: one for one in later.tables}
        for one in self.tables:
            same = there.get(one.name) == one
            if not same or later.columns.get(one.name) != self.columns.get(one.name):
                raise TableChanged(one.name)


def read_shape(connection: Connection, name: str) -> Shape:
    tables = [
        one
        for one in content.read_tables(connection, name)
        if one.type not in {content.VIEW, content.SEQUENCE}
    ]
    return Shape(tables, content.read_columns(connection, name))


def count(reading: Connection, name: str, shape: Shape) -> SnapshotFacts:
    """Return the facts, within the transaction of `reading`. Raises TableChanged."""
    counted = []
    for one in shape.tables:
        names = [column for column, _ in shape.columns.get(one.name, [])]
        try:
            rows, checksum = content.count_rows(reading, name, one.name, names)
        except ConnectorError as error:
            if str(error.message.params.get("code")) in CHANGED:
                raise TableChanged(one.name) from None
            raise
        counted.append(TableFacts(name=one.name, rows=rows, checksum=checksum))
    return SnapshotFacts(
        tables=tuple(counted),
        consistent=all(one.engine in content.TRANSACTIONAL for one in shape.tables),
        notes=tuple(notes_on(shape.tables, shape.columns)),
    )
