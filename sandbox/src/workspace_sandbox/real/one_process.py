"""A real part that is one process: brought up on a free port, waited for, and ended with its
folder.
"""

import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children

TRIES = 3
"""Another process may take the free port between its choice and its use."""
HOST = "127.0.0.1"


class OneProcess(ABC):
    """One running part. Start it from a thread that lives as long as it shall run: the kernel ends
    it together with that thread.

    `name`: of its children's notes and its log. `asks_by`: the signal that ends it in order.
    `begun_again`: how often it was started where it was, because it had ended or did not answer.
    """

    name: ClassVar[str]
    product: ClassVar[str]
    failed: ClassVar[type[RuntimeError]]
    start_limit_s: ClassVar[float]
    pause_s: ClassVar[float] = 0.02
    asks_by: ClassVar[signal.Signals] = signal.SIGTERM

    def __init__(self, *, directory: Path | None = None, port: int = 0) -> None:
        self.directory = directory
        self.port = port
        self._home: Path | None = None
        self.begun_again = 0
        self._at = 0
        self._process: subprocess.Popen[bytes] | None = None

    def has_ended(self) -> bool:
        """Return whether its process has ended although nobody stopped it."""
        return self._process is not None and self._process.poll() is not None

    def answers(self) -> bool:
        """Return whether it is ready, or becomes ready within the time limit of a start."""
        return self._process is not None and self._wait(self._process, self._at)

    def start_again(self) -> None:
        """Start it at the same port, with what it kept, after it ended or while it hangs: who has
        its address need not know. Raises `failed`.
        """
        home = self._home
        if home is None or self._process is None:
            raise self.failed(f"{self.product} was not started yet")
        self.begun_again += 1
        for _ in range(TRIES):
            children.clear(self._process, name=self.name)
            self._process.wait()
            self._process = self._launch(home, self._at)
            if self._wait(self._process, self._at):
                return
        end = children.end_of_log(home / f"{self.name}.log")
        raise self.failed(f"{self.product} did not start again; {end}")

    def stop(self) -> None:
        """Stop it and remove what was temporary. Harmless when it does not run."""
        self._end()
        home, self._home = self._home, None
        if home and not self.directory:
            shutil.rmtree(home, ignore_errors=True)

    def _bring_up(self, home: Path, make: Callable[[Path], None] | None = None) -> int:
        """Let `make` fill its folder, launch it until it answers, and give its port. What was begun
        is ended when that fails.
        """
        self._home = home
        try:
            if make:
                make(home)
            for _ in range(1 if self.port else TRIES):
                port = self._at = self.port or children.free_port()
                self._process = self._launch(home, port)
                if self._wait(self._process, port):
                    return port
                self._end()
            end = children.end_of_log(home / f"{self.name}.log")
            raise self.failed(f"{self.product} did not start; {end}")
        except BaseException:
            self.stop()
            raise

    @abstractmethod
    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]": ...

    @abstractmethod
    def _answers(self, port: int) -> bool:
        """Return whether it is ready, and is the expected program: another one on the port would
        answer differently.
        """

    def _wait(self, process: "subprocess.Popen[bytes]", port: int) -> bool:
        """Wait until it answers; False when it ended or took too long."""
        deadline = time.monotonic() + self.start_limit_s
        while time.monotonic() < deadline and process.poll() is None:
            if self._answers(port):
                return process.poll() is None
            time.sleep(self.pause_s)
        return False

    def _end(self) -> None:
        process, self._process = self._process, None
        if process:
            children.end(process, name=self.name, asks_by=self.asks_by)


@dataclass(frozen=True)
class Address:
    """Where a running SQL server is and who may administer it."""

    host: str
    port: int
    admin_username: str
    admin_password: Secret


def first_bytes(port: int, hello: bytes, count: int) -> bytes:
    """Return up to `count` bytes of a server's answer to `hello`; b"" without one."""
    try:
        with socket.create_connection((HOST, port), timeout=5) as probe:
            probe.sendall(hello)
            return probe.recv(count)
    except OSError:
        return b""
