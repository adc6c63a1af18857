"""`systems`: which systems there are, and pausing one."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import JSON, actor, say, show
from workspace_manager.cli.system_argument import INSTALLED
from workspace_manager.engine import pause as pausing
from workspace_manager.operations.system_configuration import read_settings
from workspace_manager.records.models import SystemStatus
from workspace_manager.systems import registry

NAME = click.argument("name", type=INSTALLED)


@click.group()
def systems() -> None:
    """The connected systems."""


@systems.command("list", epilog=example("systems list"))
@JSON
def list_(as_json: bool) -> None:
    """List the systems, whether they are configured and whether they are paused."""
    stored = {row.system: row for row in SystemStatus.objects.all()}
    items = []
    for name in registry().names():
        state = read_settings(name) if name in registry().specs else None
        row, wrong = stored.get(name), registry().wrong_with(name)
        items.append(
            {
                "name": name,
                "configured": state.usable if state else False,
                "missing": state.missing if state else [],
                "paused": bool(row and row.paused),
                "reason": row.reason.english
                if row and row.paused and row.reason
                else " ".join(f.text for f in wrong),
            }
        )
    show(items, ("name", "configured", "missing", "paused", "reason"), as_json=as_json, empty="")


@systems.command(epilog=example('systems pause drive --reason "Moves to another host."'))
@NAME
@click.option(
    "--reason", default="paused by an administrator", help="Why; whoever looks at it reads it."
)
def pause(name: str, reason: str) -> None:
    """Make no more calls to SYSTEM; what needs it waits."""
    pausing.pause(name, actor=actor(), reason=reason)
    say(f"{name} is paused.")


@systems.command(epilog=example("systems resume drive"))
@NAME
def resume(name: str) -> None:
    """Call SYSTEM again, and go on with what waited."""
    pausing.resume(name, actor=actor())
    say(f"{name} is in use again.")
