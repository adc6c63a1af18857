"""Send one request as it was recorded, byte by byte, and take what comes back.

A ready-made client would tidy up paths (`..`, `//`), headers and bodies before it sends them; the
recordings did not.
"""

import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlsplit

from tests.recorded.reading import Exchange, as_json
from workspace_sandbox.patience import PATIENCE_S

GIVE_UP_S: Final = PATIENCE_S
UPGRADED_S: Final = 0.3
"""For the next bytes of a connection that is no longer HTTP's: nothing says that it is over."""


@dataclass(frozen=True)
class Request:
    """What is sent: a recorded request, with this run's address and credentials."""

    url: str
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    answer_s: float = GIVE_UP_S

    def with_(self, **changes: Any) -> "Request":
        return replace(self, **changes)

    def header(self, name: str, value: str | None) -> "Request":
        """The same with one header changed; None takes it away."""
        rest = {key: old for key, old in self.headers.items() if key != name}
        return replace(self, headers=rest if value is None else {**rest, name: value})


@dataclass(frozen=True)
class Reply:
    """What came back; `status` None: nothing did."""

    status: int | None
    headers: tuple[tuple[str, str], ...] = ()
    content: bytes = b""

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)

    def cookies(self) -> dict[str, str]:
        """Name and value of every cookie that was set."""
        pairs = (
            value.partition(";")[0].partition("=")
            for key, value in self.headers
            if key == "set-cookie"
        )
        return {name.strip(): value for name, _, value in pairs}

    @property
    def content_type(self) -> str:
        return (self.header("content-type") or "").partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", errors="replace")

    def json(self) -> Any:
        return as_json(self.text)


SILENCE = Reply(None)


def request_of(exchange: Exchange, url: str) -> Request:
    """The recorded request, addressed to `url`. The Host header stays only where it says something:
    another name than loopback.
    """
    headers = {key: value for key, value in exchange.headers.items() if key != "content-length"}
    if headers.get("host", "").startswith("127.0.0.1"):
        del headers["host"]
    # A character that the recording could not show was one byte of another encoding.
    body = exchange.body.encode().replace("\ufffd".encode(), b"\xf6")
    return Request(url, exchange.method, exchange.target, headers, body)


def send(request: Request) -> Reply:
    """Send it and read until the answer is complete or the time is over: `answer_s` is for the
    whole of it, since whoever drips a byte at a time never lets a single read run late.
    """
    deadline = time.monotonic() + request.answer_s
    place = urlsplit(request.url)
    assert place.hostname
    assert place.port
    headers = {"host": f"{place.hostname}:{place.port}", **request.headers}
    if request.body or request.method in {"POST", "PUT", "PATCH"}:
        headers["content-length"] = str(len(request.body))
    if "upgrade" not in headers:
        headers["connection"] = "close"
    head = [f"{request.method} {request.target} HTTP/1.1"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    with socket.create_connection((place.hostname, place.port), request.answer_s) as connection:
        connection.sendall("\r\n".join([*head, "", ""]).encode() + request.body)
        return _reply(connection, request.method, deadline)


def _reply(connection: socket.socket, method: str, deadline: float) -> Reply:
    received = bytearray()
    try:
        while not _complete(received, method):
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            connection.settimeout(left)
            chunk = connection.recv(65536)
            if not chunk:
                break
            received += chunk
            if _upgraded(received):
                deadline = time.monotonic() + UPGRADED_S
    except (TimeoutError, ConnectionError):
        if b"\r\n\r\n" not in received:
            return SILENCE
    if not received:
        return SILENCE
    status, headers, content = _parts(bytes(received))
    if dict(headers).get("transfer-encoding") == "chunked":
        content = _joined(content)
    return Reply(status, headers, content)


def _parts(received: bytes) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
    head, _, content = received.partition(b"\r\n\r\n")
    lines = head.decode("utf-8", errors="replace").split("\r\n")
    pairs = (line.partition(":") for line in lines[1:])
    headers = tuple((name.strip().lower(), value.strip()) for name, _, value in pairs)
    return int(lines[0].split()[1]), headers, content


def _complete(received: bytearray, method: str) -> bool:
    if b"\r\n\r\n" not in received:
        return False
    status, headers, content = _parts(bytes(received))
    if method == "HEAD" or status in {204, 304}:
        return True
    length = dict(headers).get("content-length")
    return length is not None and len(content) >= int(length)


def _upgraded(received: bytearray) -> bool:
    return b"\r\n\r\n" in received and _parts(bytes(received))[0] == 101


def _joined(chunks: bytes) -> bytes:
    whole = bytearray()
    while chunks:
        size, _, chunks = chunks.partition(b"\r\n")
        length = int(size.partition(b";")[0] or b"0", 16)
        if not length:
            break
        whole += chunks[:length]
        chunks = chunks[length + 2 :]
    return bytes(whole)
