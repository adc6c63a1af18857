"""Tables for other programs, as comma-separated values (RFC 4180)."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from workspace_manager.contract.message import Message
from workspace_manager.core.messages import message

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would run instead of showing it (OWASP, CSV injection)."""

MOST_ROWS: Final = 10_000
MOST_BYTES: Final = 20_000_000
SEPARATORS: Final = (",", ";", "\t")
"""Spreadsheets write the second one where a comma stands in numbers."""
SAID: Final = re.compile(r'"?sep=([,;\t])"?', re.IGNORECASE)


class BadFile(Exception):
    """A table that cannot be read. `errors`: what is wrong in which line (0: in all of it)."""

    def __init__(self, errors: Sequence[tuple[int, Message]]) -> None:
        self.errors = list(errors)
        super().__init__("; ".join(f"line {line}: {text}" for line, text in self.errors))


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
        yield table.writerow([escape_cell(document[name]) for name in columns])


def write_csv(file: IO[str], columns: Sequence[str], documents: Iterable[Mapping[str, Any]]) -> int:
    """Write a line for each document, below the names of the columns; gives how many."""
    written = -1
    for written, line in enumerate(lines(columns, documents)):  # noqa: B007
        file.write(line)
    return written


def escape_cell(value: object) -> str:
    """A value as a cell: people choose their names, and whoever opens the table shall run none."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def read_csv(
    file: str, columns: Sequence[str], *, needed: str, unique: Sequence[str]
) -> list[tuple[int, dict[str, str]]]:
    """Every line of a table with its number, as `write_csv` writes them; all of it is read before
    anything is given.

    Columns may be left out and stand in any order, but for the one that is `needed`. Raises BadFile
    with everything that is wrong.
    """
    return read_bytes(_bytes(Path(file)), columns, needed=needed, unique=unique)


def read_bytes(
    data: bytes, columns: Sequence[str], *, needed: str, unique: Sequence[str]
) -> list[tuple[int, dict[str, str]]]:
    """Read the table in a file's content. Raises BadFile."""
    text = _text(data)
    separator, said = _separator(text)
    errors: list[tuple[int, Message]] = []
    rows: list[tuple[int, dict[str, str]]] = []
    try:
        lines = _lines(text, separator)
        if said:
            next(lines)
        first, named = next(lines, (1, []))
        names = _without_empty_end([name.strip().casefold() for name in named])
        _check_names(names, columns, needed, line=first)
        for line, cells in lines:
            if len(rows) == MOST_ROWS:
                raise BadFile([(line, message("table_rows", most=MOST_ROWS))])
            row, wrong = _row(names, _cut(cells, len(names)), needed)
            errors += [(line, one) for one in wrong]
            rows.append((line, row))
    except csv.Error as wrong:
        line = rows[-1][0] + 1 if rows else 1
        raise BadFile([(line, message("table_line", why=str(wrong)))]) from None
    errors += _doubled(rows, unique)
    if errors:
        raise BadFile(sorted(errors, key=lambda error: error[0]))
    return rows


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadFile([(0, message("table_bytes", most=MOST_BYTES))])
        return path.read_bytes()
    except OSError as wrong:
        raise BadFile([(0, message("table_file", why=str(wrong.strerror)))]) from None


def _text(data: bytes) -> str:
    """Raises BadFile for what is no text in UTF-8."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data[: wrong.start].count(b"\n") + 1
        raise BadFile([(line, message("table_encoding"))]) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise BadFile([(line, message("table_nul"))])
    if not text.strip():
        raise BadFile([(0, message("table_empty"))])
    return text


def _separator(text: str) -> tuple[str, bool]:
    """The separator of cells, and whether the first line only names it, as spreadsheets write it:
    `sep=;`.
    """
    head = text.lstrip().partition("\n")[0]
    if said := SAID.fullmatch(head.rstrip()):
        return said[1], True
    return max(SEPARATORS, key=head.count), False


def _cut(cells: list[str], width: int) -> list[str]:
    """A line without the empty cells behind the last column, which spreadsheets add."""
    return cells[:width] if not any(cell.strip() for cell in cells[width:]) else cells


def _without_empty_end(names: list[str]) -> list[str]:
    while names and not names[-1]:
        names = names[:-1]
    return names


def _lines(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Each line that is not empty, with the number it begins at."""
    table = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = 1
    for cells in table:
        if any(cell.strip() for cell in cells):
            yield begins, cells
        begins = table.line_num + 1


def _check_names(names: Sequence[str], columns: Sequence[str], needed: str, *, line: int) -> None:
    known = ", ".join(columns)
    wrong = [
        message("table_column_unknown", name=name, columns=known)
        if name
        else message("table_column_unnamed", number=number, columns=known)
        for number, name in enumerate(names, 1)
        if name not in columns
    ]
    wrong += [
        message("table_column_twice", name=name)
        for name in dict.fromkeys(names)
        if name and names.count(name) > 1
    ]
    if needed not in names:
        wrong.append(message("table_column_missing", name=needed, columns=known))
    if wrong:
        raise BadFile([(line, one) for one in wrong])


def _row(
    names: Sequence[str], cells: Sequence[str], needed: str
) -> tuple[dict[str, str], list[Message]]:
    """A line by its columns, and what is wrong with it."""
    if len(cells) != len(names):
        return {}, [message("table_cells", cells=len(cells), columns=len(names))]
    row: dict[str, str] = {}
    wrong: list[Message] = []
    for name, cell in zip(names, cells, strict=True):
        text = cell.strip(" ")
        if text.startswith(FORMULA):
            wrong.append(message("table_formula", name=name, text=text[:40]))
        elif text.startswith("'") and text[1:].startswith(FORMULA):
            text = text[1:]  # as `escape_cell` wrote it
        row[name] = text.strip()
    if not wrong and not row.get(needed):
        wrong.append(message("table_cell_empty", name=needed))
    return row, wrong


def _doubled(
    rows: Sequence[tuple[int, Mapping[str, str]]], unique: Sequence[str]
) -> Iterator[tuple[int, Message]]:
    for name in unique:
        first: dict[str, int] = {}
        for line, row in rows:
            value = row.get(name, "").casefold()
            if value and first.setdefault(value, line) != line:
                yield line, message("table_doubled", name=name, value=row[name], line=first[value])
