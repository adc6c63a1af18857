"""The body of a request, read before the request takes any resource of the process.

A silent visitor holds only a connection. Each 64 kB of a body have a deadline: a small body has one
deadline, and a large one continues as long as it makes progress. Large bodies are counted, because
they stay in memory until they are answered.
"""

import asyncio
import contextlib
import errno
import io
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final, TypeAlias

from workspace_manager.contract import wait_hooks

Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]

PIECE: Final = 65_536


class HungUp(Exception):
    """The visitor disconnected."""


class TooSlow(Exception):
    """The visitor missed the deadline of 64 kB, or of the rest."""


class Full(Exception):
    """No slot is free."""


class Slots:
    """A limited number of slots, counted in one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.taken = 0

    @contextlib.contextmanager
    def one(self) -> Iterator[None]:
        """Hold a slot in this block. Raises Full at once if none is free."""
        if self.taken >= self._most:
            raise Full
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1


class BodyStream(io.RawIOBase):
    """A body that a thread reads while it arrives: an uploaded file. `why`: what ended it early."""

    def __init__(self, receive: Receive, length: int, *, seconds: float) -> None:
        super().__init__()
        self._receive, self._left, self._seconds = receive, length, seconds
        self._loop = asyncio.get_running_loop()
        self._rest = b""
        self.why: HungUp | TooSlow | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Give some bytes; none at the end. Raises OSError where the visitor is gone or too slow.
        The thread gives back what others need before it waits.
        """
        if not self._rest and self._left:
            wait_hooks.begin()
            self._rest = self._wait()
            self._left -= len(self._rest)
        given = memoryview(buffer).cast("B")
        piece, self._rest = self._rest[: len(given)], self._rest[len(given) :]
        given[: len(piece)] = piece
        return len(piece)

    def _wait(self) -> bytes:
        piece = read_body(self._receive, min(self._left, PIECE), seconds=self._seconds)
        try:
            # Longer than the visitor may take: a server that ends answers nothing any more.
            return asyncio.run_coroutine_threadsafe(piece, self._loop).result(2 * self._seconds)
        except (HungUp, TooSlow) as why:
            self.why = why
            raise OSError(errno.ECONNRESET, "the body ended early") from None


async def read_body(receive: Receive, length: int, *, seconds: float) -> bytes:
    """Return the body of this length. Raises TooSlow and HungUp."""
    body = bytearray()
    while len(body) < length:
        try:
            async with asyncio.timeout(seconds):
                await _read_until(min(len(body) + PIECE, length), receive, body)
        except TimeoutError:
            raise TooSlow from None
    return bytes(body)


async def _read_until(size: int, receive: Receive, body: bytearray) -> None:
    while len(body) < size:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise HungUp
        body += event.get("body", b"")
        if not event.get("more_body", False) and len(body) < size:
            raise HungUp
