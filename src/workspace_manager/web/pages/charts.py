"""Small charts, drawn on the server. They need no script and can be read without the picture.

A chart has a title, a sentence with its meaning, and a table of its numbers. Series differ by
position, not by colour alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from workspace_manager.web.pages.days import calendar_day

HEIGHT: Final = 96
"""Height of the bars, in units of the picture."""
LEGEND: Final = 18
"""The room below for the first and the last day."""
WIDTH: Final = 480
SHARE: Final = 0.72
"""A bar's share of its column's width."""
SMALLEST: Final = 2.0
"""The least height of a bar above zero, so that it is visible."""


@dataclass(frozen=True)
class Row:
    """A column of the chart, and a row of its table."""

    day: date
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Bar:
    """One number. `what`: the index of its series, which gives its colour."""

    what: int
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True)
class Column:
    """The bars of one day, and the same numbers in words."""

    words: str
    bars: Sequence[Bar]


@dataclass(frozen=True)
class Chart:
    """A chart for the template."""

    name: str
    title: str
    sentence: str
    heads: Sequence[str]
    """Heads of the table's columns: days, then each series."""
    rows: Sequence[Row]
    columns: Sequence[Column]
    base: str
    """The base line."""
    first: str
    last: str
    width: int = WIDTH
    height: int = HEIGHT + LEGEND
    foot: int = HEIGHT + LEGEND - 4


def bars(name: str, title: str, sentence: str, heads: Sequence[str], rows: Sequence[Row]) -> Chart:
    """Return a chart with an upward bar for each row. The bar of a second series hangs below the
    line.
    """
    most_up = max((row.numbers[0] for row in rows), default=0)
    most_down = max((number for row in rows for number in row.numbers[1:]), default=0)
    scale = (HEIGHT - 2) / (most_up + most_down) if most_up + most_down else 0.0
    # Bars below the line get the room that they need, and no more.
    below = max(most_down * scale, SMALLEST) if most_down else 0.0
    base = HEIGHT - below - 1
    step = WIDTH / max(len(rows), 1)
    columns = [
        Column(
            f"{calendar_day(row.day)}: {_words(heads[1:], row.numbers)}",
            [
                _bar(what, index * step, step, base, number * scale)
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
        calendar_day(rows[0].day) if rows else "",
        calendar_day(rows[-1].day) if rows else "",
    )


def _bar(what: int, x: float, step: float, base: float, high: float) -> Bar:
    height = min(max(high, SMALLEST), HEIGHT - base if what else base)
    y = base if what else base - height
    left = x + step * (1 - SHARE) / 2
    return Bar(what, f"{left:.1f}", f"{y:.1f}", f"{step * SHARE:.1f}", f"{height:.1f}")


def _words(heads: Sequence[str], numbers: Sequence[int]) -> str:
    return ", ".join(f"{head} {n}" for head, n in zip(heads, numbers, strict=True))
