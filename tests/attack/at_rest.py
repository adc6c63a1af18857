"""Attacks by whoever reads what lies on the disk."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx

from tests.attack.scene import Scene

DATABASE = "WORKSPACE_DATABASE_URL"


def what_lies_on_the_disk_lets_nobody_in(scene: Scene) -> None:
    """Files are their owner's alone, letters too; what is in them signs nobody in."""
    life = scene.somebody()
    folder = Path(scene.workspace.told["mail"]).parent
    made = [path for path in (folder, *folder.rglob("*")) if not path.is_socket()]
    assert any(path.suffix == ".sqlite3" for path in made)
    assert any(path.parent.name == "mail" for path in made)
    open_to_others = {
        str(path.relative_to(folder)): oct(path.stat().st_mode & 0o777)
        for path in made
        if path.exists() and path.stat().st_mode & 0o077
    }
    assert not open_to_others, open_to_others
    database = Path(scene.workspace.told["environment"][DATABASE].removeprefix("sqlite:///"))
    content = b"".join(path.read_bytes() for path in database.parent.glob(f"{database.name}*"))
    session = next(
        cookie.value for cookie in life.browser.http.cookies.jar if cookie.name == "sessionid"
    )
    token = scene.workspace.told["administrator"]["api_token"]
    for secret in (session, token):
        assert secret
        assert secret.encode() not in content
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
        [(table,)] = opened.execute(
            "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c"
            " WHERE m.type = 'table' AND c.name = 'session_key'"
        )
        keys = [key for (key,) in opened.execute(f"SELECT session_key FROM {table}")]
    assert keys
    for key in keys:
        cookies = {"sessionid": key}
        answer = httpx.get(
            f"{scene.workspace.manager}/api/v1/me", cookies=cookies, trust_env=False, timeout=30
        )
        assert answer.status_code == 401, "a row of the database signs in"
    scene.removed(life)


def a_key_that_can_be_guessed_starts_nothing(scene: Scene) -> None:
    given = {**os.environ, **scene.workspace.told["environment"]}
    for weak in ("abc", "a" * 40, "changeme" * 5):
        told = subprocess.run(
            [sys.executable, "-m", "workspace_manager.cli", "plans", "list"],
            env={**given, "WORKSPACE_SECRET_KEYS": weak},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert told.returncode, weak
        assert "token_urlsafe" in told.stderr + told.stdout
