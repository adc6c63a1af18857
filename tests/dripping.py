"""A server that says little and slowly: it holds whoever waits for each byte, and not for all."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from workspace_sandbox.patience import PATIENCE_S

HEADERS = b"HTTP/1.1 200 OK\r\nX-Slow: "


@dataclass
class Dripping:
    """`at_once` is said on connecting (or after the first bytes that come, with `asked`), then
    `drop` again and again, every `pause_s` seconds.
    """

    at_once: bytes = HEADERS
    drop: bytes = b"x"
    pause_s: float = 0.1
    asked: bool = True
    tls: ssl.SSLContext | None = None
    greeting: bytes = b""
    """Said in clear, before TLS is asked for."""
    port: int = 0
    standing: set[int] = field(default_factory=set)
    """Ports of the callers whose connections stand."""
    most_held: int = 0
    ended: int = 0
    """Connections that stood, and do no more."""
    over: threading.Event = field(default_factory=threading.Event)
    """Whether it has stopped: until then nothing ends on its side."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def held(self) -> int:
        """Connections that stand."""
        return len(self.standing)

    @contextlib.contextmanager
    def running(self) -> Iterator["Dripping"]:
        with socket.create_server(("127.0.0.1", self.port), backlog=128) as listens:
            self.port = listens.getsockname()[1]
            self.over.clear()
            listens.settimeout(0.1)
            thread = threading.Thread(target=self._accept, args=(listens,), daemon=True)
            thread.start()
            try:
                yield self
            finally:
                self.over.set()
                thread.join(PATIENCE_S)

    def _accept(self, listens: socket.socket) -> None:
        while not self.over.is_set():
            with contextlib.suppress(TimeoutError):
                line, (_, caller) = listens.accept()
                threading.Thread(target=self._drip, args=(line, caller), daemon=True).start()

    def _drip(self, line: socket.socket, caller: int) -> None:
        with self._lock:
            self.standing.add(caller)
            self.most_held = max(self.held, self.most_held)
        with contextlib.suppress(OSError), self._encrypted(line) as line:
            if self.asked:
                line.recv(65_536)
            line.sendall(self.at_once)
            while not self.over.wait(self.pause_s):
                line.sendall(self.drop)
        with self._lock:
            self.standing.discard(caller)
            self.ended += 1

    def _encrypted(self, line: socket.socket) -> socket.socket:
        if self.tls is None:
            return line
        if self.greeting:
            line.sendall(self.greeting)
            line.recv(36)
        return self.tls.wrap_socket(line, server_side=True)
