"""A receiver of webhooks on this machine: it keeps what came, and answers what the test wants."""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from workspace_sandbox.patience import PATIENCE_S


@dataclass
class ReceivedDelivery:
    """One delivery as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """`answers`: the statuses of the next answers; 204 after them. `location`: where a redirect
    leads.
    """

    answers: list[int] = field(default_factory=list)
    location: str = ""
    says: Sequence[bytes] = ()
    """Pieces of the body, after each of which it waits for a moment."""
    headers: dict[str, str] = field(default_factory=dict)
    cut_off: bool = False
    """Whether it could not say all of it."""
    came: list[ReceivedDelivery] = field(default_factory=list)
    port: int = 0
    over: threading.Event = field(default_factory=threading.Event)
    """Once it is set, no body goes on."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?key=1"


@contextlib.contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver as long as the block lasts."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.came.append(ReceivedDelivery(self.path, dict(self.headers.items()), body))
            self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
            if receiver.location:
                self.send_header("Location", receiver.location)
            length = sum(len(one) for one in receiver.says)
            for name, value in {"Content-Length": str(length), **receiver.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                for piece in receiver.says:
                    self.wfile.write(piece)
                    self.wfile.flush()
                    if receiver.over.wait(0.2):
                        return
            except OSError:
                receiver.cut_off = True

        def log_message(self, *_args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            receiver.over.set()
            thread.join(PATIENCE_S)
