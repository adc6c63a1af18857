"""`health`: show the state of the connected systems as the worker saw it. Makes no calls."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import JSON, show
from workspace_manager.cli.system_argument import INSTALLED
from workspace_manager.core.clock import database_now
from workspace_manager.operations.health_findings import open_findings
from workspace_manager.operations.health_state import read_healths
from workspace_manager.operations.health_views import view_health_state
from workspace_manager.systems import registry

COLUMNS = ("name", "state", "since", "answered_at", "latency_ms", "findings", "reason")


@click.command(epilog=example("health drive"))
@click.argument("system", required=False, type=INSTALLED)
@JSON
def health(system: str | None, as_json: bool) -> None:
    """Show the state of SYSTEM, or of all systems: since when, and why it is not up."""
    names = [system] if system else registry().names()
    known = read_healths(names, database_now())
    rows = [
        {**view_health_state(known[name]).model_dump(), "findings": len(open_findings(name))}
        for name in names
    ]
    show(rows, COLUMNS, as_json=as_json, empty="")
