"""Snapshots of databases: dumping, loading into a new one, counting, and replacing the present
content, with the products' own tools.

See docs/systems/sql-server.md#snapshots.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Final

from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import Conflict
from workspace_manager.contract.message import Message
from workspace_manager.contract.snapshots import (
    PartWriter,
    SnapshotFacts,
    SnapshotReader,
    SnapshotWriter,
)
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.connector import SqlServer
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL
from workspace_manager.systems.sql_server.snapshots.account import (
    LOADING,
    READING,
    SnapshotAccounts,
)
from workspace_manager.systems.sql_server.snapshots.beside import BESIDE, Beside
from workspace_manager.systems.sql_server.snapshots.mariadb import MariaDBSnapshots
from workspace_manager.systems.sql_server.snapshots.postgresql import PostgreSQLSnapshots
from workspace_manager.systems.sql_server.snapshots.uploaded import OPENED

PRODUCTS: Final[Mapping[str, type[MariaDBSnapshots | PostgreSQLSnapshots]]] = {
    MARIADB: MariaDBSnapshots,
    POSTGRESQL: PostgreSQLSnapshots,
}


class SqlServerSnapshots:
    """Snapshots of databases, by their addresses."""

    def __init__(self, server: SqlServer) -> None:
        self._flavour = server.settings.flavour
        self._accounts = SnapshotAccounts(server.settings, server.passwords)
        self._product = PRODUCTS[self._flavour](self._accounts, server.settings)

    def capture(self, address: str, writer: SnapshotWriter) -> SnapshotFacts:
        return self._product.capture(self._database(address, message("capturing")), writer)

    def restore(self, address: str, reader: SnapshotReader) -> None:
        self._product.restore(self._database(address, message("restoring")), reader)

    def facts(self, address: str) -> SnapshotFacts:
        return self._product.facts(self._database(address, message("counting")))

    def open_upload(self, first: bytes, writer: SnapshotWriter) -> PartWriter:
        return OPENED[self._flavour](first, writer)

    def address_beside(self, address: str) -> str:
        server, _, _ = address.rpartition("/")
        return f"{server}/{self._beside(address).name}"

    def make_beside(self, address: str) -> None:
        self._beside(address).make()

    def has_beside(self, address: str) -> bool:
        return self._beside(address).exists()

    def discard_beside(self, address: str) -> None:
        self._beside(address).discard()

    def sweep(self, in_use: Callable[[], Collection[str]]) -> int:
        left = self._accounts.find_all(doing=message("sweeping"))
        kept = set()
        for address in in_use() if left else ():
            name = self._database(address, message("sweeping"))
            for database in (name, names.set_aside(name, BESIDE)):
                kept |= {names.snapshot_account(database, one) for one in (LOADING, READING)}
        return self._accounts.remove_unused(set(left) - kept, doing=message("sweeping"))

    def switch(self, address: str, beside: str) -> None:
        doing = message("switching")
        self._product.switch(self._database(address, doing), self._database(beside, doing))

    def _beside(self, address: str) -> Beside:
        database = self._database(address, message("switching"))
        return Beside(self._accounts, self._product, database)

    def _database(self, address: str, doing: Message) -> str:
        name = names.database_of(address)
        if not names.is_database_name(name, self._flavour):
            raise Conflict(
                message("not_ours_to_keep", name=name), kind=names.DATABASE_KIND, doing=doing
            )
        return name


def snapshots(server: System) -> SqlServerSnapshots:
    """Return the snapshots of a connected server; no call is made."""
    if not isinstance(server, SqlServer):
        raise TypeError("a source is of the system that connect gave")
    return SqlServerSnapshots(server)
