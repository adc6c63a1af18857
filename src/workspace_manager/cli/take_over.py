"""`take-over`: whom existing accounts belong to, as proposed, confirmed and taken back."""

import uuid
from typing import Any

import click

from workspace_manager.cli.example import example
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
from workspace_manager.core.listing import ListQuery
from workspace_manager.core.messages import encode_message
from workspace_manager.core.timestamps import in_utc
from workspace_manager.reconcile import take_over as stories
from workspace_manager.reconcile.proposals import Proposal, digest, left_out, proposals
from workspace_manager.records.models import TakeOver
from workspace_manager.wiring import connected_systems

SYSTEM = click.option("--system", default="", help="Only accounts of this system.")


@click.group("take-over")
def take_over() -> None:
    """People and accounts that were there before."""


@take_over.command("list", epilog=example("take-over list --proposed"))
@SYSTEM
@click.option("--proposed/--not-proposed", default=None, help="Only these.")
@WORDS
@JSON
def list_(system: str, proposed: bool | None, words: str, as_json: bool) -> None:
    """List accounts of nobody that the last comparison found, and whose they may be.

    The digest of what is proposed stands below; `confirm` takes it.
    """
    asked = _asked(system, words)
    found, more = proposals(connected_systems(), asked), left_out(asked)
    rows = [_shown(one) for one in found if proposed in {None, bool(one.username)}]
    if as_json:
        print_json({"items": rows, "count": len(rows), "digest": digest(found), "left_out": more})
        return
    columns = ("n", "system", "name", "login_name", "username", "why")
    show(rows, columns, as_json=False, empty=NOTHING if system or words else "Nothing is left.")
    if more:
        print_note(f"{more} more follow when these were decided about, or with --q.")
    print_note(f"{sum(bool(one.username) for one in found)} proposed. Digest: {digest(found)}")


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

    Stopped in between, the same command goes on.
    """
    systems = connected_systems()
    row = stories.confirm(
        stories.run_to_confirm(),
        digest_shown=shown_digest,
        asked=_asked(system, words),
        chosen=items or None,
        actor=actor(),
        systems=systems,
    )
    stories.go_on(row, systems)
    document = _document(row)
    if as_json:
        print_json(document)
        return
    say(f"{document['taken']} of {document['chosen']} taken over as {row.id}.")
    for one in document["not_taken"]:
        say(f"  {one['n']}: {one['text']}")
    print_note(f"To take it back: workspace-manager take-over undo {row.id}")


@take_over.command(epilog=example("take-over history"))
@JSON
def history(as_json: bool) -> None:
    """List what was confirmed, latest first."""
    rows = [_document(row) for row in TakeOver.objects.order_by("-confirmed_at")]
    columns = ("id", "confirmed_at", "confirmed_by", "chosen", "taken", "refused", "undone_at")
    show(rows, columns, as_json=as_json, empty="Nothing was taken over yet.")


@take_over.command(epilog=example("take-over undo 5f3c8d1e-0d7f-4f8e-9a53-1f6f0c2b7a11"))
@click.argument("take_over_id", type=click.UUID, metavar="ID")
@JSON
def undo(take_over_id: uuid.UUID, as_json: bool) -> None:
    """Take a confirmation back, but for people who signed in or made something since."""
    undone = stories.undo(take_over_id, actor=actor())
    if as_json:
        print_json({"accounts": undone.accounts, "kept": list(undone.kept)})
        return
    say(f"{undone.accounts} accounts are nobody's again.")
    if undone.kept:
        say(f"Something came of these meanwhile, and they stay: {', '.join(undone.kept)}.")


def _asked(system: str, words: str) -> ListQuery:
    return ListQuery(words, filters={"system": system} if system else {})


def _shown(one: Proposal) -> dict[str, Any]:
    item = one.item
    return {
        "n": item.n,
        "system": item.system,
        "kind": item.kind,
        "name": item.name,
        "login_name": item.login_name,
        "email": item.email,
        "email_confirmed": item.email_confirmed,
        "username": one.username or None,
        "new": one.new,
        "why": one.why.english,
        "why_message": encode_message(one.why),
    }


def _document(row: TakeOver) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "run": str(row.run),
        "confirmed_at": in_utc(row.confirmed_at),
        "confirmed_by": row.confirmed_by,
        "finished_at": in_utc(row.finished_at),
        "undone_at": in_utc(row.undone_at),
        **stories.results(row),
        "not_taken": [{"n": n, "text": text.english} for n, text in stories.not_taken(row)],
    }
