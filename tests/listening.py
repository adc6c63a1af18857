"""A server of a test's own, which says to each visitor what the test wants."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from workspace_sandbox.patience import PATIENCE_S


@contextmanager
def serving(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Talk to one visitor after the other; gives the port."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                line, _ = listening.accept()
            except OSError:
                return
            with line, contextlib.suppress(OSError):
                line.settimeout(10)
                talk(line)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(PATIENCE_S)
