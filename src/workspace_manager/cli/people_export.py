"""`people export`: everybody who is here as a table that other programs read."""

from typing import IO, Final

import click

from workspace_manager.cli.csv_file import write_csv
from workspace_manager.cli.example import example
from workspace_manager.cli.output import aside
from workspace_manager.core.listing import Asked
from workspace_manager.people.documents import BATCH, PEOPLE, of_many_people
from workspace_manager.records.models import Person

COLUMNS: Final = (
    "username",
    "email",
    "first_name",
    "last_name",
    "role",
    "state",
    "sub",
    "last_sign_in",
)


@click.command("export", epilog=example("people export -"))
@click.argument("file", type=click.File("w", encoding="utf-8", lazy=False))
@click.option("--state", type=click.Choice(Person.State.values), help="Only these.")
@click.option("--role", type=click.Choice(Person.Role.values), help="Only these.")
def export(file: IO[str], state: str | None, role: str | None) -> None:
    """Write everybody who is here into FILE as comma-separated values; - writes them to the
    terminal.

    A cell that a spreadsheet would take for a formula has an apostrophe before it. No secret is in
    it.
    """
    asked = {name: value for name, value in (("state", state), ("role", role)) if value}
    rows = PEOPLE.found(Person.objects.all(), Asked(filters=asked)).iterator(chunk_size=BATCH)
    written = write_csv(file, COLUMNS, of_many_people(rows))
    aside(f"{written} {'person' if written == 1 else 'people'} written.")
