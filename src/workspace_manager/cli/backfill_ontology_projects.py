"""`backfill-ontology-projects`: link existing projects to ontology projects.

See docs/explanation/projects.md#linking-existing-projects.
"""

import sys
import uuid
from typing import Any

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.output import JSON, actor, say, show
from workspace_manager.records.models import Project
from workspace_manager.wiring import connected_systems
from workspace_manager.work import ontology_links
from workspace_manager.work.ontology_links import Line


@click.command(
    "backfill-ontology-projects", epilog=example("backfill-ontology-projects --dry-run --all")
)
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--all", "every", is_flag=True, help="Every project there is.")
@click.option("--project", type=IdOf(Project), metavar="ID", help="One project, by its id.")
@JSON
def backfill(dry_run: bool, every: bool, project: uuid.UUID | None, as_json: bool) -> None:
    """Make and link ontology projects for projects without one, and renew the members' access to
    linked ones.

    You can run it any number of times. The ontology editor has to answer.
    """
    if every == bool(project):
        raise click.UsageError("Say which projects: either --all, or --project ID.")
    chosen = [Project.objects.get(id=project)] if project else list(Project.objects.all())
    systems = connected_systems()
    with _progress(chosen, hidden=as_json) as one_by_one:
        if dry_run:
            lines = ontology_links.preview(one_by_one, systems)
        else:
            lines = ontology_links.apply(one_by_one, actor=actor(), systems=systems)
    plans = [plan for line in lines for plan in line.plans]
    rows = [_row(line) for line in lines]
    show(rows, ("project", "action", "text"), as_json=as_json, empty="There are no projects.")
    if as_json or not rows:
        return
    if dry_run:
        say("\nNothing was done. Without --dry-run it is.")
    elif plans:
        say(f"\n{len(plans)} plans run now. See: workspace-manager plans list")


def _progress(chosen: list[Project], *, hidden: bool) -> Any:
    """Iterate over projects with a progress bar, which is not part of the output."""
    return click.progressbar(
        chosen, label="Projects", show_pos=True, hidden=hidden, file=sys.stderr
    )


def _row(line: Line) -> dict[str, Any]:
    return {
        "project": str(line.project.id),
        "owner": line.project.owner.username,
        "action": str(line.action),
        "text": line.text.english,
        "plans": [str(plan.id) for plan in line.plans],
    }
