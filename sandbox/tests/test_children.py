"""Children end with the run that started them, and what a killed run left is told from everything
else.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from workspace_sandbox import children
from workspace_sandbox.patience import PATIENCE_S, eventually

NAME = "test-part"
PARENT = """
import sys, time
from pathlib import Path
from workspace_sandbox import children
here = Path(sys.argv[1])
part = {"cwd": here, "log": here / "log", "environment": {}, "temporary": here / "t"}
child = children.start(["sleep", "600"], name="test-part", **part)
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path / "run"
    directory.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(directory))
    return directory / f"workspace-manager-{os.getuid()}"


def wait_for_end(pid: int) -> bool:
    """Whether a process ends soon: it is no longer there, or only its name is (a zombie)."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def killed_parent(tmp_path: Path) -> int:
    """Let a run start a child, and kill the run; gives the child's number."""
    (tmp_path / "t").mkdir()
    command = [sys.executable, "-c", PARENT, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        parent.kill()
    return child


def test_a_child_ends_with_a_killed_run_and_the_next_run_clears_up(
    tmp_path: Path, runtime: Path
) -> None:
    child = killed_parent(tmp_path)
    assert wait_for_end(child)
    assert (tmp_path / "t").exists()
    assert children.remove_leftovers(NAME) == 1
    assert not (tmp_path / "t").exists()
    assert list(runtime.iterdir()) == []
    assert children.remove_leftovers(NAME) == 0


def shows(pid: int, mark: str) -> bool:
    """Whether the environment of a process can be read: a program's descriptors close a moment
    earlier, and whoever starts it waits for that alone.
    """
    return mark in Path(f"/proc/{pid}/environ").read_text()


def test_what_outlived_its_run_is_known_by_its_mark_alone(tmp_path: Path, runtime: Path) -> None:
    wait_for_end(killed_parent(tmp_path))
    (note,) = runtime.glob("*.json")
    mark = json.loads(note.read_text())["mark"]
    environment = {**os.environ, children.MARK: mark}
    ours = subprocess.Popen(["sleep", "600"], env=environment)
    other = subprocess.Popen(["sleep", "600"], env={**environment, children.MARK: f"{mark}x"})
    try:
        for one in (ours, other):
            eventually("its environment is there", partial(shows, one.pid, mark))
        assert children.remove_leftovers("another-part") == 0
        assert children.remove_leftovers(NAME) == 1
        assert ours.wait(PATIENCE_S) == -signal.SIGKILL
        assert other.poll() is None
    finally:
        ours.kill()
        other.kill()
        ours.wait()
        other.wait()


def test_a_living_runs_child_is_left_alone_until_it_ends_it(tmp_path: Path, runtime: Path) -> None:
    child = children.start(
        ["sleep", "600"], name=NAME, cwd=tmp_path, log=tmp_path / "log", environment={}
    )
    assert children.remove_leftovers(NAME) == 0
    assert child.poll() is None
    children.end(child, name=NAME)
    assert child.returncode == -signal.SIGTERM
    assert list(runtime.iterdir()) == []


def test_a_child_that_does_not_listen_is_killed_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "STOP_LIMIT_S", 0.2)
    script = "trap '' TERM; sleep 600 & echo $! >&1; wait; wait"
    log = tmp_path / "log"
    child = children.start(["sh", "-c", script], name=NAME, cwd=tmp_path, log=log, environment={})
    eventually("it has started another", lambda: log.read_text().strip())
    children.end(child, name=NAME)
    assert child.returncode == -signal.SIGKILL
    assert wait_for_end(int(log.read_text()))


def test_notes_that_nobody_can_read_are_left_alone(runtime: Path) -> None:
    children.remove_leftovers(NAME)
    for number, text in enumerate(["", "{}", "[]", '{"mark":"m","owner":"x","owner_since":""}']):
        (runtime / f"{NAME}-{number}.json").write_text(text)
    assert children.remove_leftovers(NAME) == 0


def test_free_ports_differ() -> None:
    assert len(set(children.free_ports(20))) == 20


def test_free_ports_are_none_that_an_outgoing_connection_takes() -> None:
    first = int(children.OUTGOING_PORTS.read_text().split()[0])
    ports = children.free_ports(50)
    assert len(set(ports)) == 50
    assert all(children.FIRST_PORT <= port < first for port in ports)


def test_a_kept_port_is_given_to_nobody_until_it_is_taken() -> None:
    with contextlib.ExitStack() as kept, socket.socket() as other, socket.socket() as ours:
        port = children.kept_port(kept)
        with pytest.raises(OSError, match="in use"):
            other.bind(("127.0.0.1", port))
        kept.close()
        ours.bind(("127.0.0.1", port))
        ours.listen()
