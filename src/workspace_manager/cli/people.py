"""`people`: list, remove, suspend and resume people."""

import time

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.layout import words as as_words
from workspace_manager.cli.local_time import ZONE
from workspace_manager.cli.output import JSON, actor, fail, print_json, say
from workspace_manager.cli.people_end_date import end_date
from workspace_manager.cli.people_export import export
from workspace_manager.cli.people_import import import_
from workspace_manager.cli.people_list import list_, show_
from workspace_manager.cli.people_timeline import timeline
from workspace_manager.cli.permissions import permissions
from workspace_manager.cli.plans import print_plan, repeat_the_name, say_since
from workspace_manager.contract import wait_hooks
from workspace_manager.core.views import as_text
from workspace_manager.engine.headline import SETTLED
from workspace_manager.engine.lease import WaitReason, waited_for
from workspace_manager.engine.preview import await_looks
from workspace_manager.engine.view import step_label
from workspace_manager.people import suspend as suspension
from workspace_manager.people.suspension_terms import Terms, read_until
from workspace_manager.people.suspension_view import SuspensionView, suspension_view
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import Person, Plan
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.removal.preview_changes import since_preview
from workspace_manager.wiring import connected_systems
from workspace_manager.work import project_transfer


@click.group()
def people() -> None:
    """People of the workspace."""


people.add_command(list_)
people.add_command(show_)


@people.command(epilog=example("people remove alan --wait"))
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask for the user name.")
@click.option("--wait", is_flag=True, help="Watch until the plan is done or needs a person.")
@click.option(
    "--transfer",
    multiple=True,
    metavar="PROJECT=NAME",
    help=(
        "Hand a project (its id) over to one of its members instead of deleting it. May be "
        "repeated."
    ),
)
@click.option(
    "--remove-adopted",
    is_flag=True,
    help="Also delete accounts that were taken over. Without this they are disabled and kept.",
)
def remove(
    name: str, yes: bool, wait: bool, transfer: tuple[str, ...], remove_adopted: bool
) -> None:
    """Show the removal of NAME, ask for the name, and start it."""
    chosen = dict(_heir(text) for text in transfer)
    plan = draft_removal(
        name, actor=actor(), systems=connected_systems(), remove_adopted=remove_adopted
    )
    await_looks(plan)
    print_plan(view_plan(plan))
    for one in project_transfer.transfer_candidates(Person.objects.get(username=name)):
        members = ", ".join(one.members)
        say(f"  Can be handed over: “{one.label}” with --transfer {one.id}=NAME, to {members}")
    seen = since_preview(plan, connected_systems()).seen
    while not yes:
        repeat_the_name(name, "this person")
        # Members who joined while the name was typed were not shown: the losses are shown again,
        # and the name is asked for again.
        again = since_preview(plan, connected_systems())
        if again.seen == seen:
            break
        seen = again.seen
        say_since(again)
    plan = approve_removal(
        plan.id,
        digest=plan.digest,
        actor=actor(),
        systems=connected_systems(),
        transfer=chosen,
        seen=seen,
    )
    say(f"\nThe removal of {name} runs as plan {plan.id}.")
    if wait:
        _watch(plan)


@people.command(epilog=example('people suspend alan --reason "Lost laptop" --until 2027-01-31'))
@click.argument("name")
@click.option("--reason", metavar="TEXT", help="Reason, shown to administrators.")
@click.option(
    "--until",
    metavar="MOMENT",
    help=(
        "End date of the suspension: a date (its first minute, in this terminal's time zone), a "
        "moment (2026-12-31T08:00+01:00), or never."
    ),
)
@click.option("--dry-run", is_flag=True, help="Only show what would be blocked.")
@JSON
def suspend(name: str, reason: str | None, until: str | None, dry_run: bool, as_json: bool) -> None:
    """Suspend NAME: block all access without changing passwords or keys. `resume` undoes it.

    If NAME is already suspended, --reason and --until change the suspension, and all access is
    blocked again.
    """
    moment = read_until(until, ZONE) if until is not None else None
    terms = Terms(reason, moment, endless=until is not None and moment is None)
    view = suspension_view(name, connected_systems(), actor=actor(), terms=terms)
    if dry_run:
        print_json(view.model_dump(mode="json")) if as_json else _print_suspension(view)
        return
    plan = suspension.suspend(name, actor=actor(), systems=connected_systems(), terms=terms)
    if as_json:
        print_json(view_plan(plan).model_dump(mode="json"))
        return
    if view.state != Person.State.SUSPENDED:
        _print_suspension(view)
    say(f"{name} is suspended; plan {plan.id} disables the accounts.")


def _print_suspension(view: SuspensionView) -> None:
    for step in view.steps:
        what = step.skip or ", ".join(change.id for change in step.changes)
        say(what, first=f"  {step.n} {step.label:<28} ")
    for text in (*view.by_hand, *view.remarks):
        say(text, first="  - ")


@people.command(epilog=example("people resume alan"))
@click.argument("name")
def resume(name: str) -> None:
    """Resume NAME, undoing what the suspension changed."""
    plan = suspension.resume(name, actor=actor(), systems=connected_systems())
    say(f"{name} may sign in again as soon as plan {plan.id} is done.")


people.add_command(permissions)
people.add_command(export)
people.add_command(import_)
people.add_command(timeline)
people.add_command(end_date)


def _heir(text: str) -> tuple[str, str]:
    project, found, username = text.partition("=")
    if not found or not username:
        raise click.UsageError("--transfer takes PROJECT=NAME")
    return project, username


PATIENCE_S = 4
"""Seconds of waiting before the reason is printed."""


def _watch(plan: Plan) -> None:
    told: set[tuple[int, str, str]] = set()
    said = waits = ""
    since = time.monotonic()
    while True:
        plan.refresh_from_db()
        for step in plan.steps.order_by("n"):
            line = (step.n, step.state, step.reason)
            if step.state not in {"pending", "running"} and line not in told:
                told.add(line)
                name = as_text(step_label(step, plan)) or as_words(step.name)
                first = f"  {step.n} {name:<28} {as_words(step.state)}  "
                say(str(step.reason or ""), first=first)
        if plan.state == Plan.State.DONE:
            said_first = view_plan(plan).headline
            if said_first.state not in SETTLED:
                fail(f"{said_first.text} See: workspace-manager plans show {plan.id}")
            say(f"Done: {said_first.text}")
            return
        if plan.state == Plan.State.STUCK:
            fail(f"Stuck. See: workspace-manager plans show {plan.id}")
        if plan.state in {Plan.State.SUPERSEDED, Plan.State.STALE}:
            fail(
                f"Plan {plan.id} was stopped for good: another plan took its place. "
                f"See: workspace-manager plans list --q {plan.person}"
            )
        before, waits = waits, _waits_for(plan)
        if waits != before:
            since = time.monotonic()
        if waits != said and time.monotonic() - since >= PATIENCE_S:
            said = waits
            say(f"  … {waits}")
        wait_hooks.pause(0.5)


def _waits_for(plan: Plan) -> str:
    """Return what the plan waits for."""
    match waited_for(plan):
        case WaitReason.WORK:
            return "A worker is at it; a system takes its time."
        case WaitReason.ANOTHER_PLAN:
            return f"Another plan of {plan.person} is worked on first."
        case WaitReason.ITS_TIME:
            return (
                "It is tried again by itself when its time has come. See: "
                "workspace-manager plans show "
            ) + str(plan.id)
        case WaitReason.A_WORKER:
            return "No worker takes it up. Start one: workspace-manager worker"
