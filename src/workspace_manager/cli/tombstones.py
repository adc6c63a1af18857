"""`tombstones`: names of people who left, kept from coming back in another's hands."""

import click
from django.utils import timezone

from workspace_manager.cli.speak import JSON, actor, fail, say, show
from workspace_manager.lifecycle import history
from workspace_manager.lifecycle.register import standing_tombstones


@click.group()
def tombstones() -> None:
    """Names of people who left."""


@tombstones.command("list")
@JSON
def list_(as_json: bool) -> None:
    """List the tombstones that still stand."""
    items = [
        {
            "username": t.username,
            "sub": t.sub,
            "created_at": t.created_at.isoformat(timespec="seconds"),
            "expires_at": t.expires_at.isoformat(timespec="seconds"),
        }
        for t in standing_tombstones()
    ]
    show(items, ("username", "created_at", "expires_at"), as_json=as_json, empty="No name is kept.")


@tombstones.command()
@click.argument("name")
def release(name: str) -> None:
    """Let NAME be used again."""
    released = (
        standing_tombstones()
        .filter(username=name)
        .update(released_at=timezone.now(), released_by=actor())
    )
    if not released:
        fail(f"No tombstone stands for {name}.")
    history.note("tombstone:released", name, actor=actor())
    say(f"{name} may be used again.")


COMMANDS = [tombstones]
