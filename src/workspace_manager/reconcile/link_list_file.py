"""The table of a relinking list, from a file or pasted into a page."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from workspace_manager.core.csv_table import BadFile, read_bytes, read_csv
from workspace_manager.core.messages import message
from workspace_manager.reconcile.link_list import Row

COLUMNS: Final = ("username", "account")
Line: TypeAlias = tuple[int, dict[str, str]]


def rows_of_file(file: str) -> list[Row]:
    """Read a file. Raises BadFile with every error."""
    return _rows(read_csv(file, COLUMNS, needed="username", unique=COLUMNS))


def rows_of(data: bytes) -> list[Row]:
    """Read pasted text. Raises BadFile with every error."""
    return _rows(read_bytes(data, COLUMNS, needed="username", unique=COLUMNS))


def _rows(found: Iterable[Line]) -> list[Row]:
    lines = list(found)
    without = [
        (n, message("table_cell_empty", name="account"))
        for n, row in lines
        if not row.get("account")
    ]
    if without:
        raise BadFile(without)
    return [Row(line, row["username"], row["account"]) for line, row in lines]
