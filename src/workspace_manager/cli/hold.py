"""`hold`: show, begin and end a hold."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import JSON, actor, print_json, say, show_one
from workspace_manager.contract.message import in_words
from workspace_manager.operations import clock_health, hold_orders
from workspace_manager.operations.hold_orders import view_hold


@click.group()
def hold() -> None:
    """The hold: nothing opens, is erased or expires while it stands."""


@hold.command(epilog=example("hold show"))
@JSON
def show(as_json: bool) -> None:
    """Show the hold and its reason, or who ended the last one."""
    found = hold_orders.latest_hold()
    if as_json:
        print_json(view_hold(found))
    elif found is None:
        say("Nothing is on hold, and nothing ever was.")
    else:
        say(
            in_words(clock_health.hold_reason(found))
            if found.ended_at is None
            else "Nothing is on hold."
        )
        show_one(view_hold(found).model_dump(exclude={"text", "text_message"}))


@hold.command(epilog=example("hold begin"))
def begin() -> None:
    """Begin a hold, after the database was restored from a backup."""
    hold_orders.begin_for_restore(actor=actor())
    say("Nothing opens, is erased or expires until: workspace-manager hold confirm")


@hold.command(epilog=example("hold confirm"))
def confirm() -> None:
    """End the hold: the time is right, and restored data has been looked through."""
    hold_orders.confirm(actor=actor())
    say("What waited goes on within a minute.")
