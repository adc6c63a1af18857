"""`people export`: everybody who is here as a table that other programs read."""

from dataclasses import replace
from typing import IO

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import print_note
from workspace_manager.core.csv_table import write_csv
from workspace_manager.core.lists import ListQuery
from workspace_manager.people.everybody import PeopleList
from workspace_manager.people.everybody_views import BATCH, table_rows
from workspace_manager.people.filters import HERE, PEOPLE


@click.command("export", epilog=example("people export -"))
@click.argument("file", type=click.File("w", encoding="utf-8", lazy=False))
@asking(PEOPLE)
def export(file: IO[str], asked: ListQuery) -> None:
    """Write everybody who is here into FILE as comma-separated values; - writes them to the
    terminal. --state everybody writes who waits, was approved or left too.

    A cell that a spreadsheet would take for a formula has an apostrophe before it. No secret is in
    it. `people import` reads what is written of those who are here.
    """
    found = PeopleList(replace(asked, filters={"state": HERE, **asked.filters}))
    written = write_csv(file, PEOPLE.columns, table_rows(found.in_parts(BATCH)))
    print_note(f"{written} {'person' if written == 1 else 'people'} written.")
