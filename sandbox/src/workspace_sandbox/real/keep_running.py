"""Run a program, and start it again when a signal ended it that nobody here sent, as a supervisor
does. MariaDB 10.11.19 was seen to crash (signal 11) in a grouped query of Nextcloud's; every check
after it failed for that.

A script of its own: `python keep_running.py PROGRAM ARGUMENT…`. Ends with the program otherwise.
"""

import ctypes
import signal
import subprocess
import sys
from collections.abc import Sequence
from types import FrameType

_PR_SET_PDEATHSIG = 1


def main(command: Sequence[str]) -> int:
    """Gives the program's status; 0 when it was told to stop."""
    libc = ctypes.CDLL(None, use_errno=True)
    running: list[subprocess.Popen[bytes]] = []
    told: list[int] = []

    def pass_on(number: int, _frame: FrameType | None) -> None:
        told.append(number)
        for process in running:
            process.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, pass_on)
    while not told:
        process = subprocess.Popen(
            list(command), preexec_fn=lambda: libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        )
        running[:] = [process]
        if told:
            process.send_signal(told[0])
        status = process.wait()
        if status >= 0 and not told:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
