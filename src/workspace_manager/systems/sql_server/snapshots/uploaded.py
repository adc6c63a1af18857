"""Files that somebody uploaded as the content of a new database: what each product takes, told by
how a file begins, so that a wrong one is refused before anything is made.

Whether a file can be loaded shows only when it is loaded: nothing here reads SQL.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Final

from workspace_manager.contract.snapshots import PartWriter, SnapshotWriter, UnfitFile
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL
from workspace_manager.systems.sql_server.snapshots import mariadb, postgresql

ARCHIVE: Final = b"PGDMP"
"""How an archive of `pg_dump --format=custom` begins."""
_STATEMENTS: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:--|/\*|[#(\\A-Za-z])")
"""How a file of statements begins: with a comment, a word, or a command of the client."""
_OTHERS: Final = {
    MARIADB: re.compile(rb"-- PostgreSQL database (?:cluster )?dump"),
    POSTGRESQL: re.compile(rb"-- (?:MariaDB|MySQL) dump|/\*M?!\d{5,6}"),
}
"""What only a dump of the other product has at its beginning."""
_LONGEST: Final = 64 * 1024
"""Of the extensions that a download names behind its archive."""


def open_mariadb_upload(first: bytes, writer: SnapshotWriter) -> PartWriter:
    """Open the part that takes a dump of MariaDB. Raises UnfitFile."""
    if first.startswith(ARCHIVE):
        raise UnfitFile(message("file_of_postgresql"))
    _refuse_other(first, MARIADB)
    return writer.open_part(mariadb.PART)


def open_postgresql_upload(first: bytes, writer: SnapshotWriter) -> PartWriter:
    """Open the part that takes an archive or a file of statements. Raises UnfitFile."""
    if first.startswith(ARCHIVE):
        return _Archive(writer.open_part(postgresql.PART))
    _refuse_other(first, POSTGRESQL)
    return writer.open_part(postgresql.STATEMENTS)


OPENED: Final[Mapping[str, Callable[[bytes, SnapshotWriter], PartWriter]]] = {
    MARIADB: open_mariadb_upload,
    POSTGRESQL: open_postgresql_upload,
}


def _refuse_other(first: bytes, flavour: str) -> None:
    if not first.strip():
        raise UnfitFile(message("file_empty"))
    if b"\x00" in first or not _STATEMENTS.match(first):
        raise UnfitFile(message(f"file_no_dump_{flavour}"))
    if _OTHERS[flavour].search(first):
        raise UnfitFile(message(f"file_not_of_{flavour}"))


class _Archive:
    """The part of an archive, without the extensions that a download names behind it: only an
    administrator makes these, and nobody makes them because a file says so.
    """

    def __init__(self, part: PartWriter) -> None:
        self._part = part
        self._held = b""

    def write(self, data: bytes) -> None:
        self._held += data
        if len(self._held) > _LONGEST:
            self._part.write(self._held[:-_LONGEST])
            self._held = self._held[-_LONGEST:]

    def close(self) -> None:
        if rest := self._held[: _find_extensions(self._held)]:
            self._part.write(rest)
        self._part.close()


def _find_extensions(end: bytes) -> int:
    """Return where the JSON begins that names extensions; the length where there is none. An
    archive itself never ends with a bracket.
    """
    if end.endswith(b"[]"):
        return len(end) - 2
    begin = end.rfind(b'[["')
    try:
        found = json.loads(end[begin:]) if begin >= 0 else None
    except ValueError:
        found = None
    return begin if isinstance(found, list) else len(end)
