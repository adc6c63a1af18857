"""`python -m workspace_manager.cli`: the same as `workspace-manager`."""

import sys
from importlib.metadata import entry_points

from django.core.exceptions import ImproperlyConfigured
from environs import EnvError

try:
    import workspace_manager.bootstrap  # noqa: F401  sets Django up before tables are imported
except (ImproperlyConfigured, EnvError) as wrong:
    sys.exit(f"✗ {wrong}")
from workspace_manager.cli import (
    administrators,
    backfill_ontology_projects,
    check,
    letters,
    people,
    plans,
    registrations,
    run_parts,
    settings,
    setup,
    strangers,
    systems,
    tokens,
    tombstones,
)
from workspace_manager.cli.output import Cli

main = Cli(
    name="workspace-manager",
    help="Let people into a shared research workspace, and let them go again.",
)
for module in (
    run_parts,
    check,
    setup,
    registrations,
    people,
    plans,
    systems,
    strangers,
    tombstones,
    administrators,
    backfill_ontology_projects,
    tokens,
    letters,
    settings,
):
    for command in module.COMMANDS:
        main.add_command(command)

for entry in entry_points(group="workspace_manager.commands"):
    main.add_command(entry.load())

if __name__ == "__main__":
    sys.exit(main())
