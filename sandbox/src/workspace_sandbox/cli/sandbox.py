"""`sandbox`: only the systems, to try your own manager against them."""

import asyncio
import tempfile
from pathlib import Path

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import fail
from workspace_sandbox.__main__ import serve
from workspace_sandbox.world import World


@click.command(epilog=example("sandbox --json"))
@click.option(
    "--real",
    is_flag=True,
    help="Use real Keycloak, MariaDB, podman, JupyterHub, RDF4J, and what the folder of parts has.",
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
# the line is JSON either way
def sandbox(real: bool, manager_url: str, as_json: bool) -> None:  # noqa: ARG001
    """Start every system on loopback and print how to reach them, until Ctrl-C."""
    # In this process, so that a signal stops the systems and nothing outlives it.
    with tempfile.TemporaryDirectory(prefix="workspace-manager-sandbox-") as folder:
        try:
            asyncio.run(serve(World(Path(folder), manager_url, real=real)))
        except (OSError, RuntimeError) as why:
            fail(f"The sandbox could not run: {why}")
