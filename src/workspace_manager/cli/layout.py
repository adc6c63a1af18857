"""The layout of rows on a terminal: a table if it fits; otherwise one block per row, so that ids
are never broken and can be copied.

In a pipe every row is one line, for grep.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from workspace_manager.cli.local_time import local

GAP = "  "
WORDS_NEED = 30
"""The last column wraps between words if it has at least this many characters."""

MOMENTS = (
    "at",
    "since",
    "until",
    "last_seen",
    "last_sign_in",
    "ignored_until",
    "failing_since",
)
"""Columns with a moment, besides those that end in `_at`."""
DAYS = ("ends_at",)
"""Columns with a calendar day, which is the same in every time zone."""

_CONTROL = {code: "�" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def plain(text: str) -> Text:
    """Return a text without markup and terminal control characters."""
    return Text(text.translate(_CONTROL))


def cell(column: str, value: Any) -> str:
    """Return a value for people: yes or no, a moment in the terminal's zone, "" for none."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(cell(column, one) for one in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{words(k)} {said}" for k, v in value.items() if (said := cell(k, v)))
    if (column.endswith("_at") and column not in DAYS) or column in MOMENTS:
        return local(str(value))
    return str(value)


def words(name: str) -> str:
    """Return a document's name for people."""
    return name.replace("_", " ")


def laid_out(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[str], width: int | None
) -> Iterator[Text]:
    """Yield the lines of a list. `width`: the terminal's; None without a terminal."""
    cells = [[cell(column, row.get(column)) for column in columns] for row in rows]
    names = [words(column) for column in columns]
    if width is None:
        return _table(cells, names, None)
    # Columns without values are left out on a terminal.
    kept = [n for n, _ in enumerate(names) if any(row[n] for row in cells)]
    names, cells = [names[n] for n in kept], [[row[n] for n in kept] for row in cells]
    if _fits(cells, names, width):
        return _table(cells, names, width)
    below = [row[1:] for row in cells]
    if len(names) > 1 and _fits(below, names[1:], width - len(GAP)):
        return _two_lines(cells, names, width)
    return _blocks(cells, names, width)


def block(pairs: Iterable[tuple[str, str]], width: int | None) -> Iterator[Text]:
    """Yield a line for each known value of one thing."""
    named = [(words(name), said) for name, said in pairs]
    room = max(cell_len(name) for name, _ in named) + len(GAP)
    for name, said in filter(itemgetter(1), named):
        yield from wrap_hanging(Text(name.ljust(room), "bold"), said, width)


def wrap_hanging(first: Text, said: str, width: int | None) -> Iterator[Text]:
    """Yield a text after its first words, wrapped with a hanging indent at word boundaries."""
    lines = plain(said).plain.split("\n")
    if width is not None:
        room = max(width - first.cell_len, WORDS_NEED)
        lines = [part for line in lines for part in _broken(line, room)]
    for n, line in enumerate(lines):
        told = Text.assemble(first if n == 0 else " " * first.cell_len, line)
        told.rstrip()
        yield told


def _broken(line: str, room: int) -> Iterator[str]:
    begun: str | None = None
    for word in line.split(" "):
        longer = word if begun is None else f"{begun} {word}"
        if begun is not None and cell_len(longer) > room:
            yield begun.rstrip()
            longer = word
        begun = longer
    yield begun or ""


def _fits(cells: list[list[str]], names: list[str], width: int) -> bool:
    """Return whether every column but the last fits, and the last has enough room for words."""
    *rooms, _ = _rooms(cells, names)
    last = [names[-1], *(row[-1] for row in cells)]
    longest = max(cell_len(word) for text in last for word in text.split(" "))
    whole = max(map(cell_len, last))
    return sum(rooms) + len(GAP) * len(rooms) + min(whole, max(WORDS_NEED, longest)) <= width


def _rooms(cells: list[list[str]], names: list[str]) -> list[int]:
    return [max(map(cell_len, (name, *(r[n] for r in cells)))) for n, name in enumerate(names)]


def _table(cells: list[list[str]], names: list[str], width: int | None) -> Iterator[Text]:
    for lines in _lines_of_rows(cells, names, width):
        yield from lines


def _two_lines(cells: list[list[str]], names: list[str], width: int) -> Iterator[Text]:
    """Yield rows whose first column, usually an id, has a line of its own."""
    rest = _lines_of_rows([row[1:] for row in cells], names[1:], width, GAP)
    yield Text(names[0], "bold")
    yield from next(rest)
    for row, lines in zip(cells, rest, strict=True):
        yield plain(row[0])
        yield from lines


def _lines_of_rows(
    cells: list[list[str]], names: list[str], width: int | None, indent: str = ""
) -> Iterator[list[Text]]:
    """Yield the head of a table, then its rows, with more lines where the last column is long."""
    rooms = _rooms(cells, names)
    for n, row in enumerate((names, *cells)):
        line = [plain(one.replace("\n", " ")).plain for one in row]
        padded = [one + " " * (room - cell_len(one)) for one, room in zip(line, rooms, strict=True)]
        first = Text(indent + "".join(one + GAP for one in padded[:-1]))
        lines = list(wrap_hanging(first, line[-1], width))
        for part in lines:
            part.stylize("" if n else "bold")
        yield lines


def _blocks(cells: list[list[str]], names: list[str], width: int) -> Iterator[Text]:
    for n, row in enumerate(cells):
        yield from [Text("")] * bool(n)
        yield from block(zip(names, row, strict=True), width)
