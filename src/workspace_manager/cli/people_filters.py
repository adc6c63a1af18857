"""Which people: what `people list` and `people export` take, with the names that REST has."""

from collections.abc import Callable
from datetime import date
from typing import Any, Final, TypeVar

import click

from workspace_manager.cli.audit import Moment
from workspace_manager.people.filters import GROUPS, NOBODY, SORTED_BY, STATES
from workspace_manager.records.models import Person
from workspace_manager.systems import registry

F = TypeVar("F", bound=Callable[..., Any])


class Day(click.ParamType[date]):
    """A date."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        try:
            return date.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no date, as 2026-12-31.", param, ctx)


class System(click.ParamType[str]):
    """The name of a connected system: which there are is looked up when one is named."""

    name = "system"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        names = registry().names()
        if value not in names:
            self.fail(f"There is no system {value!r}. There are: {', '.join(names)}.", param, ctx)
        return str(value)


_OPTIONS = (
    click.option(
        "--state",
        type=click.Choice([*STATES, *(one for one in GROUPS if one != NOBODY)]),
        help="Only these; here: active, suspended or leaving.",
    ),
    click.option("--role", type=click.Choice(Person.Role.values), help="Only these."),
    click.option("--system", type=System(), help="Only who has an account of their own there."),
    click.option(
        "--signed-in/--never-signed-in", default=None, help="Only who did so, or never did."
    ),
    click.option("--signed-in-since", type=Moment(), help="Only whose last sign-in is since then."),
    click.option("--signed-in-before", type=Moment(), help="Only whose last sign-in was before."),
    click.option("--has-end/--without-end", default=None, help="Only who has an end date, or not."),
    click.option("--ends-since", type=Day(), help="Only whose end date is this day or later."),
    click.option("--ends-before", type=Day(), help="Only whose end date is before this day."),
)
SORT: Final = click.option(
    "--sort",
    type=click.Choice([*SORTED_BY, *(f"-{one}" for one in SORTED_BY)]),
    metavar="MEMBER",
    help=f"By {', '.join(SORTED_BY)}; with - before it descending.",
)


def FILTERS(command: F) -> F:  # noqa: N802  used as the other decorators of options are
    """Add every filter to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
