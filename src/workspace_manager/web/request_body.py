"""A request's body, read before anything of the process's is taken for the request.

A visitor who is silent holds a connection and nothing else. Each 64 kB of a body have a deadline:
a small body has one for all of it, a large one goes on as long as it makes progress. Large bodies
are counted, since they stay in memory until they are answered.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final, TypeAlias

Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]

PIECE: Final = 65_536


class HungUp(Exception):
    """The visitor went away."""


class TooSlow(Exception):
    """The visitor sent no 64 kB, nor the rest of fewer, in the time there is for it."""


class Full(Exception):
    """As many are under way as may be."""


class Slots:
    """So many at once, counted in one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.taken = 0

    @contextlib.contextmanager
    def one(self) -> Iterator[None]:
        """Have one in this block. Raises Full at once where none is free."""
        if self.taken >= self._most:
            raise Full
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1


async def read_body(receive: Receive, length: int, *, seconds: float) -> bytes:
    """The body, of which so many bytes come. Raises TooSlow and HungUp."""
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
