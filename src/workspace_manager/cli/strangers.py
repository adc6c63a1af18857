"""`strangers`: decide on refused sign-ins of identity-provider users."""

import uuid
from dataclasses import replace

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, actor, say, show
from workspace_manager.cli.strangers_relink_list import relink_list
from workspace_manager.core.lists import ListQuery
from workspace_manager.people import unlinked_sign_ins as story
from workspace_manager.people.stranger_views import STRANGERS, view_strangers
from workspace_manager.records.models import UnapprovedSignIn
from workspace_manager.wiring import connected_systems

ID = click.argument("stranger_id", type=IdOf(UnapprovedSignIn), metavar="ID")


@click.group()
def strangers() -> None:
    """Decide about refused sign-ins."""


@strangers.command("list", epilog=example("strangers list"))
@asking(STRANGERS)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List undecided ones; --state lists others."""
    open_ = replace(asked, filters={"state": UnapprovedSignIn.State.OPEN, **asked.filters})
    items = view_strangers(list(STRANGERS.found(UnapprovedSignIn.objects.all(), open_)))
    columns = ("id", "username", "email", "email_confirmed", "why", "times", "last_seen")
    empty = NOTHING if asked.q or asked.filters else "No refused sign-ins."
    show(items, columns, as_json=as_json, empty=empty)


@strangers.command(epilog=example("strangers relink 7ffb6cd4"))
@ID
@click.option(
    "--username",
    default="",
    help="The person to link. Required for administrators and people with permissions.",
)
def relink(stranger_id: uuid.UUID, username: str) -> None:
    """Link a person to an account that was created again at the identity provider."""
    person = story.relink(
        stranger_id, actor=actor(), systems=connected_systems(), meant=username, proved=True
    )
    say(f"{person.username} signs in with this account from now on.")


@strangers.command(epilog=example("strangers adopt 7ffb6cd4"))
@ID
def adopt(stranger_id: uuid.UUID) -> None:
    """Admit this account as a new person."""
    registration = story.approve_existing(stranger_id, actor=actor(), systems=connected_systems())
    say(f"{registration.username} may sign in.")


@strangers.command(epilog=example("strangers refuse 7ffb6cd4"))
@ID
def refuse(stranger_id: uuid.UUID) -> None:
    """Refuse this account for good."""
    say(f"{story.refuse(stranger_id, actor=actor()).username} stays out.")


strangers.add_command(relink_list)
