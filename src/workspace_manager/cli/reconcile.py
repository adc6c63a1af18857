"""`reconcile`: compare the systems with the records."""

import click

from workspace_manager.cli import reconcile_repairs
from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, actor, say, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.reconcile import walk
from workspace_manager.reconcile.difference_views import PartView, view_difference
from workspace_manager.reconcile.items import open_items
from workspace_manager.reconcile.listings import ITEMS
from workspace_manager.records.models import ReconcileRun
from workspace_manager.wiring import connected_systems


@click.group(invoke_without_command=True, epilog=example("reconcile"))
@JSON
@click.pass_context
def reconcile(context: click.Context, as_json: bool) -> None:
    """Compare everything the systems hold with the records, now and in this process."""
    if context.invoked_subcommand is not None:
        return
    run = walk.begin(actor())
    walk.go_on(run, connected_systems())
    parts = [
        {
            **PartView.from_row(part).model_dump(),
            "differences": open_items(ignored=True).filter(system=part.system).count(),
        }
        for part in run.parts.all()
    ]
    columns = ("system", "state", "seen", "differences", "not_looked_at", "reason")
    show(parts, columns, as_json=as_json, empty="No system is installed.")
    if not as_json and run.state == ReconcileRun.State.RUNNING:
        say("What waits is read by the worker as soon as it can be.")


@reconcile.command(epilog=example("reconcile items"))
@asking(ITEMS)
@click.option("--ignored", is_flag=True, help="Also what somebody put off.")
@JSON
def items(asked: ListQuery, ignored: bool, as_json: bool) -> None:
    """List differences from the records."""
    found = ITEMS.found(open_items(ignored=ignored), asked)
    rows = list(map(view_difference, found.iterator()))
    columns = ("n", "difference", "kind", "name", "holder", "username", "first_seen")
    empty = NOTHING if asked.q or asked.filters else "Everything is as it is recorded."
    show(rows, columns, as_json=as_json, empty=empty)


for command in reconcile_repairs.COMMANDS:
    reconcile.add_command(command)
