"""Files and folders that the manager makes are their owner's alone, whatever the umask."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from workspace_sandbox.patience import PATIENCE_S

KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978"


def started(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    """A process of ours as a host with a wide umask starts it."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(sys.path),
        "WORKSPACE_SECRET_KEYS": KEY,
        "WORKSPACE_DATABASE_URL": f"sqlite:///{folder / 'workspace.sqlite3'}",
        "WORKSPACE_QUEUE_URL": f"sqlite:///{folder / 'queue.sqlite3'}",
        "WORKSPACE_EMAIL_URL": f"file://{folder / 'mail'}",
    }
    return subprocess.run(
        [sys.executable, *command],
        env=environment,
        cwd=folder,
        umask=0,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )


def open_to_others(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            yield f"{path.name} {mode:o}"


WORK = """
import workspace_manager.bootstrap, pathlib
from django.core.mail import send_mail
from workspace_manager import worker
from workspace_manager.records.models import Person
Person.objects.create_user("eve")
worker.enqueue_letters()
send_mail("s", "b", "a@x.example", ["b@x.example"])
names = sorted(str(p.relative_to(".")) for p in pathlib.Path(".").rglob("*") if p.is_file())
print(*names)
print(*[oct(p.stat().st_mode & 0o777) for p in pathlib.Path(".").rglob("*")])
"""


def test_what_a_process_makes_is_its_owners_alone(tmp_path: Path) -> None:
    started(tmp_path, "-m", "workspace_manager.cli", "migrate")
    told = started(tmp_path, "-c", WORK).stdout.splitlines()
    # While it runs: what SQLite writes beside a database goes with the last connection.
    assert {"workspace.sqlite3", "workspace.sqlite3-wal", "queue.sqlite3"} <= {*told[0].split()}
    assert {*told[1].split()} <= {"0o600", "0o700"}
    assert list((tmp_path / "mail").iterdir())
    assert list(open_to_others(tmp_path)) == []


@pytest.mark.thorough
def test_what_was_open_to_others_is_closed_at_the_next_start(tmp_path: Path) -> None:
    started(tmp_path, "-m", "workspace_manager.cli", "migrate")
    stranger = tmp_path / "of-somebody-else"
    stranger.write_text("x")
    kept = sqlite3.connect(tmp_path / "workspace.sqlite3")
    kept.execute("CREATE TABLE open (a)")
    for file in tmp_path.iterdir():
        file.chmod(0o644)
    started(tmp_path, "-m", "workspace_manager.cli", "people", "list")
    kept.close()
    assert {one.split()[0] for one in open_to_others(tmp_path)} == {stranger.name}


@pytest.mark.parametrize("process", ["manage", "wsgi", "command"])
@pytest.mark.one_in(3)
def test_every_process_begins_with_it(process: str, tmp_path: Path) -> None:
    begin = {
        "manage": "import django; from django.conf import settings; settings.DEBUG",
        "wsgi": "import workspace_manager.bootstrap",
        "command": "import workspace_manager.cli.ready",
    }[process]
    environment = "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'workspace_manager.settings';"
    told = started(tmp_path, "-c", f"{environment} {begin}; print(oct(os.umask(0)))").stdout
    assert told.strip() == "0o77"
