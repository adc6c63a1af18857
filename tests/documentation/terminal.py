"""A terminal of 120 columns with a shell in it, as the reader of a page has one."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from pathlib import Path

from workspace_sandbox.patience import PATIENCE_S

LOOK = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """One shell; what is typed into it one after the other."""

    def __init__(self, home: Path, environment: dict[str, str]) -> None:
        self.fd, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        look = termios.tcgetattr(other)
        look[3] &= ~termios.ECHO
        termios.tcsetattr(other, termios.TCSANOW, look)
        self.shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            stdin=subprocess.PIPE,
            stdout=other,
            stderr=other,
            cwd=home,
            env={**environment, "HOME": str(home), "TERM": "xterm", "PS1": ""},
            start_new_session=True,
        )
        os.close(other)
        self.turn = 0

    def type(self, command: str) -> tuple[int, str]:
        """Type a command; gives how it ended and what it printed, without colours."""
        self.turn += 1
        mark = f"~~{self.turn}:"
        assert self.shell.stdin
        self.shell.stdin.write(f'{command}\necho "{mark}$?~"\n'.encode())
        self.shell.stdin.flush()
        seen, until = "", time.monotonic() + PATIENCE_S
        while not (end := re.search(rf"{mark}(\d+)~", seen)):
            assert time.monotonic() < until, f"{command!r} does not end; it said:\n{seen}"
            if select.select([self.fd], [], [], 1)[0]:
                seen += os.read(self.fd, 65536).decode(errors="replace")
        plain = LOOK.sub("", seen[: end.start()]).replace("\r", "")
        return int(end[1]), plain

    def close(self) -> None:
        assert self.shell.stdin
        self.shell.stdin.close()
        self.shell.kill()
        self.shell.wait()
        os.close(self.fd)
