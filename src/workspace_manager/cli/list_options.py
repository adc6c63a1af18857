"""Options of commands that list, for filters, order and search, made from the list's
declaration.
"""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from functools import wraps
from typing import Any, Final, TypeVar

import click

from workspace_manager.cli.local_time import ZONE
from workspace_manager.core import lists
from workspace_manager.core.lists import ListQuery, ListSpec, Member
from workspace_manager.core.timestamps import parse_moment

C = TypeVar("C", bound=Callable[..., Any])
Option = Callable[[C], C]


class Moment(click.ParamType[datetime]):
    """A date (its first minute, in this terminal's time zone) or a moment."""

    name = "moment"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        try:
            return parse_moment(str(value), ZONE)
        except ValueError:
            self.fail(f"{value!r} is no date or moment, as 2026-12-31T08:00+01:00.", param, ctx)


class Day(click.ParamType[date]):
    """A date."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        try:
            return date.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no date, as 2026-12-31.", param, ctx)


class OneOf(click.ParamType[str]):
    """One of a set that is known when the command runs, such as a connected system."""

    def __init__(self, name: str, choice: lists.Choice) -> None:
        self.name = name
        self._choice = choice

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        names = self._choice.known
        if value not in names:
            there = ", ".join(names)
            self.fail(f"There is no {self.name} {value!r}. There are: {there}.", param, ctx)
        return str(value)


WORDS: Final = click.option(
    "--q",
    default="",
    metavar="WORDS",
    help="Only where each of these words stands; who is called exactly so comes first.",
)


def asking(what: ListSpec, *, ordered: bool = True) -> Callable[[C], C]:
    """Add the options of a list; the command receives `asked`. `ordered`: False if the command has
    an order of its own.
    """

    def decorated(command: C) -> C:
        @wraps(command)
        def run(*args: Any, q: str, sort: str | None = None, **options: Any) -> Any:
            typed = {one.name: options.pop(one.name) for one in what.filters}
            filters = {name: value for name, value in typed.items() if value is not None}
            return command(*args, asked=ListQuery(q, sort or "", filters), **options)

        for option in reversed([*_options(what, ordered=ordered)]):
            run = option(run)
        return run  # type: ignore[return-value]  # it takes the options in place of `asked`

    return decorated


def _options(what: ListSpec, *, ordered: bool) -> Iterator[Option[Any]]:
    for one in what.filters:
        yield _option(one)
    if ordered:
        names = ", ".join(one.name for one in what.orders)
        yield click.option(
            "--sort",
            type=click.Choice(what.sorts),
            metavar="MEMBER",
            help=f"By {names}; with - before it descending.",
        )
    yield WORDS


def _option(member: Member) -> Option[Any]:
    typed = f"--{member.name.replace('_', '-')}"
    help_ = member.help.replace("`", "")
    match member.kind:
        case lists.Either(opposite=opposite):
            return click.option(f"{typed}/--{opposite}", default=None, help=help_)
        case lists.Choice(names=tuple(names)):
            kind: Any = click.Choice(names)
        case lists.Choice() as choice:
            kind = OneOf(member.name, choice)
        case lists.Day():
            kind = Day()
        case lists.Moment():
            kind = Moment()
        case lists.Id():
            kind = click.UUID
        case lists.Text():
            return click.option(typed, metavar=member.name.upper(), help=help_)
    return click.option(typed, type=kind, help=help_)
