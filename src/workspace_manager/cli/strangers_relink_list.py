"""`strangers relink-list`: link people to new accounts by a table."""

from typing import Final

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import JSON, actor, print_json, print_note, reading, show
from workspace_manager.reconcile import link_list, link_list_file
from workspace_manager.reconcile.link_list import Result, Row
from workspace_manager.reconcile.relink_views import view_relink
from workspace_manager.wiring import connected_systems

"""The most errors of a file that are printed."""
IN_WORDS: Final = {
    "found": "will be linked",
    "linked": "linked",
    "already": "already linked",
    "left_out": "left out",
    "later": "not processed",
}
WHOLE_DAY_S: Final = 24 * 3600


@click.command("relink-list", epilog=example("strangers relink-list accounts.csv --dry-run"))
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--dry-run", is_flag=True, help="Only say what would become of each row.")
@JSON
def relink_list(file: str, dry_run: bool, as_json: bool) -> None:
    """Link each person in FILE to the account beside the name.

    FILE has the columns `username` and `account`: the new id at the identity provider, or the
    confirmed address of the account. The account has to be known from the last `reconcile` or from
    a refused sign-in. Administrators and people with permissions are left out. A file with an error
    links nobody; repeating a file links nobody twice.
    """
    rows = _read(file)
    seen = link_list.look(rows)
    found = seen if dry_run else _linked(rows, seen)
    views = list(map(view_relink, found))
    if as_json:
        print_json({"items": views, "count": len(found)})
        return
    lines = [{**one.model_dump(), "outcome": IN_WORDS[one.outcome]} for one in views]
    show(lines, ("line", "username", "outcome", "text"), as_json=False, empty="No row.")
    counts = {word: sum(one["outcome"] == word for one in lines) for word in IN_WORDS.values()}
    print_note(", ".join(f"{n} {word}" for word, n in counts.items() if n) + ".")


def _linked(rows: list[Row], seen: list[Result]) -> list[Result]:
    return link_list.link(
        rows,
        shown=link_list.digest(seen),
        actor=actor(),
        systems=connected_systems(),
        longest_s=WHOLE_DAY_S,
    )


def _read(file: str) -> list[Row]:
    with reading(file, consequence="Nobody was linked."):
        return link_list_file.rows_of_file(file)
