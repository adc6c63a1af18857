"""`hold`: why what opens, erases or expires waits, and letting it go on."""

from typing import Any

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import JSON, actor, print_json, say, show_one
from workspace_manager.contract.message import in_words
from workspace_manager.core.timestamps import in_utc
from workspace_manager.operations import clock_health, hold_orders
from workspace_manager.records.models import Hold


@click.group()
def hold() -> None:
    """Why nothing opens, is erased or expires."""


@hold.command(epilog=example("hold show"))
@JSON
def show(as_json: bool) -> None:
    """Show what is held and why, or who let it go on last."""
    found = hold_orders.latest_hold()
    if as_json:
        print_json(_row(found))
    elif found is None:
        say("Nothing is held, and nothing ever was.")
    else:
        say(
            in_words(clock_health.hold_reason(found))
            if found.ended_at is None
            else "Nothing is held."
        )
        show_one(_row(found))


@hold.command(epilog=example("hold begin"))
def begin() -> None:
    """Hold everything after the database was put back from a backup."""
    hold_orders.begin_for_restore(actor=actor())
    say("Nothing opens, is erased or expires until: workspace-manager hold confirm")


@hold.command(epilog=example("hold confirm"))
def confirm() -> None:
    """Say that the time is right and what was put back is looked through: all goes on."""
    hold_orders.confirm(actor=actor())
    say("What waited goes on within a minute.")


def _row(found: Hold | None) -> dict[str, Any]:
    if found is None:
        return {"stands": False}
    return {
        "stands": found.ended_at is None,
        "reason": found.reason,
        "since": in_utc(found.since),
        "said": in_utc(found.said),
        "begun_by": found.begun_by,
        "ended_at": in_utc(found.ended_at),
        "confirmed_by": found.confirmed_by,
    }
