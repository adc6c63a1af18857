"""`sandbox`: the systems alone, and nothing that outlives them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from workspace_sandbox.patience import PATIENCE_S


@pytest.mark.thorough
def test_a_terminated_sandbox_leaves_nothing(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "workspace_manager.cli", "sandbox", "--json"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told["ready"] is True
        url = told["systems"]["drive"]["url"]
        assert httpx.get(f"{url}/status.php").status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
        process.wait(PATIENCE_S)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/status.php")
    assert not list(tmp_path.glob("workspace-manager-sandbox-*"))
