"""Tables for other programs, as comma-separated values (RFC 4180)."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would run instead of showing it (OWASP, CSV injection)."""


def write_csv(file: IO[str], columns: Sequence[str], documents: Iterable[Mapping[str, Any]]) -> int:
    """Write a line for each document, below the names of the columns; gives how many."""
    # Of a lone carriage return Python 3.11 does not know that it has to be quoted.
    table = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
    table.writerow(columns)
    written = 0
    for document in documents:
        table.writerow([harmless(document[name]) for name in columns])
        written += 1
    return written


def harmless(value: object) -> str:
    """A value as a cell: people choose their names, and whoever opens the table shall run none."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
