"""`health`: how the connected systems stand, as the worker saw them. Nothing is called."""

from typing import Any

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import JSON, show
from workspace_manager.cli.system_argument import INSTALLED
from workspace_manager.contract.message import in_words
from workspace_manager.core.clock import database_now
from workspace_manager.core.timestamps import in_utc
from workspace_manager.operations.health_findings import open_findings
from workspace_manager.operations.health_state import SystemHealth, read_healths
from workspace_manager.systems import registry

COLUMNS = ("name", "state", "since", "answered_at", "latency_ms", "findings", "reason")


@click.command(epilog=example("health drive"))
@click.argument("system", required=False, type=INSTALLED)
@JSON
def health(system: str | None, as_json: bool) -> None:
    """Say how SYSTEM stands, or all systems: since when, and why it is not up."""
    names = [system] if system else registry().names()
    known = read_healths(names, database_now())
    show([_row(known[name]) for name in names], COLUMNS, as_json=as_json, empty="")


def _row(one: SystemHealth) -> dict[str, Any]:
    row = one.row
    return {
        "name": one.system,
        "state": one.state,
        "since": in_utc(one.since),
        "reason": in_words(one.reason) if one.reason else None,
        "told_by": row.told_by if row else "",
        "answered_at": in_utc(row.answered_at) if row else None,
        "latency_ms": row.latency_ms if row else None,
        "looked_at": in_utc(row.looked_at) if row else None,
        "look_at": in_utc(row.look_at) if row else None,
        "findings": len(open_findings(one.system)),
    }
