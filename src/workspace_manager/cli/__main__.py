"""`python -m workspace_manager.cli`: the same as `workspace-manager`."""

import sys

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
    demo,
    letters,
    people,
    plans,
    registrations,
    run_parts,
    sandbox,
    settings,
    setup,
    storm,
    strangers,
    systems,
    tokens,
    tombstones,
)
from workspace_manager.cli.speak import Cli

main = Cli(
    name="workspace-manager",
    help="Let people into a shared research workspace, and let them go again.",
)
for module in (
    demo,
    sandbox,
    storm,
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

if __name__ == "__main__":
    sys.exit(main())
