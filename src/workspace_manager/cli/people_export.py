"""`people export`: everybody who is here as a table that other programs read."""

from typing import IO, Any

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import aside
from workspace_manager.cli.people_filters import FILTERS
from workspace_manager.core.csv_table import write_csv
from workspace_manager.core.listing import Asked
from workspace_manager.people.documents import BATCH, COLUMNS, of_many_people
from workspace_manager.people.filters import PEOPLE, given
from workspace_manager.records.models import Person


@click.command("export", epilog=example("people export -"))
@click.argument("file", type=click.File("w", encoding="utf-8", lazy=False))
@FILTERS
def export(file: IO[str], **filters: Any) -> None:
    """Write everybody who is here into FILE as comma-separated values; - writes them to the
    terminal.

    A cell that a spreadsheet would take for a formula has an apostrophe before it. No secret is in
    it.
    """
    found = PEOPLE.found(Person.objects.all(), Asked(filters=given(**filters)))
    written = write_csv(file, COLUMNS, of_many_people(found.iterator(chunk_size=BATCH)))
    aside(f"{written} {'person' if written == 1 else 'people'} written.")
