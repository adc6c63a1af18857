"""`serve`, `worker`, `migrate`: the processes of a production installation."""

import resource
from typing import Final
from urllib.parse import urlsplit

import click
from django.conf import settings
from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from granian import Granian
from granian.constants import Interfaces

from workspace_manager import log_lines
from workspace_manager import worker as engine
from workspace_manager.cli.example import example
from workspace_manager.cli.messages import message
from workspace_manager.cli.output import fail, say
from workspace_manager.contract.secret_keys import MAKE_ONE
from workspace_manager.core import connections
from workspace_manager.core.signed_cache import SignedCache
from workspace_manager.wiring import connected_systems

CONNECTIONS: Final = 1024
"""Connections of one process; further clients wait."""
STOP_WITHIN_S: Final = 30
"""Seconds that a stopping server gives running requests."""


FIRST_SCHEMA: Final = ("records", "0001_initial")
"""Rewritten in place: databases made with it cannot be migrated."""


def _refuse_earlier_version() -> None:
    if FIRST_SCHEMA in MigrationRecorder(connection).applied_migrations():
        fail(message("earlier_version").english)


def _refuse_what_cannot_work() -> None:
    """Check the configuration first: one sentence now instead of an error on every page."""
    _refuse_earlier_version()
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        fail(
            "The database schema is not the one this version needs. Run: workspace-manager migrate"
        )
    if not settings.SECRET_KEYS:
        fail(
            "WORKSPACE_SECRET_KEYS is not set. Make a key, and keep it with the backups: "
            f"{MAKE_ONE}"
        )
    connected_systems()  # reads stored secrets, which needs their keys


def _leave_no_image() -> None:
    """Disable core dumps, which would contain secrets."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def serve_web(application: str, host: str, port: int, *, workers: int) -> None:
    """Run the web server without an access log, which would name people."""
    Granian(
        application,
        address=host,
        port=port,
        interface=Interfaces.ASGINL,
        workers=workers,
        log_access=False,
        log_dictconfig=log_lines.WEB_SERVER,
        websockets=False,
        backpressure=CONNECTIONS,
        workers_kill_timeout=STOP_WITHIN_S,
    ).serve()


@click.command(epilog=example("serve --host 127.0.0.1 --port 8000"))
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option(
    "--port",
    default=0,
    help="Default: the port of WORKSPACE_BASE_URL when that is this host, else 8000.",
)
@click.option("--workers", default=1, show_default=True, help="Processes.")
def serve(host: str, port: int, workers: int) -> None:
    """Serve pages and the REST API. Runs no steps: start `worker` beside it."""
    _leave_no_image()
    _refuse_what_cannot_work()
    base = urlsplit(settings.BASE_URL)
    port = port or (
        base.port if base.hostname in {"127.0.0.1", "localhost"} and base.port else 8000
    )
    # Web processes are forks: none may inherit open connections.
    connections.close_all()
    serve_web("workspace_manager.web.asgi:application", host, port, workers=workers)


@click.command(epilog=example("worker --threads 4"))
@click.option(
    "--threads",
    default=0,
    help="Plans worked on at once. Default: what all systems together may take, and some more.",
)
def worker(threads: int) -> None:
    """Run plans. No other process changes anything in a system."""
    _leave_no_image()
    _refuse_what_cannot_work()
    engine.serve(workers=threads)


@click.command(epilog=example("migrate"))
def migrate() -> None:
    """Migrate the database schema to this version."""
    _refuse_earlier_version()
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    cache = caches["default"]
    if isinstance(cache, SignedCache):
        cache.forget_unsigned()
    say("The database schema is up to date.")
