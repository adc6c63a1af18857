"""The look at the SQL server: its greeting, without a sign-in."""

import socket
import struct
from typing import Final

from workspace_manager.contract import looks, slots
from workspace_manager.contract.deadline import seconds_left, time_limit
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.system import ObservedState
from workspace_manager.contract.wire import connect
from workspace_manager.systems.sql_server.client.mariadb import answers
from workspace_manager.systems.sql_server.client.session import SYSTEM
from workspace_manager.systems.sql_server.settings import POSTGRESQL, Settings

MOST: Final = 4096
"""Bytes of a greeting; MariaDB's has about a hundred."""
_SSL_REQUEST: Final = struct.pack("!ii", 8, 80877103)
_GREETS: Final = 10
"""The protocol of every version since 3.21."""
_ERROR: Final = 255
_NOBODY: Final = 2003
_LATE: Final = 2013


def look(settings: Settings) -> ObservedState:
    """Read a greeting: MariaDB greets every connection; PostgreSQL answers a question about
    encryption with one letter (docs/systems/sql-server.md#greetings). Raises the five errors.
    """
    wanted = seconds_left(looks.CALLS.answer_s, kind=SYSTEM, doing=looks.LOOKING)
    with slots.hold_slot(SYSTEM, kind=SYSTEM, doing=looks.LOOKING), time_limit(wanted):
        try:
            with connect(settings.host, settings.port, within=looks.CALLS.connect_s) as line:
                line.settimeout(None)
                if settings.flavour == POSTGRESQL:
                    _postgresql(line)
                else:
                    _mariadb(line)
        except (OSError, UnicodeError) as none:
            late = isinstance(none, TimeoutError)
            raise _error(_LATE if late else _NOBODY) from none
    return ObservedState()


def _postgresql(line: socket.socket) -> None:
    line.sendall(_SSL_REQUEST)
    if _read(line, 1) not in {b"S", b"N"}:
        raise _error(answers.NOT_UNDERSTOOD)


def _mariadb(line: socket.socket) -> None:
    """Read a packet of protocol 10 with the server's version, or one with an error such as "too
    many connections".
    """
    length = int.from_bytes(_read(line, 4)[:3], "little")
    if not 2 < length <= MOST:
        raise _error(answers.NOT_UNDERSTOOD)
    body = _read(line, length)
    if body[0] == _ERROR:
        raise _error(int.from_bytes(body[1:3], "little"))
    version, end, _ = body[1:].partition(b"\0")
    if body[0] != _GREETS or not end or not version.isascii():
        raise _error(answers.NOT_UNDERSTOOD)


def _read(line: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        piece = line.recv(size - len(found))
        if not piece:
            raise ConnectionError("the line was closed")
        found += piece
    return found


def _error(code: int) -> ConnectorError:
    return answers.error_of(code, kind=SYSTEM, doing=looks.LOOKING)
