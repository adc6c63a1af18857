"""Run one of the field's own tools, its output or input streamed: memory stays small whatever the
size.

A tool is told nothing by files of the machine's or of the account it runs as, and what it says is
kept short: it may quote what is in a database, so nobody is shown it.
"""

import contextlib
import fcntl
import os
import re
import select
import shutil
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Final

AT_A_TIME: Final = 1 << 20
IDLE_S: Final = 3600
"""A tool that neither takes nor gives a byte for so long is ended: an index may take that long to
be built, and a dump that sleeps would hold a worker for ever.
"""
KEPT: Final = 8192
"""How much of what a tool says is looked at: its end."""
MOST: Final = 64 << 20
"""Of an answer."""
Version = tuple[int, ...]


@dataclass(frozen=True)
class Tool:
    """A program of the field's: any of `names` will do, the first that is there is taken."""

    names: tuple[str, ...]
    package: str
    """What brings it on Debian."""

    def path(self) -> str:
        """Where it is; "" where it is not."""
        return next((path for name in self.names if (path := shutil.which(name))), "")

    def version(self) -> Version:
        """Of the product that it is of, as `(10, 11, 19)`; empty where it does not say."""
        said = self._ask("--version")
        found = re.search(r"(?:Distrib |from |\) )(\d+(?:\.\d+)+)", said)
        return tuple(int(part) for part in found[1].split(".")) if found else ()

    def knows(self, *asking: str, option: str) -> bool:
        """Return whether its help names an option."""
        return option in self._ask(*asking)

    def _ask(self, *asking: str) -> str:
        try:
            answer = subprocess.run(  # noqa: S603 - a tool of the field's, by its path
                [self.path(), *asking],
                env=_environment({}),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=60,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return answer.stdout.decode(errors="replace")


MARIADB_DUMP: Final = Tool(("mariadb-dump", "mysqldump"), "mariadb-client")
MARIADB: Final = Tool(("mariadb", "mysql"), "mariadb-client")
PG_DUMP: Final = Tool(("pg_dump",), "postgresql-client")
PG_RESTORE: Final = Tool(("pg_restore",), "postgresql-client")
PSQL: Final = Tool(("psql",), "postgresql-client")


class ToolFailed(Exception):
    """It ended before its work was done. `said`: the end of what it said, for nobody's eyes but
    ours.
    """

    def __init__(self, said: str) -> None:
        super().__init__("a tool failed")
        self.said = said


@dataclass
class Run:
    """One run of a tool. Leaving the `with` block ends it, whatever it is at."""

    command: Sequence[str]
    files: Sequence[int]
    """Descriptors that it inherits."""
    environment: Mapping[str, str] = field(default_factory=dict)
    feeds: bool = False
    """Whether it is given something, and its output is dropped; else its output is taken."""
    answers: bool = False
    """Whether what it is given is a question, and its output the answer."""

    def __enter__(self) -> "Run":
        self._process = subprocess.Popen(  # noqa: S603 - a tool of the field's, by its path
            self.command,
            env=_environment(self.environment),
            cwd="/",
            stdin=subprocess.PIPE if self.feeds else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if self.feeds and not self.answers else subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=self.files,
            start_new_session=True,
        )
        self._said = _Heard(self._process.stderr, KEPT)
        self._answer = _Heard(self._process.stdout if self.answers else None, MOST)
        return self

    def __exit__(self, *_error: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._said.wait()
        self._answer.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                # What was not taken any more is lost on purpose.
                with contextlib.suppress(OSError):
                    pipe.close()

    def output(self) -> Iterator[bytes]:
        """Give what it writes, in pieces. Raises ToolFailed, after the last, where it failed."""
        pipe = self._process.stdout
        assert pipe
        _widen(pipe)
        while self._ready([pipe], []):
            if not (data := os.read(pipe.fileno(), AT_A_TIME)):
                break
            yield data
        self._finish()

    def feed(self, pieces: Iterable[bytes]) -> None:
        """Give it all of this. Raises ToolFailed, and whatever the pieces raise: then it has not
        seen their end.
        """
        whole = self._give(pieces)
        self._finish()
        if not whole:
            # It did not fail, and has not taken everything.
            raise ToolFailed("left early")

    def ask(self, pieces: Iterable[bytes]) -> bytes:
        """Give it as much of this as it takes; gives what it writes. Raises ToolFailed, and
        whatever the pieces raise.
        """
        self._give(pieces)
        self._finish()
        return self._answer.data

    def _give(self, pieces: Iterable[bytes]) -> bool:
        """Return whether it took all of them."""
        pipe = self._process.stdin
        assert pipe
        _widen(pipe)
        os.set_blocking(pipe.fileno(), False)
        try:
            for piece in pieces:
                rest = memoryview(piece)
                while rest:
                    self._ready([], [pipe])
                    with contextlib.suppress(BlockingIOError):
                        rest = rest[os.write(pipe.fileno(), rest) :]
        except BrokenPipeError:
            return False
        pipe.close()
        return True

    def _finish(self) -> None:
        try:
            code = self._process.wait(IDLE_S)
        except subprocess.TimeoutExpired:
            raise ToolFailed("idle") from None
        self._said.wait()
        self._answer.wait()
        if code:
            raise ToolFailed(self._said.data.decode(errors="replace"))

    def _ready(self, reading: list[IO[bytes]], writing: list[IO[bytes]]) -> bool:
        if not any(select.select(reading, writing, [], IDLE_S)):
            raise ToolFailed("idle")
        return True


class _Heard:
    """What comes out of a pipe, taken by a thread so that nobody waits: its last `most` bytes."""

    def __init__(self, pipe: IO[bytes] | None, most: int) -> None:
        self.data = b""
        self._most = most
        self._thread = threading.Thread(target=self._listen, args=(pipe,)) if pipe else None
        if self._thread:
            self._thread.start()

    def wait(self) -> None:
        if self._thread:
            self._thread.join()

    def _listen(self, pipe: IO[bytes]) -> None:
        while data := os.read(pipe.fileno(), AT_A_TIME):
            self.data = (self.data + data)[-self._most :]


def _widen(pipe: IO[bytes]) -> None:
    """Fewer turns for the same bytes; who may not have so much keeps what there is."""
    with contextlib.suppress(OSError):
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, AT_A_TIME)


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """Nothing of ours: it may hold secrets, and what the tool would obey."""
    path = os.environ.get("PATH", os.defpath)
    return {"PATH": path, "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", **more}
