"""Admission control of the web server (ASGI): a request is read completely before a thread works on
it, and waiting for a visitor holds nothing that others need.

Each complete request gets a thread. Only as many work at once as the machine can use; a thread that
calls a system lets another one work meanwhile (`contract.slots`). Long answers are made in pieces
by few threads, each piece when the visitor has taken the one before it. A visitor who comes when
too many requests are inside is told so.
"""

import asyncio
import contextlib
import io
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

from workspace_manager.contract import slots
from workspace_manager.contract.share import Patience
from workspace_manager.core import connections
from workspace_manager.web.environ import Scope, environ_of
from workspace_manager.web.exchange import Application, Exchange, Headers
from workspace_manager.web.request_body import (
    PIECE,
    BodyStream,
    Full,
    HungUp,
    Receive,
    Slots,
    TooSlow,
    read_body,
)

RETRY_S: Final = 5
PATIENCE: Final = Patience(seconds=3, threads=40)

Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]
T = TypeVar("T")

_HEADERS: Final = [
    (b"cache-control", b"no-store, private"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
]


@dataclass(frozen=True)
class Limits:
    """Limits of concurrent work, and of waiting for a visitor."""

    working: int = 8
    threads: int = 80
    """Requests that work or wait for a system."""
    waiting: int = 400
    """Requests that have been read and wait for a thread."""
    uploads: int = 4
    """Requests that bring a file, which is read while it arrives."""
    large_bodies: int = 16
    """Requests with a body of more than 64 kB."""
    body: int = 1_000_000
    """Bytes; of a longer one nothing is read, but of an upload."""
    long_answers: int = 400
    making: int = 2
    """Threads that make pieces of long answers."""
    visitor_s: float = 30
    """For each 64 kB that a visitor sends or takes."""


class AdmissionControl:
    """The ASGI server's admission control in front of a WSGI application."""

    def __init__(
        self,
        application: Application,
        limits: Limits | None = None,
        *,
        is_upload: Callable[[Scope, int], bool] = lambda _scope, _length: False,
    ) -> None:
        """`is_upload`: whether a request of this length brings a file that is taken."""
        self._application, self._limits = application, limits or Limits()
        self._is_upload = is_upload
        self._working = threading.Semaphore(self._limits.working)
        self._requests = Slots(self._limits.threads + self._limits.waiting)
        self.large_bodies = Slots(self._limits.large_bodies)
        self.long_answers = Slots(self._limits.long_answers)
        self.uploads = Slots(self._limits.uploads)
        self._uploaders = ThreadPoolExecutor(self._limits.uploads, "upload")
        self._threads = ThreadPoolExecutor(self._limits.threads, "request")
        self._makers = ThreadPoolExecutor(self._limits.making, "long-answer")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/health/live" and scope["method"] in {"GET", "HEAD"}:
            await _say(send, 200, "application/json", {"status": "live"})
            return
        try:
            with contextlib.ExitStack() as held:
                await self._answer(scope, receive, send, held)
        except TooSlow:
            why = f"The request did not arrive in time: {self._limits.visitor_s:g} seconds."
            await _problem(send, 408, "Request Timeout", why, (b"connection", b"close"))
        except Full:
            why = f"Too many requests are being answered. Try again in {RETRY_S} seconds."
            again = (b"retry-after", str(RETRY_S).encode())
            await _problem(send, 503, "Service Unavailable", why, again)
        except HungUp:
            return

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, held: contextlib.ExitStack
    ) -> None:
        """Answer a request. Raises TooSlow, Full or HungUp, each before anything is sent."""
        length = int(dict(scope["headers"]).get(b"content-length", b"0"))
        if length > self._limits.body and self._is_upload(scope, length):
            await self._answer_upload(scope, receive, send, length)
            return
        body = await self._read(length, receive, held)
        exchange = Exchange(self._application, environ_of(scope, io.BytesIO(body)))
        with self._requests.one():
            whole = await self._work(self._threads, exchange, exchange.begin)
        if exchange.is_whole:
            await send(_start(exchange.status, exchange.headers))
            await send(_body(whole, more=False))
            return
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(self._work, self._makers, exchange, exchange.close)
            stack.enter_context(self.long_answers.one())
            await self._give_pieces(exchange, receive, send)

    async def _answer_upload(self, scope: Scope, receive: Receive, send: Send, length: int) -> None:
        """Answer a request whose body a thread reads while it arrives. There are few such threads,
        and none of them counts as one that works: others go on, however slow the visitor is.
        """
        body = BodyStream(receive, length, seconds=self._limits.visitor_s)
        exchange = Exchange(self._application, environ_of(scope, body))
        with self.uploads.one():
            whole = await _run(self._uploaders, exchange, exchange.begin)
        if body.why:
            raise body.why
        await send(_start(exchange.status, exchange.headers))
        await send(_body(whole, more=False))

    async def _read(self, length: int, receive: Receive, held: contextlib.ExitStack) -> bytes:
        """Return the body, if the request states its length and is not too large. The headers alone
        get other requests refused (`api.gate`, `errors.RefuseLargeBodies`); their bodies are not
        read.
        """
        if length > self._limits.body:
            return b""
        if length > PIECE:
            held.enter_context(self.large_bodies.one())
        return await read_body(receive, length, seconds=self._limits.visitor_s)

    async def _give_pieces(self, exchange: Exchange, receive: Receive, send: Send) -> None:
        """Make and send one piece after the other, as long as the visitor takes them."""
        gone = asyncio.ensure_future(_hang_up(receive))
        try:
            await send(_start(exchange.status, exchange.headers))
            while not gone.done():
                piece = await self._work(self._makers, exchange, exchange.make_piece)
                if not await self._is_taken(send, piece) or not piece:
                    return
        finally:
            gone.cancel()

    async def _is_taken(self, send: Send, piece: bytes) -> bool:
        try:
            async with asyncio.timeout(self._limits.visitor_s):
                await send(_body(piece, more=bool(piece)))
        except TimeoutError:
            return False
        return True

    async def _work(
        self, threads: ThreadPoolExecutor, exchange: Exchange, work: Callable[[], T]
    ) -> T:
        return await _run(threads, exchange, partial(self._take_turn, work))

    def _take_turn(self, work: Callable[[], T]) -> T:
        with self._working, slots.release_during_calls(self._others_work):
            return work()

    @contextlib.contextmanager
    def _others_work(self) -> Iterator[None]:
        self._working.release()
        try:
            yield
        finally:
            self._working.acquire()


async def _run(threads: ThreadPoolExecutor, exchange: Exchange, work: Callable[[], T]) -> T:
    run = partial(exchange.context.run, _let_go_after, work)
    return await asyncio.get_running_loop().run_in_executor(threads, run)


def _let_go_after(work: Callable[[], T]) -> T:
    try:
        return work()
    finally:
        connections.let_go()


async def _hang_up(receive: Receive) -> None:
    """Wait until the visitor goes away."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _start(status: int, headers: Headers) -> dict[str, Any]:
    return {"type": "http.response.start", "status": status, "headers": headers}


def _body(piece: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.response.body", "body": piece, "more_body": more}


async def _problem(
    send: Send, status: int, title: str, detail: str, *more: tuple[bytes, bytes]
) -> None:
    """Send a problem document, in English: the request's headers are not read for a language."""
    document = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    await _say(send, status, "application/problem+json", document, *more)


async def _say(
    send: Send, status: int, kind: str, document: dict[str, Any], *more: tuple[bytes, bytes]
) -> None:
    body = json.dumps(document).encode()
    headers: Headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        *more,
        *_HEADERS,
    ]
    await send(_start(status, headers))
    await send(_body(body, more=False))
