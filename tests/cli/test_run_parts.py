"""Each part that cannot work says so in one sentence before it serves anybody."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from workspace_sandbox.patience import PATIENCE_S

STORE = """
import workspace_manager.bootstrap
from workspace_manager.operations import settings
settings.save("drive", {"base_url": "http://127.0.0.1:1", "admin_password": "x"}, actor="ada")
"""


def run(folder: Path, keys: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("WORKSPACE_")},
        "PYTHONPATH": os.pathsep.join(sys.path),
        "WORKSPACE_DATABASE_URL": f"sqlite:///{folder / 'w.sqlite3'}",
        "WORKSPACE_SECRET_KEYS": keys,
    }
    return subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=folder, capture_output=True, text=True,
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, key = tmp_path_factory.mktemp("stored"), secrets.token_urlsafe(48)
    for arguments in (("-m", "workspace_manager.cli", "migrate"), ("-c", STORE)):
        done = run(folder, key, *arguments)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("part", ["serve", "worker"])
def test_other_keys_than_those_that_secrets_were_stored_with(part: str, data_folder: Path) -> None:
    done = run(data_folder, secrets.token_urlsafe(48), "-m", "workspace_manager.cli", part)
    assert done.returncode == 1
    assert "WORKSPACE_SECRET_KEYS" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("part", ["serve", "worker"])
def test_a_database_without_its_tables(part: str, tmp_path: Path) -> None:
    done = run(tmp_path, secrets.token_urlsafe(48), "-m", "workspace_manager.cli", part)
    assert done.returncode == 1
    assert "workspace-manager migrate" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
