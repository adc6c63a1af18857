"""The meanings of answers: rows of (method, route, status, code in the body), one table for each
system.

The tables say what the client must make of an answer, in the words of the five errors and of
success; they are written down by hand from the recordings, not taken from the client. A file's name
decides nothing. An exchange that no row covers fails and says what is missing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from tests.recorded.reading import Exchange

Meaning: TypeAlias = Literal[
    "done", "already", "gone", "denied", "unavailable", "conflict", "invalid"
]

NO_ANSWER = 0
"""The status in a row for an exchange that ended without an answer."""


class Row(NamedTuple):
    """One row; `*` stands for anything in it, `2xx` for a class of statuses, `A|B` for either
    method.
    """

    method: str
    route: str
    status: int | str
    code: str
    meaning: Meaning


class Code(Protocol):
    """How a system says in an answer what happened: its own code, or what kind of thing the body
    is.
    """

    def __call__(
        self, status: int | None, kind: str, text: str, document: Any, headers: Mapping[str, str]
    ) -> str: ...


class Uncovered(AssertionError):
    """No row says what this exchange means."""


@dataclass(frozen=True)
class Table:
    """The table of one system. `routes`: templates, the first that fits counts; `{name}` is one
    segment, `{name...}` the rest.
    """

    system: str
    routes: Sequence[str]
    rows: Sequence[Row]
    code_of: Code

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        return [(route, _pattern(route)) for route in self.routes]

    def route(self, path: str) -> str:
        """The template that a path follows. Raises Uncovered."""
        for route, pattern in self._patterns:
            if pattern.fullmatch(path):
                return route
        raise Uncovered(f"{self.system}: no route is known for {path}; add it to the table")

    def code(self, exchange: Exchange) -> str:
        headers = dict(reversed(exchange.answer_headers))
        return self.code_of(
            exchange.status, exchange.content_type, exchange.text, exchange.json(), headers
        )

    def meaning(self, exchange: Exchange) -> Meaning:
        """What the recorded answer means. Raises Uncovered."""
        route, code = self.route(exchange.path), self.code(exchange)
        for row in self.rows:
            if fits(row, exchange, route, code):
                return row.meaning
        raise Uncovered(
            f"{exchange}: no row for {exchange.method} {route} -> {exchange.status} "
            f"{code!r}; add one to the table of {self.system}"
        )


def fits(row: Row, exchange: Exchange, route: str, code: str) -> bool:
    return (
        (row.method == "*" or exchange.method in row.method.split("|"))
        and fnmatchcase(route, row.route)
        and _has_status(row.status, exchange.status or NO_ANSWER)
        and fnmatchcase(code, row.code)
    )


def rows(*groups: Iterable[tuple[str, str, int | str, str, Meaning]]) -> tuple[Row, ...]:
    return tuple(Row(*entry) for group in groups for entry in group)


def _has_status(wanted: int | str, status: int) -> bool:
    if isinstance(wanted, int):
        return wanted == status
    return wanted == "*" or (wanted.endswith("xx") and status // 100 == int(wanted[0]))


def _pattern(route: str) -> re.Pattern[str]:
    parts = re.split(r"(\{\w+(?:\.\.\.)?\})", route)
    text = "".join(
        (".*" if part.endswith("...}") else "[^/]+") if part.startswith("{") else re.escape(part)
        for part in parts
    )
    return re.compile(text, re.DOTALL)
