"""`people permissions`: show and change one person's permissions."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.local_time import ZONE
from workspace_manager.cli.output import JSON, actor, show
from workspace_manager.people import permissions as story
from workspace_manager.people.permissions import PermissionView
from workspace_manager.people.suspension_terms import read_until
from workspace_manager.records.models import Person

NAMES = click.Choice(story.NAMES)


@click.command(
    "permissions",
    epilog=example("people permissions grace --give view_components --until 2027-01-31"),
)
@click.argument("name")
@click.option("--give", multiple=True, type=NAMES, help="Give this one. May be repeated.")
@click.option("--take", multiple=True, type=NAMES, help="Take this one. May be repeated.")
@click.option(
    "--until",
    metavar="MOMENT",
    help=(
        "When what is given ends by itself: a date (its first minute, in this terminal's time "
        "zone), a moment (2026-12-31T08:00+01:00), or never."
    ),
)
@JSON
def permissions(
    name: str, give: tuple[str, ...], take: tuple[str, ...], until: str | None, as_json: bool
) -> None:
    """Show the permissions of NAME, and give or take some."""
    if until is not None and not give:
        raise click.UsageError("--until is about what is given: name it with --give")
    if give or take:
        end = read_until(until, ZONE) if until is not None else None
        rows = story.change(name, give=dict.fromkeys(give, end), take=take, actor=actor())
    else:
        rows = story.held_permissions(Person.objects.get(username=name))
    show(
        list(map(PermissionView.from_row, rows)),
        ("name", "until", "given_by"),
        as_json=as_json,
        empty=f"{name} has none.",
    )
