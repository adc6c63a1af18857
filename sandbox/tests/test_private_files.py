"""Files of a sandbox (passwords, keys, accounts) are their owner's alone, whatever the umask."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workspace_sandbox import children
from workspace_sandbox.patience import PATIENCE_S, eventually


@pytest.mark.thorough
def test_what_a_sandbox_keeps_is_its_owners_alone(tmp_path: Path) -> None:
    data, ready = tmp_path / "data", tmp_path / "ready.json"
    command = ["--data", str(data), "--manager-url", "http://127.0.0.1:1", "--ready", str(ready)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-m", "workspace_sandbox", *command], env=environment, umask=0
    ) as process:
        try:
            eventually("it stands", lambda: ready.exists() or process.poll() is not None)
            assert process.poll() is None
            made = [tmp_path / "ready.json", data, *data.rglob("*")]
            modes = {str(path.relative_to(tmp_path)): path.stat().st_mode for path in made}
        finally:
            process.terminate()
    assert {"data", "data/sandbox.json", "data/identity_provider.json"} <= modes.keys()
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}


def test_what_a_child_says_is_its_owners_alone(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    before = os.umask(0)
    try:
        child = children.start(["true"], name="tests", cwd=tmp_path, log=log, environment={})
        child.wait(PATIENCE_S)
        children.end(child, name="tests")
    finally:
        os.umask(before)
    assert oct(log.stat().st_mode & 0o777) == "0o600"
