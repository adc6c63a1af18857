"""Small charts, drawn on the server: there without script, and read by whoever sees no picture.

A chart has a title and a sentence that says what it shows, and the same numbers as a table. What
differs, differs by its place and not by colour alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from workspace_manager.web.templatetags.badges import calendar_day

HEIGHT: Final = 96
"""Of the bars, in units of the picture."""
LEGEND: Final = 18
"""The room below for the first and the last day."""
WIDTH: Final = 480
SHARE: Final = 0.72
"""How much of its column a bar takes."""
SMALLEST: Final = 2.0
"""What is not nothing can be seen."""


@dataclass(frozen=True)
class Row:
    """One column of the chart, and one row of its table: what it is of, and its numbers."""

    day: date
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Bar:
    """One number. `what`: the place of its series, by which it is coloured."""

    what: int
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True)
class Column:
    """The bars of one day, and the same in words."""

    words: str
    bars: Sequence[Bar]


@dataclass(frozen=True)
class Chart:
    """A chart as the template draws it."""

    name: str
    title: str
    sentence: str
    heads: Sequence[str]
    """What the table's columns are called: of the days, then of each series."""
    rows: Sequence[Row]
    columns: Sequence[Column]
    base: str
    """Where nothing is."""
    most: int
    first: str
    last: str
    width: int = WIDTH
    height: int = HEIGHT + LEGEND
    foot: int = HEIGHT + LEGEND - 4


def bars(name: str, title: str, sentence: str, heads: Sequence[str], rows: Sequence[Row]) -> Chart:
    """A bar for each row, upwards; with a second series its bar hangs below the same line."""
    two = len(heads) > 2
    most = max((number for row in rows for number in row.numbers), default=0)
    base = HEIGHT / 2 if two else HEIGHT
    scale = (base - 1) / most if most else 0.0
    step = WIDTH / max(len(rows), 1)
    columns = [
        Column(
            f"{calendar_day(row.day)}: {_words(heads[1:], row.numbers)}",
            [
                _bar(what, index * step, step, base, number, scale)
                for what, number in enumerate(row.numbers)
                if number
            ],
        )
        for index, row in enumerate(rows)
    ]
    return Chart(
        name,
        title,
        sentence,
        heads,
        rows,
        columns,
        f"{base:.1f}",
        most,
        calendar_day(rows[0].day) if rows else "",
        calendar_day(rows[-1].day) if rows else "",
    )


def _bar(what: int, x: float, step: float, base: float, number: int, scale: float) -> Bar:
    height = min(max(number * scale, SMALLEST), base)
    y = base if what else base - height
    left = x + step * (1 - SHARE) / 2
    return Bar(what, f"{left:.1f}", f"{y:.1f}", f"{step * SHARE:.1f}", f"{height:.1f}")


def _words(heads: Sequence[str], numbers: Sequence[int]) -> str:
    return ", ".join(f"{head} {n}" for head, n in zip(heads, numbers, strict=True))
