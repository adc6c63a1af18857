"""A door before a real PostgreSQL: passes its protocol on and breaks what a fault waits for, as the
other doors do.
"""

import asyncio
import struct
from typing import ClassVar, Final

from tests.conformance.doors import Cut, TcpDoor, copy
from workspace_sandbox.fault_injection import Fault
from workspace_sandbox.server import LOGIN_PAGE

_ENCRYPTION: Final = (80877103, 80877104)
"""What a client sends first to ask for TLS or GSSAPI; "N" says no."""
_CODES: Final = {
    500: ("53300", "sorry, too many clients already"),
    502: ("53300", "sorry, too many clients already"),
    503: ("57P03", "the database system is starting up"),
    429: ("53400", "sorry, too many clients already"),
    401: ("28P01", "password authentication failed"),
    403: ("42501", "permission denied for database"),
}
"""What a fault with an HTTP status means here; a refused sign-in is told by its words alone."""
_READY: Final = b"Z" + struct.pack("!I", 5) + b"I"


class PostgreSQLDoor(TcpDoor):
    """Passes messages on; knows where a statement begins and where a turn ends."""

    name: ClassVar[str] = "postgresql_door"
    product: ClassVar[str] = "a door before a real PostgreSQL"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await _startup(reader, writer)
        fault = self.connecting()
        if fault and await self.answered(writer, fault, _broken(fault)):
            raise Cut
        upstream, server = await asyncio.open_connection(*self.upstream)
        server.write(first)
        passing = asyncio.create_task(copy(upstream, writer))
        try:
            while True:
                turn, fault = await self._turn(reader)
                if fault and await self.answered(writer, fault, _broken(fault)):
                    writer.write(_READY)
                    continue
                if fault and fault.fault == "timeout_after_effect":
                    passing.cancel()
                    await asyncio.wait({passing})
                server.write(turn)
                await server.drain()
                if fault and fault.fault == "timeout_after_effect":
                    await _until_ready(upstream)
                    raise Cut
        finally:
            passing.cancel()
            server.transport.abort()

    async def _turn(self, reader: asyncio.StreamReader) -> tuple[bytes, Fault | None]:
        """What the client sends until it waits for an answer, and the fault that waits for it."""
        turn, fault = b"", None
        while True:
            kind = await reader.readexactly(1)
            size = await reader.readexactly(4)
            body = await reader.readexactly(struct.unpack("!I", size)[0] - 4)
            turn += kind + size + body
            if kind in {b"Q", b"P"}:
                # A parsed statement has its name before it.
                text = body if kind == b"Q" else body.partition(b"\0")[2]
                statement = text.partition(b"\0")[0].decode(errors="replace")
                fault = fault or self._fault_of(statement)
            if kind not in {b"P", b"B", b"D", b"E", b"C", b"H"}:
                return turn, fault

    def _fault_of(self, statement: str) -> Fault | None:
        method = statement.partition(" ")[0].upper()
        ends = " pg_terminate_backend" if "pg_terminate_backend" in statement else ""
        self.ledger.note(method=method + ends, path=method, status=0, effect=bool(ends))
        return self.faults.take(method=method, statement=statement)


async def _startup(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """The first packet that is none about encryption."""
    while True:
        size = await reader.readexactly(4)
        body = await reader.readexactly(struct.unpack("!I", size)[0] - 4)
        if struct.unpack("!I", body[:4])[0] not in _ENCRYPTION:
            return size + body
        writer.write(b"N")
        await writer.drain()


def _broken(fault: Fault) -> bytes:
    if fault.fault == "status":
        code, words = _CODES[fault.status]
        fields = b"".join(
            name + value.encode() + b"\0"
            for name, value in ((b"S", "FATAL"), (b"V", "FATAL"), (b"C", code), (b"M", words))
        )
        return b"E" + struct.pack("!I", len(fields) + 5) + fields + b"\0"
    if fault.fault == "garbage":
        return bytes([0xFF, 0x00, 0x7D, 0x7B]) * 16
    if fault.fault == "truncated":
        return b"T" + struct.pack("!I", 200) + b"\0\1"
    return b"HTTP/1.1 302 Found\r\nLocation: /login\r\n\r\n" + LOGIN_PAGE.encode()


async def _until_ready(source: asyncio.StreamReader) -> None:
    """Read answers until the turn is over: by then what was asked is done."""
    while True:
        kind = await source.readexactly(1)
        size = struct.unpack("!I", await source.readexactly(4))[0]
        await source.readexactly(size - 4)
        if kind == b"Z":
            return
