"""`people timeline`: what happened to somebody, in sentences."""

from datetime import datetime
from typing import Final

import click

from workspace_manager.audit.timeline import KINDS, Timeline, of_happened
from workspace_manager.cli.asking import Moment
from workspace_manager.cli.audit import MOST
from workspace_manager.cli.example import example
from workspace_manager.cli.output import JSON, NOTHING, WORDS, print_note, show
from workspace_manager.core.listing import ListQuery
from workspace_manager.people.everybody import find_subject

COLUMNS: Final = ("at", "text")


@click.command("timeline", epilog=example("people timeline grace --kind permission"))
@click.argument("username")
@click.option("--kind", type=click.Choice([*KINDS]), help="Only what is about this.")
@click.option("--since", type=Moment(), help="Of this date or moment, or later.")
@click.option("--until", type=Moment(), help="Before this date or moment.")
@click.option(
    "--limit",
    type=click.IntRange(1, MOST),
    default=50,
    show_default=True,
    help="How many at most.",
)
@WORDS
@JSON
def timeline(
    username: str,
    kind: str | None,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    words: str,
    as_json: bool,
) -> None:
    """Tell what happened to USERNAME, newest first: also of who never signed in, and of who left as
    long as the name is kept.
    """
    given = {"kind": kind, "since": since, "until": until}
    filters = {name: value for name, value in given.items() if value is not None}
    found = Timeline(find_subject(username), ListQuery(words, filters=filters))
    items = [of_happened(one) for one in found[:limit]]
    empty = NOTHING if filters or words else "Nothing that is kept happened to this person."
    show(items, COLUMNS, as_json=as_json, empty=empty)
    if len(items) == limit and not as_json:
        print_note(f"These are the newest {limit}; --limit shows more.")
