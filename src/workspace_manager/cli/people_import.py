"""`people import`: take over people from a table."""

import re
from typing import Any, Final

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import JSON, actor, print_json, print_note, reading, show
from workspace_manager.core.csv_table import read_csv
from workspace_manager.core.messages import encode_message
from workspace_manager.people.filters import PEOPLE
from workspace_manager.reconcile import people_file
from workspace_manager.reconcile.people_file import Result, Row
from workspace_manager.wiring import connected_systems

"""The most errors of a file that are printed."""
IN_WORDS: Final = {
    "here": "already here",
    "linked": "linked",
    "nobody": "nobody there",
    "refused": "refused",
}
READ: Final = ("username", "sub", "email", "role", "state", "ends_at")
UNREAD: Final = tuple(name for name in PEOPLE.columns if name not in READ)
"""Columns of `people export` that an import does not read."""
WORDS: Final = ("role", "state", "ends_at")
ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
WOULD_BE: Final = {**IN_WORDS, "linked": "will be linked"}


@click.command("import", epilog=example("people import people.csv --dry-run"))
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--dry-run", is_flag=True, help="Only say what would become of each row.")
@JSON
def import_(file: str, dry_run: bool, as_json: bool) -> None:
    """Take over the people in FILE whom the identity provider has.

    FILE has the columns of `people export`. `username` is required, and the other columns have to
    agree with the last `reconcile`; `ends_at` is set as the last day. No row makes a user at the
    identity provider or gives a role. A file with an error changes nothing.
    """
    rows = _read(file)
    if dry_run:
        found, row = people_file.look(rows, connected_systems()), None
    else:
        found, row = people_file.bring(rows, actor=actor(), systems=connected_systems())
    if as_json:
        taken = str(row.id) if row else None
        print_json({"items": [_shown(one) for one in found], "count": len(found), "id": taken})
        return
    words = WOULD_BE if dry_run else IN_WORDS
    lines = [{**_shown(one), "result": words[one.outcome]} for one in found]
    show(lines, ("line", "username", "result", "text"), as_json=False, empty="No row.")
    counts = {word: sum(one["result"] == word for one in lines) for word in words.values()}
    print_note(", ".join(f"{n} {word}" for word, n in counts.items() if n) + ".")
    if row:
        print_note(
            f"Taken over as {row.id}. To take it back: workspace-manager take-over undo {row.id}"
        )


def _read(file: str) -> list[Row]:
    with reading(file, consequence="Nothing was taken over."):
        found = read_csv(file, PEOPLE.columns, needed="username", unique=("username", "sub"))
    unread = [name for name in UNREAD if any(row.get(name) for _, row in found)]
    if unread:
        why = "Names come from the identity provider, and sign-ins happen here."
        print_note(f"Not taken from the list: {', '.join(unread)}. {why}")
    return [
        Row(line, **{name: _plain(name, row.get(name, "")) for name in READ}) for line, row in found
    ]


def _plain(column: str, text: str) -> str:
    """Restore the case of words and ids, which spreadsheets may change."""
    return text.lower() if column in WORDS or (column == "sub" and ID.fullmatch(text)) else text


def _shown(one: Result) -> dict[str, Any]:
    return {
        "line": one.row.line,
        "username": one.row.username,
        "result": one.outcome,
        "text": one.text.english,
        "text_message": encode_message(one.text),
    }
