"""One clock for a whole run: what is moved with it, and that it goes on."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.base import DatabaseWrapper as PostgreSQL
from django.db.backends.sqlite3.base import DatabaseWrapper as SQLite
from django.db.models import Model
from django.db.models.functions import Now

from tests.child_clock.sitecustomize import AHEAD
from tests.in_a_moved_run import AT, WHERE
from tools.clocks import MOMENT, ZONE
from workspace_manager.records import models
from workspace_sandbox.real import postgresql

ROOT = Path(__file__).resolve().parent.parent
INSIDE = "tests/in_a_moved_run.py"


def run_moved(*options: str, **more: str) -> str:
    """A run of its own that begins at that moment; gives what it said."""
    environment = {name: value for name, value in os.environ.items() if name not in {AHEAD, "TZ"}}
    environment |= {MOMENT: AT.isoformat(), ZONE: WHERE, **more}
    command = [sys.executable, "-m", "pytest", INSIDE, "-v", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert f"clock: {AT:%Y-%m-%dT%H:%M:%SZ} {WHERE}" in done.stdout, done.stdout + done.stderr
    return done.stdout


def passed(said: str, *tests: str) -> None:
    for test in tests:
        assert re.search(rf"::{re.escape(test)} +PASSED", said), said


@pytest.fixture(scope="module")
def run_output() -> str:
    return run_moved("-m", "not real")


def test_threads_are_moved_and_their_clock_goes_on(run_output: str) -> None:
    passed(run_output, "test_a_thread")


def test_sqlite_is_moved(run_output: str) -> None:
    passed(run_output, "test_the_database", "test_another_connection_to_sqlite")


def test_child_processes_are_moved(run_output: str) -> None:
    passed(run_output, "test_a_process[child]", "test_a_process[grandchild]")


def test_the_zone_is_that_of_the_run(run_output: str) -> None:
    """Also after a test that changed Django's, which puts the process into UTC."""
    passed(run_output, "test_the_zone", "test_the_zone_while_django_has_another")
    passed(run_output, "test_the_zone_after_django_had_another")


@pytest.mark.real
def test_postgresql_is_moved(real_part: Callable[..., Any]) -> None:
    real_part("PostgreSQL", version=postgresql.version(), why_not=postgresql.why_not())
    server = postgresql.PostgreSQL()
    try:
        url = server.start().url("postgres")
        said = run_moved("-m", "real or not real", WORKSPACE_DATABASE_URL=url)
    finally:
        server.stop()
    passed(said, "test_the_database", "test_postgresql_s_three_functions")
    passed(said, "test_another_connection_to_postgresql_and_a_table_made_later")


CANNOT_BE_MOVED = re.compile(
    r"current_(timestamp|date|time)\b|(?<!/)\blocaltime(stamp)?\b(?!\()|\b(unixepoch|julianday)\s*\("
    r"|\b(datetime|date|time)\(\s*'now'|timeofday\(|transaction_timestamp\(",
    re.IGNORECASE,
)
"""What a database says of the time besides the four functions that are moved."""


def sources() -> Iterator[Path]:
    for folder in ("src", "sandbox/src"):
        yield from (ROOT / folder).rglob("*.py")
        yield from (ROOT / folder).rglob("*.sql")


def test_no_source_asks_a_database_for_a_time_that_cannot_be_moved() -> None:
    found = []
    for path in sources():
        if path.suffix == ".sql":
            texts = [(1, path.read_text())]
        else:
            tree = ast.parse(path.read_text())
            texts = [
                (node.lineno, node.value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            ]
        found += [
            f"{path.relative_to(ROOT)}:{line}: {text[:60]}"
            for line, text in texts
            if CANNOT_BE_MOVED.search(text)
        ]
    assert not found
    for text in ("at < CURRENT_TIMESTAMP", "select datetime('now')", "unixepoch()", "LOCALTIME"):
        assert CANNOT_BE_MOVED.search(text)


@pytest.mark.parametrize(
    ("backend", "function"), [(SQLite, "STRFTIME("), (PostgreSQL, "STATEMENT_TIMESTAMP()")]
)
def test_what_django_writes_for_now_is_moved(
    backend: type[BaseDatabaseWrapper], function: str
) -> None:
    """`Now()` is CURRENT_TIMESTAMP unless a database has a function of its own."""
    connection = backend({"NAME": "unused", "OPTIONS": {}, "TIME_ZONE": None})
    compiler = models.Person.objects.none().query.get_compiler(connection=connection)
    sql, _ = compiler.compile(Now())
    assert sql.upper().startswith(function)
    assert not CANNOT_BE_MOVED.search(sql)


def test_no_column_takes_its_time_from_the_database() -> None:
    """A DEFAULT is compiled when a table is made: it would be the real time's."""
    tables: list[type[Model]] = [one for one in vars(models).values() if isinstance(one, type)]
    tables = [one for one in tables if issubclass(one, Model)]
    assert len(tables) > 20
    fields = [field for table in tables for field in table._meta.concrete_fields]
    assert [str(field) for field in fields if field.has_db_default()] == []
