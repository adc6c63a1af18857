"""`inbox`: list items of administrators or of one person, and snooze them."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.local_time import ZONE, local
from workspace_manager.cli.output import JSON, NOTHING, actor, print_json, say, show
from workspace_manager.core.clock import database_now
from workspace_manager.core.lists import ListQuery
from workspace_manager.core.timestamps import in_utc
from workspace_manager.inbox import put_off, waiting_items
from workspace_manager.inbox.item import ItemView
from workspace_manager.records.models import Person

COLUMNS = ("key", "since", "what", "why")
PERSON = click.option("--person", required=True, metavar="NAME", help="Whose inbox: a user name.")


@click.group(invoke_without_command=True, epilog=example("inbox --kind plan_stuck"))
@click.option("--person", metavar="NAME", help="What waits for this person.")
@asking(waiting_items.INBOX)
@click.option(
    "--most", type=click.IntRange(1, 1000), default=50, help="At most so many; 50 if not said."
)
@JSON
@click.pass_context
def inbox(
    context: click.Context, asked: ListQuery, person: str | None, most: int, as_json: bool
) -> None:
    """List the items that wait for administrators; with --person those of one person, without
    snoozed ones.
    """
    if context.invoked_subcommand:
        return
    found = waiting_items.list_items(
        _reader(person),
        database_now(),
        kinds=tuple(asked.filters.values()),
        most=most,
        words=asked.q,
        sort=asked.sort,
    )
    rows = list(map(ItemView.from_row, found.items))
    if as_json:
        print_json({"items": rows, "count": found.total, "counts": found.counts})
        return
    show(rows, COLUMNS, as_json=False, empty=NOTHING if asked.q else "Nothing waits.")
    if found.total > len(rows):
        say(f"These are {len(rows)} of {found.total}: see more with --most.")


def _reader(username: str | None) -> Person:
    """Return the person; without one, an administrator, since the operator may see what any
    administrator sees.
    """
    if username is None:
        return waiting_items.any_administrator()
    return Person.objects.get(username=username)


@inbox.command(
    epilog=example(
        "inbox snooze --person ada plan_stuck:0b5c8a5e-6a44-4a5b-9a67-2f0d5f3c1f11 "
        "--until 2027-01-31"
    )
)
@click.argument("key")
@click.option("--until", required=True, metavar="DATE", help="The day on which it is shown again.")
@PERSON
def snooze(key: str, until: str, person: str) -> None:
    """Snooze an item of a person until a day in this terminal's time zone."""
    whose = Person.objects.get(username=person)
    done = put_off.put_off(whose, key, until, zone=ZONE, actor=actor())
    say(f"It is shown again: {local(in_utc(done.until))}.")


@inbox.command(
    epilog=example("inbox unsnooze --person ada plan_stuck:0b5c8a5e-6a44-4a5b-9a67-2f0d5f3c1f11")
)
@click.argument("key")
@PERSON
def unsnooze(key: str, person: str) -> None:
    """Show a snoozed item again."""
    put_off.take_up(Person.objects.get(username=person), key, actor=actor())
    say("It is shown again.")
