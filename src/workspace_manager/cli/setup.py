"""`setup`: prepare a system for the workspace."""

import click
from django.conf import settings

from workspace_manager.cli.speak import actor, console, fail, say
from workspace_manager.lifecycle import realm_setup
from workspace_manager.wiring import driven_systems


@click.group()
def setup() -> None:
    """Prepare a system for the workspace."""


@setup.command("identity-provider")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
def identity_provider(dry_run: bool) -> None:
    """Declare attributes, clients and mappers in the realm; what others declared stays."""
    driven = driven_systems()
    changes = realm_setup.needed(driven, base_url=settings.BASE_URL)
    if not changes:
        say("The realm is as the workspace needs it: nothing is to do.")
        return
    for change in changes:
        console.print("[green]+[/] " if change.before is None else "[yellow]~[/] ", end="")
        say(f"{change.target['part']}: {change.note or change.after}")
    if dry_run:
        say(f"{len(changes)} changes would be made. Run without --dry-run to make them.")
        return
    left = realm_setup.apply(driven, changes, actor=actor())
    if left:
        fail(f"{len(left)} changes are not there yet: {', '.join(left)}")
    say(f"{len(changes)} changes made and verified.")


COMMANDS = [setup]
