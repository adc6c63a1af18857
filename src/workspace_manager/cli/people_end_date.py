"""`people end-date`: set a person's last day."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import actor, say
from workspace_manager.people import end_dates as story


@click.command("end-date", epilog=example("people end-date grace 2027-12-31"))
@click.argument("name")
@click.argument("day", metavar="DATE")
def end_date(name: str, day: str) -> None:
    """Set the last day on which NAME may sign in, or `never`.

    After that day the person is suspended, once; nothing is removed. Administrators are told two
    weeks before.
    """
    person = story.set_end(name, story.read_day(day), actor=actor())
    if person.ends_at is None:
        say(f"{name} has no end date.")
    else:
        say(f"The last day of {name} is {person.ends_at}; after it {name} is suspended by itself.")
