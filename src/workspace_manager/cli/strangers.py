"""`strangers`: people the identity provider vouches for and whom nobody here knows."""

import uuid

import click

from workspace_manager.cli.output import JSON, actor, say, show
from workspace_manager.people import unlinked_sign_ins as story
from workspace_manager.records.models import Stranger
from workspace_manager.wiring import connected_systems

ID = click.argument("stranger_id", type=click.UUID, metavar="ID")


@click.group()
def strangers() -> None:
    """Who was refused at the door, and what to do about it."""


@strangers.command("list")
@JSON
def list_(as_json: bool) -> None:
    """List those nobody decided about yet."""
    items = [
        {
            "id": str(s.id),
            "username": s.username,
            "email": s.email,
            "sub": s.sub,
            "why": s.why,
            "times": s.times,
            "last_seen": s.last_seen.isoformat(timespec="seconds"),
        }
        for s in Stranger.objects.filter(state=Stranger.State.OPEN)
    ]
    columns = ("id", "username", "email", "why", "times", "last_seen")
    show(items, columns, as_json=as_json, empty="Nobody stands at the door.")


@strangers.command()
@ID
def relink(stranger_id: uuid.UUID) -> None:
    """Link the person of that name to this account: it was made again at the identity provider."""
    person = story.relink(stranger_id, actor=actor())
    say(f"{person.username} signs in with this account from now on.")


@strangers.command()
@ID
def adopt(stranger_id: uuid.UUID) -> None:
    """Approve this account: its next sign-in is its first here."""
    registration = story.approve_existing(stranger_id, actor=actor(), systems=connected_systems())
    say(f"{registration.username} may sign in.")


@strangers.command()
@ID
def refuse(stranger_id: uuid.UUID) -> None:
    """Settle that this account does not belong here."""
    say(f"{story.refuse(stranger_id, actor=actor()).username} stays out.")
