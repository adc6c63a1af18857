"""`people list`, `people show`: people in every state, with the possible actions."""

from dataclasses import replace
from typing import Any, Final

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, print_json, say, show, show_one
from workspace_manager.core.lists import ListQuery
from workspace_manager.people.everybody import PeopleList, found_as
from workspace_manager.people.everybody_views import view_everybody
from workspace_manager.people.filters import FORMER_STATE, PEOPLE
from workspace_manager.records.models import Person

COLUMNS: Final = (
    "username",
    "email",
    "email_confirmed",
    "role",
    "state",
    "last_sign_in",
    "ends_at",
    "actions",
)
FORMER_COLUMNS: Final = ("username", "sub", "left_at", "plan", "actions")
COMMANDS: Final = {
    "approve": "registrations approve {registration}",
    "reject": "registrations reject {registration} --reason TEXT",
    "withdraw": "registrations withdraw {registration}",
    "suspend": "people suspend {username}",
    "resume": "people resume {username}",
    "removal": "people remove {username}",
    "release": "tombstones release {username}",
}
"""The command of each action."""
NOT_TOLD: Final = frozenset({"id", "accounts", "former", "actions", "registration"})


@click.command("list", epilog=example("people list --state approved"))
@asking(PEOPLE)
@click.option("--former", is_flag=True, help="The same as --state former.")
@JSON
def list_(asked: ListQuery, former: bool, as_json: bool) -> None:
    """List people, also by state, role or name: applicants, approved people, present people and
    former members.
    """
    if former:
        if asked.filters or asked.sort:
            raise click.UsageError("Of who left only the name is kept: look for that with --q.")
        asked = replace(asked, filters={"state": FORMER_STATE})
    columns = FORMER_COLUMNS if asked.filters.get("state") == FORMER_STATE else COLUMNS
    items = [
        dict.fromkeys(columns) | one.model_dump() for one in view_everybody(PeopleList(asked)[:])
    ]
    show(items, columns, as_json=as_json, empty=_nobody(asked))


def _nobody(asked: ListQuery) -> str:
    if asked.filters == {"state": FORMER_STATE}:
        return f"Nobody who left is found by: {asked.q}" if asked.q else "Nobody has left yet."
    by = [*map(str, asked.filters.values()), *filter(None, [asked.q])]
    nobody = "Nobody has asked to join, and nobody is here yet."
    return f"Nobody is here as: {', '.join(by)}." if by else nobody


@click.command("show", epilog=example("people show grace"))
@click.argument("name")
@JSON
def show_(name: str, as_json: bool) -> None:
    """Show one person, what is recorded, and the possible actions; also for applicants, approved
    people and former members.
    """
    row = _found(name)
    if as_json:
        print_json(row)
        return
    show_one({name: value for name, value in row.items() if name not in NOT_TOLD})
    if accounts := row.get("accounts"):
        say("\nAccounts:")
        show(accounts, ("kind", "name", "seen_at"), as_json=False, empty="")
    if row["actions"]:
        say("\nWhat can be done:")
        for one in row["actions"]:
            say(f"  workspace-manager {COMMANDS[one].format_map(row)}")


def _found(name: str) -> dict[str, Any]:
    """Return a person's view. Raises Person.DoesNotExist."""
    row = found_as(name)
    if row is None:
        raise Person.DoesNotExist(name)
    return view_everybody([row])[0].model_dump()
