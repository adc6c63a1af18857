"""`strangers`: people the identity provider vouches for and whom nobody here knows."""

import uuid

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.output import JSON, NOTHING, WORDS, actor, say, show
from workspace_manager.cli.strangers_relink_list import relink_list
from workspace_manager.core.listing import ListQuery
from workspace_manager.core.timestamps import in_utc
from workspace_manager.people import unlinked_sign_ins as story
from workspace_manager.people.listings import STRANGERS
from workspace_manager.records.models import Stranger
from workspace_manager.wiring import connected_systems

ID = click.argument("stranger_id", type=IdOf(Stranger), metavar="ID")


@click.group()
def strangers() -> None:
    """Who was refused at the door, and what to do about it."""


@strangers.command("list", epilog=example("strangers list"))
@click.option(
    "--why",
    type=click.Choice([one.value for one in story.RefusalReason]),
    help="Only who was refused for this.",
)
@WORDS
@JSON
def list_(why: str | None, words: str, as_json: bool) -> None:
    """List those nobody decided about yet."""
    filters = {"state": Stranger.State.OPEN, **({"why": why} if why else {})}
    found = STRANGERS.found(Stranger.objects.all(), ListQuery(words, filters=filters))
    items = [
        {
            "id": str(s.id),
            "username": s.username,
            "email": s.email,
            "email_confirmed": s.email_confirmed,
            "sub": s.sub,
            "why": s.why,
            "times": s.times,
            "last_seen": in_utc(s.last_seen),
        }
        for s in found
    ]
    columns = ("id", "username", "email", "email_confirmed", "why", "times", "last_seen")
    empty = NOTHING if words or why else "Nobody stands at the door."
    show(items, columns, as_json=as_json, empty=empty)


@strangers.command(epilog=example("strangers relink 7ffb6cd4"))
@ID
@click.option(
    "--username",
    default="",
    help="The person who is meant. Needed for who administers or was given permissions.",
)
def relink(stranger_id: uuid.UUID, username: str) -> None:
    """Link the person of that name to this account: it was made again at the identity provider."""
    person = story.relink(
        stranger_id, actor=actor(), systems=connected_systems(), meant=username, proved=True
    )
    say(f"{person.username} signs in with this account from now on.")


@strangers.command(epilog=example("strangers adopt 7ffb6cd4"))
@ID
def adopt(stranger_id: uuid.UUID) -> None:
    """Approve this account: its next sign-in is its first here."""
    registration = story.approve_existing(stranger_id, actor=actor(), systems=connected_systems())
    say(f"{registration.username} may sign in.")


@strangers.command(epilog=example("strangers refuse 7ffb6cd4"))
@ID
def refuse(stranger_id: uuid.UUID) -> None:
    """Settle that this account does not belong here."""
    say(f"{story.refuse(stranger_id, actor=actor()).username} stays out.")


strangers.add_command(relink_list)
