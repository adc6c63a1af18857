"""`tombstones`: reserved names of former members."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, actor, say, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.people import tombstones as story
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.people.tombstones import TOMBSTONES, TombstoneView


@click.group()
def tombstones() -> None:
    """Reserved names of former members."""


@tombstones.command("list", epilog=example("tombstones list"))
@asking(TOMBSTONES)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List the names that are still reserved."""
    rows = TOMBSTONES.found(standing_tombstones(), asked)
    show(
        list(map(TombstoneView.from_row, rows)),
        ("username", "created_at", "expires_at"),
        as_json=as_json,
        empty=NOTHING if asked.q else "No reserved names.",
    )


@tombstones.command(epilog=example("tombstones release alan"))
@click.argument("name")
def release(name: str) -> None:
    """Release the reserved name NAME."""
    story.release(name, actor=actor())
    say(f"The name {name} can be used again.")
