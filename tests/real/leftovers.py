"""The rest of a real server after a killed run: looked at by what the server is, not by what
we noted of it.
"""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from workspace_sandbox import children
from workspace_sandbox.patience import PATIENCE_S, eventually


def alive(pid: str) -> bool:
    """Whether a process runs: one that has ended and is not yet collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def check_it_ends_with_its_run(module: ModuleType, server: str) -> None:
    """Start `server` of `module` in a process of its own, kill that, and see port and folder go."""
    script = (
        f"from {module.__name__} import {server}\n"
        f"server = {server}()\n"
        "print(server.start().port, server._home, flush=True)\n"
        "input()\n"
    )
    with _killed(script) as (port, home):
        assert _answers(int(port))
    eventually("it ends with its run", lambda: not _answers(int(port)))
    children.remove_leftovers(module.NAME)
    assert not Path(home).exists()


def check_leftovers_are_cleared(module: ModuleType, part: str) -> None:
    """Start `part` of `module` (an expression) in a process of its own and kill that; what it left
    goes with the next run.
    """
    script = (
        f"from {module.__name__} import *\n"
        f"part = {part}\n"
        "part.start()\n"
        "print(part._process.pid, part._home, flush=True)\n"
        "input()\n"
    )
    with _killed(script) as (pid, home):
        pass
    children.remove_leftovers(module.NAME)
    assert not Path(home).exists()
    eventually("its process is gone", lambda: not alive(pid))


@contextmanager
def _killed(script: str) -> Iterator[list[str]]:
    """Run it until it has said its first line, whose words are given; kill it at the end."""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout
        yield run.stdout.readline().split()
        run.kill()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S).close()
    except (ConnectionRefusedError, ConnectionResetError):  # reset: it ended while it was asked
        return False
    return True
