"""`take-over`: list, confirm and undo proposed owners of existing accounts."""

import uuid

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import (
    JSON,
    NOTHING,
    WORDS,
    actor,
    print_json,
    print_note,
    say,
    show,
)
from workspace_manager.core.lists import ListQuery
from workspace_manager.reconcile import take_over as stories
from workspace_manager.reconcile.listings import PROPOSALS, TAKE_OVERS
from workspace_manager.reconcile.take_over_views import (
    UndoneView,
    view_proposals,
    view_take_over,
)
from workspace_manager.records.models import TakeOver
from workspace_manager.wiring import connected_systems

SYSTEM = click.option("--system", default="", help="Only accounts of this system.")


@click.group("take-over")
def take_over() -> None:
    """People and accounts that existed before the manager."""


@take_over.command("list", epilog=example("take-over list --proposed"))
@asking(PROPOSALS)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List accounts without owner from the last comparison, with proposed owners.

    The digest below the list is the argument of `confirm`.
    """
    found = view_proposals(connected_systems(), asked)
    if as_json:
        print_json(found)
        return
    columns = ("n", "system", "name", "login_name", "username", "why")
    empty = NOTHING if asked.q or "system" in asked.filters else "Nothing is left."
    show(found.items, columns, as_json=False, empty=empty)
    if found.left_out:
        print_note(f"{found.left_out} more follow when these were decided about, or with --q.")
    print_note(f"{found.proposals} proposed. Digest: {found.digest}")


@take_over.command(epilog=example("take-over confirm DIGEST --system drive"))
@click.argument("shown_digest", metavar="DIGEST")
@SYSTEM
@click.option("--item", "items", type=int, multiple=True, help="Only this number. Repeatable.")
@WORDS
@JSON
def confirm(
    shown_digest: str, system: str, items: tuple[int, ...], words: str, as_json: bool
) -> None:
    """Take over everything that `list` proposed under DIGEST, with the same --system and --q.

    After an interruption, repeat the command to continue.
    """
    systems = connected_systems()
    row = stories.confirm(
        stories.run_to_confirm(),
        digest_shown=shown_digest,
        asked=ListQuery(words, filters={"system": system} if system else {}),
        chosen=items or None,
        actor=actor(),
        systems=systems,
    )
    stories.go_on(row, systems)
    view = view_take_over(row)
    if as_json:
        print_json(view)
        return
    say(f"{view.taken} of {view.chosen} taken over as {row.id}.")
    for one in view.not_taken:
        say(f"  {one.n}: {one.reason}")
    print_note(f"To take it back: workspace-manager take-over undo {row.id}")


@take_over.command(epilog=example("take-over history"))
@asking(TAKE_OVERS)
@JSON
def history(asked: ListQuery, as_json: bool) -> None:
    """List confirmations, latest first."""
    rows = list(map(view_take_over, TAKE_OVERS.found(TakeOver.objects.all(), asked)))
    columns = ("id", "confirmed_at", "confirmed_by", "chosen", "taken", "refused", "undone_at")
    empty = NOTHING if asked.q else "Nothing was taken over yet."
    show(rows, columns, as_json=as_json, empty=empty)


@take_over.command(epilog=example("take-over undo 5f3c8d1e-0d7f-4f8e-9a53-1f6f0c2b7a11"))
@click.argument("take_over_id", type=click.UUID, metavar="ID")
@JSON
def undo(take_over_id: uuid.UUID, as_json: bool) -> None:
    """Undo a confirmation, except for people who signed in or made something since."""
    undone = stories.undo(take_over_id, actor=actor())
    if as_json:
        print_json(UndoneView.from_row(undone))
        return
    say(f"{undone.accounts} accounts are nobody's again.")
    if undone.kept:
        say(f"Something came of these meanwhile, and they stay: {', '.join(undone.kept)}.")
