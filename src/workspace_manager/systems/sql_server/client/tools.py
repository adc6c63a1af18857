"""The products' own tools, run with their output or input streamed: memory stays small for any
size.

A tool reads no configuration of the machine or of its account. Only the end of its messages is kept
and shown to nobody, because it may quote a database's content.
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
"""Seconds without a byte until a tool is ended: building an index may take that long, and a
sleeping dump would hold a worker for ever.
"""
KEPT: Final = 8192
"""Bytes kept of a tool's messages, from their end."""
MOST: Final = 64 << 20
"""Bytes of an answer."""
Version = tuple[int, ...]


@dataclass(frozen=True)
class Tool:
    """A program of a product: the first of `names` that exists is used."""

    names: tuple[str, ...]
    package: str
    """Its package on Debian."""

    def path(self) -> str:
        """Return its path; "" without it."""
        return next((path for name in self.names if (path := shutil.which(name))), "")

    def version(self) -> Version:
        """Return its product's version, like `(10, 11, 19)`; empty if it does not tell."""
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
    """A tool ended before its work was done. `said`: the end of its messages, which nobody else
    sees.
    """

    def __init__(self, said: str) -> None:
        super().__init__("a tool failed")
        self.said = said


@dataclass
class Run:
    """One run of a tool. Leaving the `with` block ends it in any case."""

    command: Sequence[str]
    files: Sequence[int]
    """Descriptors that the tool inherits."""
    environment: Mapping[str, str] = field(default_factory=dict)
    feeds: bool = False
    """Whether the tool gets input and its output is dropped; else its output is read."""
    answers: bool = False
    """Whether the input is a question and the output its answer."""

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
                # Output that nobody read is lost on purpose.
                with contextlib.suppress(OSError):
                    pipe.close()

    def output(self) -> Iterator[bytes]:
        """Yield the output in pieces. Raises ToolFailed after the last one if the tool failed."""
        pipe = self._process.stdout
        assert pipe
        _widen(pipe)
        while self._ready([pipe], []):
            if not (data := os.read(pipe.fileno(), AT_A_TIME)):
                break
            yield data
        self._finish()

    def feed(self, pieces: Iterable[bytes]) -> None:
        """Give the tool all pieces. Raises ToolFailed, and any error of the pieces; then the tool
        has not seen their end.
        """
        whole = self._give(pieces)
        self._finish()
        if not whole:
            # It did not fail, but it has not read everything.
            raise ToolFailed("left early")

    def ask(self, pieces: Iterable[bytes]) -> bytes:
        """Give the tool as many pieces as it reads; return its output. Raises ToolFailed, and any
        error of the pieces.
        """
        self._give(pieces)
        self._finish()
        return self._answer.data

    def _give(self, pieces: Iterable[bytes]) -> bool:
        """Return whether the tool read all of them."""
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
    """The last `most` bytes of a pipe, read by a thread so that nobody waits."""

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
    """Enlarge the pipe for fewer reads; without the permission, its size stays."""
    with contextlib.suppress(OSError):
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, AT_A_TIME)


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without ours, which may contain secrets, and options for the tool."""
    path = os.environ.get("PATH", os.defpath)
    return {"PATH": path, "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", **more}
