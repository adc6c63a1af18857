"""Visitors of the front who send and take as slowly as a test wants."""

import asyncio
from collections.abc import Iterable
from typing import Any

from workspace_manager.web.admission_control import AdmissionControl


class Visitor:
    """One request, with a body of `length` bytes of which `sends` are sent. Nothing of the answer
    but its beginning is taken while `takes` is not set.
    """

    def __init__(
        self, path: str, *sends: bytes, method: str = "GET", length: int = -1,
        headers: Iterable[tuple[bytes, bytes]] = (), raw_path: bytes = b"", is_taking: bool = True,
    ) -> None:  # fmt: skip
        length = length if length >= 0 else sum(map(len, sends))
        stated = [(b"content-length", str(length).encode())] if length else []
        self.scope: dict[str, Any] = {
            "type": "http", "method": method, "path": path, "raw_path": raw_path or path.encode(),
            "query_string": b"", "headers": [*stated, *headers], "http_version": "1.1",
            "scheme": "http", "server": ("127.0.0.1", "8000"), "client": ("127.0.0.1", "50000"),
        }  # fmt: skip
        self._events: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        for number, piece in enumerate(sends or (b"",), 1):
            self.send_body(piece, more=number < len(sends) or length > sum(map(len, sends)))
        self.takes = asyncio.Event()
        if is_taking:
            self.takes.set()
        self.status, self.headers, self.body = 0, dict[str, str](), b""
        self.has_all = False
        self.offered = 0
        """Pieces that were made for this visitor."""

    def send_body(self, piece: bytes, *, more: bool) -> None:
        self._events.put_nowait({"type": "http.request", "body": piece, "more_body": more})

    def hang_up(self) -> None:
        self._events.put_nowait({"type": "http.disconnect"})

    async def ask(self, front: AdmissionControl) -> "Visitor":
        await front(self.scope, self._events.get, self._take)
        return self

    async def _take(self, event: dict[str, Any]) -> None:
        if event["type"] == "http.response.start":
            self.status = event["status"]
            self.headers = {n.decode(): v.decode() for n, v in event["headers"]}
            return
        self.offered += 1
        await self.takes.wait()
        self.body += event["body"]
        self.has_all = not event["more_body"]


async def until(is_so: Any) -> None:
    """Let the others go on until it is so."""
    while not is_so():  # noqa: ASYNC110  states of threads wake nobody
        await asyncio.sleep(0.01)
