"""`people export`: write people into a table for other programs."""

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
    """Write present people into FILE as comma-separated values; - writes them to the terminal.
    --state everybody includes applicants, approved people and former members.

    Cells that a spreadsheet would read as a formula begin with an apostrophe. The table contains no
    secrets. `people import` reads the rows of present people.
    """
    found = PeopleList(replace(asked, filters={"state": HERE, **asked.filters}))
    written = write_csv(file, PEOPLE.columns, table_rows(found.in_parts(BATCH)))
    print_note(f"{written} {'person' if written == 1 else 'people'} written.")
