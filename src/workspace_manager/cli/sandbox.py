"""`sandbox`: the systems alone, for trying a manager of one's own against them."""

import os
import sys
import tempfile

import click

from workspace_manager.cli.speak import fail


@click.command()
@click.option(
    "--real",
    is_flag=True,
    help="Use real Keycloak, MariaDB, podman, JupyterHub and RDF4J where this machine can.",
)
@click.option(
    "--manager-url",
    default="http://127.0.0.1:8000",
    show_default=True,
    help="Where the manager will be.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON line when ready (it always does)."
)
def sandbox(real: bool, manager_url: str, as_json: bool) -> None:  # noqa: ARG001  the line is JSON either way
    """Start every system on loopback and print how to reach them, until Ctrl-C."""
    with tempfile.TemporaryDirectory(prefix="workspace-manager-sandbox-") as folder:
        command = [
            sys.executable,
            "-m",
            "workspace_manager.sandbox",
            "--data",
            folder,
            "--manager-url",
            manager_url,
        ]
        code = os.spawnv(os.P_WAIT, sys.executable, [*command, *(["--real"] if real else [])])  # noqa: S606
    if code:
        fail("The sandbox ended; what it printed says why.")


COMMANDS = [sandbox]
