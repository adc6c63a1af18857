"""Files that only their owner may read, whatever umask a host gives our processes."""

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

OTHERS = 0o077
"""What nobody else may do with a file or folder of ours."""
_BESIDE = ("", "-wal", "-shm", "-journal")
"""What SQLite keeps in files: the database, and what belongs to it while it is open."""


def from_now_on() -> None:
    """Have every file this process makes be 0600, and every folder 0700."""
    os.umask(OTHERS)


def close(databases: Iterable[str]) -> None:
    """Take from others what they may do with these SQLite files: they were made before, or by a
    program with another umask. What belongs to another account is its owner's business.
    """
    for name in databases:
        for end in _BESIDE:
            file = Path(name + end)
            with contextlib.suppress(OSError):
                found = file.lstat()
                if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
                    file.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
