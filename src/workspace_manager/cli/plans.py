"""`plans`: list and show plans, and decide on their steps."""

import uuid
from collections.abc import Iterator

import click
from rich.text import Text

from workspace_manager.cli.example import example
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.layout import words as as_words
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.local_time import local
from workspace_manager.cli.output import (
    JSON,
    NOTHING,
    actor,
    console,
    fail,
    print_json,
    say,
    show,
)
from workspace_manager.contract.connector import UNKNOWN
from workspace_manager.core.lists import ListQuery
from workspace_manager.core.timestamps import in_utc
from workspace_manager.engine import actions
from workspace_manager.engine.extras import CredentialState, CredentialView
from workspace_manager.engine.preview import await_looks
from workspace_manager.engine.view import PlanView, StepView
from workspace_manager.plan_kinds import PLANS, preview_plan, view_plan
from workspace_manager.records.models import Plan
from workspace_manager.removal import left_account
from workspace_manager.removal.preview_changes import SinceView
from workspace_manager.wiring import connected_systems

MARKS = {
    "done": "✓", "already_gone": "✓", "running": "▶", "pending": "·", "waiting": "…", "stuck": "✗",
    "skipped": "–",
    "by_hand": "✎",
}  # fmt: skip


@click.group()
def plans() -> None:
    """Plans, step by step."""


@plans.command("list", epilog=example("plans list --state stuck"))
@asking(PLANS)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List plans, newest first."""
    rows = PLANS.found(Plan.objects.filter(belongs_to=None), asked)
    items = [
        {
            "id": str(p.id),
            "kind": p.kind,
            "person": p.person,
            "state": p.state,
            "created_at": in_utc(p.created_at),
        }
        for p in rows
    ]
    show(
        items,
        ("id", "kind", "person", "state", "created_at"),
        as_json=as_json,
        empty=NOTHING if asked.filters.keys() - {"state"} or asked.q else _none(asked),
    )


def _none(asked: ListQuery) -> str:
    state = asked.filters.get("state")
    return f"No plan is {state}." if state else "There is no plan."


@plans.command("show", epilog=example("plans show 8c499e48"))
@click.argument("plan_id", type=IdOf(Plan), metavar="ID")
@JSON
def show_(plan_id: uuid.UUID, as_json: bool) -> None:
    """Show plan ID with every step, its evidence and its reason to wait."""
    plan = Plan.objects.get(id=plan_id)
    view = preview_plan(plan, connected_systems())
    if as_json:
        print_json(view)
        return
    print_plan(view)
    if view.since_preview:
        say_since(view.since_preview)


def say_since(since: SinceView) -> None:
    """Print the changes since a draft was made."""
    if since.text:
        say(f"\n{since.text}")
        for text in since.lost:
            say(text, first="  - ")


def repeat_the_name(name: str, what: str) -> None:
    """Ask for the name; end the command unless it matches."""
    typed = click.prompt(f"\nType {name} to remove {what}", default="", show_default=False)
    if typed != name:
        fail("Nothing was started: the name was not repeated.")


def print_plan(view: PlanView) -> None:
    kind, person = (view.kind, "bold"), (view.person, "bold")
    console.print(Text.assemble("\n", kind, " of ", person, f": {view.state}"))
    say(f"plan {view.id}")
    say(view.headline.text)
    if view.ends_at:
        say(f"made {local(view.created_at)}; it can be confirmed until {local(view.ends_at)}")
    if view.noted.text:
        say(view.noted.text, first="✗ ")
        say(f"What to do: {view.noted.advice}", first="  ")
    for step in view.steps:
        _print_step(step)
    for title, texts in (
        ("To do by hand", view.by_hand),
        ("Found", view.findings),
        ("Note", view.remarks),
    ):
        for text in texts:
            say(text, first=f"  {title}: ")
    late = view.late_look
    if late.due_at:
        state = Plan.RecheckState(late.state).label
        due = f"{state}, due {local(late.due_at)} {late.text}"
        say(f"  Follow-up check: {due}".rstrip())
    if view.end_of_access:
        say("\nCredentials, and whether each still works:")
    for kept in view.end_of_access:
        until = f" At the latest until {local(kept.until)}." if kept.until else ""
        at = f" ({local(kept.at)})" if kept.at else ""
        first = f"  {kept.label or as_words(kept.credential):<20} {_good_for(kept):<16} "
        say(f"{kept.text}{until}{at}", first=first)


def _good_for(kept: CredentialView) -> str:
    """Return the state of a credential; an open one without an end could not be shut."""
    refused = kept.state == CredentialState.OPEN and not kept.until
    return "open" if refused else str(CredentialState(kept.state).label)


def _print_step(step: StepView) -> None:
    name = (f"{step.n} {step.label or as_words(step.name)}", "bold")
    where = f" ({as_words(step.system)}): {as_words(step.state)}"
    console.print(Text.assemble(f"\n{MARKS[step.state]} ", name, where))
    for text in _told(step):
        say(f"    {text}")
    for change in step.changes:
        before = "not found" if change.before is None else "there"
        before = "unknown" if change.before == UNKNOWN else before
        added = ", made after the preview" if change.added else ""
        say(
            f"    {change.action:<7} {change.kind:<28} {change.id}  (now: {before}{added}) "
            f"{change.state}"
        )
    for piece in step.evidence:
        say(f"{local(piece.at)} {piece.text}", first="    ✓ ")


def _told(step: StepView) -> Iterator[str]:
    """Yield the step's results, times, next attempt and advice."""
    if step.reason:
        yield step.reason
    if step.state in {"waiting", "stuck"}:
        times = "once" if step.attempts == 1 else f"{step.attempts} times"
        yield f"since {local(step.since)}, tried {times}"
        yield f"next try {local(step.next_try_at)}" if step.next_try_at else step.again
    if step.advice:
        yield f"What to do: {step.advice}"


