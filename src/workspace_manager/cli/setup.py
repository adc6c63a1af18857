"""`setup`: prepare a system for the workspace."""

from collections.abc import Sequence

import click
from django.conf import settings
from rich.text import Text

from workspace_manager.cli.check import report
from workspace_manager.cli.example import example
from workspace_manager.cli.output import actor, fail, say
from workspace_manager.cli.plans import print_plan
from workspace_manager.contract.connector import Change
from workspace_manager.engine import run as engine
from workspace_manager.operations import as_person, realm
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import Plan
from workspace_manager.wiring import connected_systems


@click.group()
def setup() -> None:
    """Prepare a system for the workspace."""


@setup.command("identity-provider", epilog=example("setup identity-provider --dry-run"))
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option(
    "--service-account",
    metavar="CLIENT_ID",
    default="",
    help=(
        "Make a client whose service account may do what the manager needs, and no more: an "
        "alternative to the master administrator."
    ),
)
def identity_provider(dry_run: bool, service_account: str) -> None:
    """Declare attributes, clients and mappers in the realm; declarations of others stay."""
    systems = connected_systems()
    changes = realm.needed_changes(
        systems, base_url=settings.BASE_URL, service_account=service_account
    )
    if not changes:
        say("The realm is as the workspace needs it: nothing is to do.")
        _check_as_person(dry_run=dry_run)
        return
    if dry_run:
        _tell(changes)
        say(f"{len(changes)} changes would be made. Run without --dry-run to make them.")
        return
    plan = realm.start(systems, changes, actor=actor())
    realm.see_through(plan, lambda: engine.run(plan.id, connected_systems(), kinds=PLAN_KINDS))
    print_plan(view_plan(plan))
    address = f"{settings.BASE_URL}/manage/plans/{plan.id}"
    if plan.state != Plan.State.DONE:
        fail(f"The set-up is {plan.state}; why stands above. A worker goes on with it: {address}")
    say(f"{len(changes)} changes made, each looked at afresh: {address}")
    _check_as_person()


def _check_as_person(*, dry_run: bool = False) -> None:
    """Check as a person, if the settings allow it. Exits with 1 if a check fails."""
    systems = connected_systems()
    if not dry_run and as_person.is_on(systems):
        report(as_person.check(systems, actor=actor()), as_json=False)


def _tell(changes: Sequence[Change]) -> None:
    """Print one line per part of the realm: missing or different."""
    for change in changes:
        before = change.before if isinstance(change.before, dict) else {}
        lacking = {
            name: value for name, value in (change.after or {}).items() if before.get(name) != value
        }
        mark = Text("+ ", "green") if change.before is None else Text("~ ", "yellow")
        say(f"{change.target['part']}: {lacking or 'its secret is another one'}", first=mark)
