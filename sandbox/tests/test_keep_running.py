"""A program that a signal ended is started again, and no other."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from workspace_sandbox.patience import PATIENCE_S, eventually
from workspace_sandbox.real import keep_running

SAYS_WHO = "import os, sys, time; open(sys.argv[1], 'a').write(f'{os.getpid()} '); time.sleep(600)"


def start_process(said: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, keep_running.__file__, sys.executable, "-c", SAYS_WHO, str(said)]
    )


def test_what_crashes_comes_back_and_what_is_told_to_stop_does_not(tmp_path: Path) -> None:
    said = tmp_path / "said"
    process = start_process(said)
    try:
        eventually("it starts", lambda: said.exists() and len(said.read_text().split()) == 1)
        os.kill(int(said.read_text().split()[0]), signal.SIGSEGV)
        eventually("it comes back", lambda: len(said.read_text().split()) == 2)
        process.terminate()
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
    (last,) = said.read_text().split()[1:]
    assert not Path(f"/proc/{last}").exists()


def test_it_ends_with_the_status_of_what_ended_by_itself() -> None:
    command = [sys.executable, keep_running.__file__, sys.executable, "-c", "raise SystemExit(3)"]
    assert subprocess.run(command, check=False).returncode == 3
