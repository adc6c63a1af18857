"""A database of the first schema is refused in one sentence that says what to do, before anything
is done with it.
"""

import sqlite3
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from workspace_manager.cli.run_parts import migrate, serve, worker
from workspace_sandbox.demo import Demo, DemoFailed

WHAT_TO_DO = "created by an earlier version. Start again with --fresh"


@pytest.mark.django_db
@pytest.mark.parametrize("command", [serve, worker, migrate], ids=lambda command: command.name)
def test_no_part_works_on_it(command: click.Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workspace_manager.cli.run_parts._leave_no_image", lambda: None)
    MigrationRecorder(connection).record_applied("records", "0001_initial")
    answer = CliRunner().invoke(command)
    assert answer.exit_code == 1
    assert WHAT_TO_DO in answer.output
    assert answer.output.count("\n") <= 2


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """What a demo of the first schema left."""
    with sqlite3.connect(tmp_path / "workspace.sqlite3") as database:
        database.execute("CREATE TABLE django_migrations (app text, name text)")
        database.execute("INSERT INTO django_migrations VALUES ('records', '0001_initial')")
    database.close()
    return tmp_path


def test_no_demo_is_started_on_it(earlier: Path) -> None:
    with pytest.raises(DemoFailed, match=WHAT_TO_DO):
        Demo(port=0, data_dir=earlier).start()
    assert [path.name for path in earlier.iterdir()] == ["workspace.sqlite3"]


def test_the_models_have_no_change_that_no_migration_makes(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
