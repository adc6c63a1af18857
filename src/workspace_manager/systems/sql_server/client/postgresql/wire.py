"""The driver's connection, with a limit on the time and size of answers."""

import math
import os
import socket
import struct
from collections.abc import Callable, Generator
from typing import Any, Final, TypeAlias, TypeVar

import psycopg
from psycopg import abc

from workspace_manager.contract.deadline import moment, remaining_time
from workspace_manager.contract.http import MAX_ANSWER_BYTES

Row: TypeAlias = tuple[Any, ...]
_T = TypeVar("_T")
AT_A_TIME: Final = 16_384
"""Bytes of the kernel's receive buffer: with four times as many, hundreds of megabytes arrived
before the library let anybody check.
"""


class AnswerLate(Exception):
    """There was no answer in time."""


class AnswerTooLarge(Exception):
    """More arrived than any answer has."""


class Wire(psycopg.Connection[Row]):
    """A connection that waits at most `limit_s` seconds for an answer. The driver itself waits as
    long as the connection exists, and keeps everything that arrives.
    """

    limit_s: float = 30

    def set_limit(self, limit_s: float) -> None:
        """Set the limit for answers, and receive no more at a time than is checked: the client
        library continues to read as long as there is something.
        """
        self.limit_s = limit_s
        with self._line() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, AT_A_TIME)

    def _line(self) -> socket.socket:
        return socket.socket(fileno=os.dup(self.fileno()))

    def wait(self, gen: abc.PQGen[_T], interval: float = 0.05, *others: Any) -> _T:
        with self._line() as line:
            return super().wait(
                _until(gen, moment() + (remaining_time(self.limit_s) or 0), line), interval, *others
            )

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> "abc.PQGenConn[Wire]":
        """Connect like the driver, within the deadline."""

        def in_time() -> None:
            if (remaining_time(math.inf) or 0) <= 0:
                raise AnswerLate

        return _step_while(super()._connect_gen(conninfo), in_time)


def _until(gen: abc.PQGen[_T], deadline: float, line: socket.socket) -> Generator[Any, Any, _T]:
    """Drive `gen`. Raises AnswerLate at the first step after the deadline, AnswerTooLarge at the
    first after too many bytes.
    """
    most = _received_bytes(line) + MAX_ANSWER_BYTES

    def within_bounds() -> None:
        if moment() > deadline:
            raise AnswerLate
        if _received_bytes(line) > most:
            raise AnswerTooLarge

    return _step_while(gen, within_bounds)


def _step_while(gen: Generator[Any, Any, _T], check: Callable[[], None]) -> Generator[Any, Any, _T]:
    """Drive `gen` step by step, and no further once `check` raises. Waking up without news is a
    step, too.
    """
    try:
        wants = next(gen)
        while True:
            ready = yield wants
            try:
                check()
            except (AnswerLate, AnswerTooLarge):
                gen.close()
                raise
            wants = gen.send(ready)
    except StopIteration as end:
        value: _T = end.value
        return value


def _received_bytes(line: socket.socket) -> int:
    """Return the bytes received over a connection, as the kernel counts them (Linux, tcp_info): the
    client library tells nothing before an answer is complete. Elsewhere it is 0, and only the
    deadline limits the answer.
    """
    if not hasattr(socket, "TCP_INFO"):
        return 0
    told = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _COUNTER.size)
    return int(_COUNTER.unpack(told)[0]) if len(told) == _COUNTER.size else 0


_COUNTER: Final = struct.Struct("=128xQ")
"""The member tcpi_bytes_received of struct tcp_info."""
