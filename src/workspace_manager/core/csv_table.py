"""Tables for other programs, as comma-separated values (RFC 4180)."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would run instead of showing it (OWASP, CSV injection)."""


class _Line:
    """A file that gives back what is written into it."""

    def write(self, text: str) -> str:
        return text


def lines(columns: Sequence[str], documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The names of the columns, and a line for each document, one at a time."""
    # Of a lone carriage return Python 3.11 does not know that it has to be quoted.
    table: Any = csv.writer(_Line(), lineterminator="\n", quoting=csv.QUOTE_ALL)
    yield table.writerow(columns)
    for document in documents:
        yield table.writerow([harmless(document[name]) for name in columns])


def write_csv(file: IO[str], columns: Sequence[str], documents: Iterable[Mapping[str, Any]]) -> int:
    """Write a line for each document, below the names of the columns; gives how many."""
    written = -1
    for written, line in enumerate(lines(columns, documents)):  # noqa: B007
        file.write(line)
    return written


def harmless(value: object) -> str:
    """A value as a cell: people choose their names, and whoever opens the table shall run none."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
