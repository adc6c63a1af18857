"""The driver's connection, bounded: neither longer nor larger than any answer may be."""

import math
import os
import socket
import struct
from collections.abc import Generator
from typing import Any, Final, TypeAlias, TypeVar

import psycopg
from psycopg import abc

from workspace_manager.contract.deadline import left, moment
from workspace_manager.contract.http import MAX_ANSWER_BYTES

Row: TypeAlias = tuple[Any, ...]
_T = TypeVar("_T")


class Late(Exception):
    """No answer came in time."""


class TooLarge(Exception):
    """More came than any answer has."""


class Wire(psycopg.Connection[Row]):
    """Waits no longer than `limit_s` seconds for any answer: the driver itself waits as long as the
    connection stands, and keeps whatever comes.
    """

    limit_s: float = 30

    def wait(self, gen: abc.PQGen[_T], interval: float = 0.05, *others: Any) -> _T:
        with socket.socket(fileno=os.dup(self.fileno())) as line:
            return super().wait(
                _until(gen, moment() + (left(self.limit_s) or 0), line), interval, *others
            )

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> "abc.PQGenConn[Wire]":
        """As the driver does it, and not a moment longer than there is time."""
        gen = super()._connect_gen(conninfo)
        try:
            wants = next(gen)
            while True:
                ready = yield wants
                if (left(math.inf) or 0) <= 0:
                    gen.close()
                    raise Late
                wants = gen.send(ready)
        except StopIteration as end:
            made: Wire = end.value
            return made


def _until(gen: abc.PQGen[_T], deadline: float, line: socket.socket) -> Generator[Any, Any, _T]:
    """Step by step what `gen` does; raises Late at the first step after the deadline, TooLarge at
    the first when too much came. Waking up without news is a step too.
    """
    most = _received(line) + MAX_ANSWER_BYTES
    try:
        wants = next(gen)
        while True:
            ready = yield wants
            if moment() > deadline:
                gen.close()
                raise Late
            if _received(line) > most:
                gen.close()
                raise TooLarge
            wants = gen.send(ready)
    except StopIteration as end:
        value: _T = end.value
        return value


def _received(line: socket.socket) -> int:
    """How many bytes ever came over a connection, as the kernel counts them (Linux, tcp_info): the
    client library tells nobody before an answer is whole. Elsewhere 0, and time alone bounds it.
    """
    if not hasattr(socket, "TCP_INFO"):
        return 0
    told = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _COUNTER.size)
    return int(_COUNTER.unpack(told)[0]) if len(told) == _COUNTER.size else 0


_COUNTER: Final = struct.Struct("=128xQ")
"""tcpi_bytes_received in struct tcp_info."""
