"""Django's own check of a deployment finds nothing, with and without a proxy before us
(ASVS V13).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEY = "not-a-real-key-but-long-enough-0123456789-abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize("proxies", ["", "10.0.0.1"])
@pytest.mark.one_in(2)
def test_check_deploy_is_clean(proxies: str, tmp_path: Path) -> None:
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("WORKSPACE_", "DJANGO_"))},
        "WORKSPACE_BASE_URL": "https://workspace.example.org",
        "WORKSPACE_SECRET_KEYS": KEY,
        "WORKSPACE_TRUSTED_PROXIES": proxies,
        "WORKSPACE_DATABASE_URL": f"sqlite:///{tmp_path / 'w.sqlite3'}",
    }
    command = [sys.executable, str(ROOT / "manage.py"), "check", "--deploy", "--fail-level", "INFO"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
