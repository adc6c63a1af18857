"""Attacks by whoever reads what lies on the disk."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx

from tests.attack.database import SQLITE, Database
from tests.attack.scene import Scene
from workspace_sandbox.patience import PATIENCE_S

DATABASE, SESSIONS = "WORKSPACE_DATABASE_URL", "records_session"


def what_lies_on_the_disk_lets_nobody_in(scene: Scene) -> None:
    """Files are their owner's alone, letters too; what is in them signs nobody in."""
    life = scene.somebody()
    folder = Path(scene.workspace.told["mail"]).parent
    made = [path for path in (folder, *folder.rglob("*")) if not path.is_socket()]
    assert any(path.parent.name == "mail" for path in made)
    open_to_others = {
        str(path.relative_to(folder)): oct(path.stat().st_mode & 0o777)
        for path in made
        if path.exists() and path.stat().st_mode & 0o077
    }
    assert not open_to_others, open_to_others
    database = Database(scene.workspace.told["environment"][DATABASE])
    content = b"".join(_content(database))
    session = next(
        cookie.value for cookie in life.browser.http.cookies.jar if cookie.name == "sessionid"
    )
    token = scene.workspace.told["administrator"]["api_token"]
    for secret in (session, token):
        assert secret
        assert secret.encode() not in content
    keys = database.rows(SESSIONS, "session_key")
    assert keys
    for key in keys:
        cookies = {"sessionid": key}
        answer = httpx.get(f"{scene.workspace.manager}/api/v1/me", cookies=cookies, trust_env=False)
        assert answer.status_code == 401, "a row of the database signs in"
    scene.removed(life)


def _content(database: Database) -> Iterator[bytes]:
    """What lies in its files where it is one of SQLite, with what SQLite has let go of; else all
    that its password shows.
    """
    if database.is_sqlite:
        file = Path(database.url.removeprefix(SQLITE))
        yield from (path.read_bytes() for path in file.parent.glob(f"{file.name}*"))
        return
    for _, value in database.values():
        yield value if isinstance(value, bytes) else str(value).encode()


def a_key_that_can_be_guessed_starts_nothing(scene: Scene) -> None:
    given = {**os.environ, **scene.workspace.told["environment"]}
    for weak in ("abc", "a" * 40, "changeme" * 5):
        told = subprocess.run(
            [sys.executable, "-m", "workspace_manager.cli", "plans", "list"],
            env={**given, "WORKSPACE_SECRET_KEYS": weak},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert told.returncode, weak
        assert "token_urlsafe" in told.stderr + told.stdout