@plans.command("remove-left", epilog=example("plans remove-left 8c499e48"))
@click.argument("plan_id", type=IdOf(Plan), metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask for the user name.")
def remove_left(plan_id: uuid.UUID, yes: bool) -> None:
    """Remove the account that the removal ID left at the identity provider, after showing it."""
    removal = Plan.objects.get(id=plan_id)
    plan = left_account.draft_left(removal, actor=actor(), systems=connected_systems())
    await_looks(plan)
    print_plan(view_plan(plan))
    if not yes:
        repeat_the_name(plan.person, "this account")
    left_account.approve_left(plan, digest=plan.digest, actor=actor())
    say(f"\nThe account is removed by plan {plan.id}.")


@plans.command(epilog=example("plans retry 8c499e48 6"))
@click.argument("plan_id", type=IdOf(Plan), metavar="ID")
@click.argument("n", type=int)
def retry(plan_id: uuid.UUID, n: int) -> None:
    """Retry step N of plan ID now."""
    actions.retry(Plan.objects.get(id=plan_id), n, actor=actor())
    say(f"Step {n} is tried again.")


@plans.command(epilog=example('plans skip 8c499e48 6 --reason "The triplestore was switched off."'))
@click.argument("plan_id", type=IdOf(Plan), metavar="ID")
@click.argument("n", type=int)
@click.option("--reason", required=True, help="Why; it stays with the plan.")
def skip(plan_id: uuid.UUID, n: int, reason: str) -> None:
    """Skip step N of plan ID for good."""
    actions.skip(Plan.objects.get(id=plan_id), n, actor=actor(), reason=reason)
    say(f"Step {n} is skipped; what it would have removed stays.")


@plans.command(
    "by-hand", epilog=example('plans by-hand 8c499e48 6 --note "Dropped the account myself."')
)
@click.argument("plan_id", type=IdOf(Plan), metavar="ID")
@click.argument("n", type=int)
@click.option("--note", required=True, help="What was done, and where; it stays with the plan.")
def by_hand(plan_id: uuid.UUID, n: int, note: str) -> None:
    """Mark step N of plan ID as done by hand."""
    actions.by_hand(Plan.objects.get(id=plan_id), n, actor=actor(), note=note)
    say(f"Step {n} is noted as done by hand.")
