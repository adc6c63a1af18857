"""`systems`: list, pause and resume systems."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, actor, say, show
from workspace_manager.cli.system_argument import INSTALLED
from workspace_manager.core.lists import ListQuery
from workspace_manager.engine import pause as pausing
from workspace_manager.operations.system_views import SYSTEMS, view_systems
from workspace_manager.systems import registry

NAME = click.argument("name", type=INSTALLED)


@click.group()
def systems() -> None:
    """The connected systems."""


@systems.command("list", epilog=example("systems list"))
@asking(SYSTEMS)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List the systems with their configuration and pauses."""
    items = [
        {**one.model_dump(), "reason": one.paused_reason or " ".join(f.text for f in wrong)}
        for one in SYSTEMS.chosen(view_systems(), asked)
        for wrong in [registry().wrong_with(one.name)]
    ]
    show(items, ("name", "configured", "missing", "paused", "reason"), as_json=as_json, empty="")


@systems.command(epilog=example('systems pause drive --reason "Moves to another host."'))
@NAME
@click.option(
    "--reason", default="paused by an administrator", help="Reason, shown with the system."
)
def pause(name: str, reason: str) -> None:
    """Stop calls to SYSTEM; work that needs it waits."""
    pausing.pause(name, actor=actor(), reason=reason)
    say(f"{name} is paused.")


@systems.command(epilog=example("systems resume drive"))
@NAME
def resume(name: str) -> None:
    """Resume calls to SYSTEM, and the work that waited for it."""
    pausing.resume(name, actor=actor())
    say(f"{name} is in use again.")
