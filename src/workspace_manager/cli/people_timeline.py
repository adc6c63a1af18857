"""`people timeline`: show a person's history in sentences."""

from typing import Final

import click

from workspace_manager.audit.timeline import Timeline
from workspace_manager.audit.timeline_list import TIMELINE, EventView
from workspace_manager.cli.audit import MOST
from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, print_note, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.people.everybody import find_subject

COLUMNS: Final = ("at", "text")


@click.command("timeline", epilog=example("people timeline grace --kind permission"))
@click.argument("username")
@asking(TIMELINE)
@click.option(
    "--limit",
    type=click.IntRange(1, MOST),
    default=50,
    show_default=True,
    help="How many at most.",
)
@JSON
def timeline(username: str, asked: ListQuery, limit: int, as_json: bool) -> None:
    """Show the history of USERNAME, newest first; also of people who never signed in, and of former
    members as long as their name is reserved.
    """
    found = Timeline(find_subject(username), asked)
    items = list(map(EventView.from_row, found[:limit]))
    empty = "Nothing that is kept happened to this person." if asked == ListQuery() else NOTHING
    show(items, COLUMNS, as_json=as_json, empty=empty)
    if len(items) == limit and not as_json:
        print_note(f"These are the newest {limit}; --limit shows more.")
