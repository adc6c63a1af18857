"""Doors before real parts that speak no HTTP, which break calls as stand-ins do: the same faults,
so that the same checks run on the real part unchanged.

Those that speak HTTP have `workspace_sandbox.fault_proxy`.
"""

import asyncio
import contextlib
import struct
from typing import Any, ClassVar

from aiohttp import web

from workspace_sandbox.fault_injection import Fault
from workspace_sandbox.server import LOGIN_PAGE, StandIn

_COM_QUERY, _AS_SQL = 3, {500: 1040, 502: 1040, 503: 1040, 429: 1226, 401: 1045, 403: 1227}


class TcpDoor(StandIn):
    """A door that is no HTTP: it listens on `host`:`sql_port`, the control routes on a port of
    their own.
    """

    def __init__(self, host: str, port: int) -> None:
        super().__init__()
        self.upstream = (host, port)
        self.host = "127.0.0.1"
        self.sql_port = 0
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    def seed(self) -> dict[str, Any]:
        return {}

    def add_routes(self, app: web.Application) -> None:
        """Only the control routes speak HTTP."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, to its end. Raises Cut."""
        raise NotImplementedError

    async def started(self) -> None:
        self._server = await asyncio.start_server(self._welcome, self.host, 0)
        self.sql_port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server:
            self._server.close()
        for task in list(self._open):
            task.cancel()
        await super().stop()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._open.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, Cut):
                await self.serve(reader, writer)
        except asyncio.CancelledError:
            return
        finally:
            self._open.discard(task)
            writer.close()

    def connecting(self) -> Fault | None:
        """Somebody connects: faults on the statement CONNECT hit here."""
        self.ledger.note(method="CONNECT", path="CONNECT", status=0, effect=False)
        return self.faults.take(method="CONNECT", statement="CONNECT")

    async def answered(self, writer: asyncio.StreamWriter, fault: Fault, broken: bytes) -> bool:
        """Do what the fault says, by sending `broken` if it says so; False when the call goes on
        all the same. Raises Cut when the connection ends with it.
        """
        if fault.fault == "delay":
            await asyncio.sleep(fault.seconds)
        if fault.fault in {"delay", "timeout_after_effect"}:
            return False
        if fault.fault == "reset":
            writer.transport.abort()
            raise Cut
        writer.write(broken)
        await writer.drain()
        if fault.fault != "status":
            raise Cut
        return True


class SqlDoor(TcpDoor):
    """Passes packets of MySQL's protocol on; knows no more of it than where a statement begins."""

    name: ClassVar[str] = "sql_door"
    product: ClassVar[str] = "a door before a real SQL server"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        fault = self.connecting()
        if fault and await self.answered(writer, fault, _broken(fault, 0)):
            raise Cut
        upstream, server = await asyncio.open_connection(*self.upstream)
        passing = asyncio.create_task(copy(upstream, writer))
        try:
            while True:
                head = await reader.readexactly(4)
                packet = head + await reader.readexactly(int.from_bytes(head[:3], "little"))
                fault = self._fault_of(packet)
                if fault and await self.answered(writer, fault, _broken(fault, 1)):
                    continue
                if fault and fault.fault == "timeout_after_effect":
                    passing.cancel()
                    await asyncio.wait({passing})
                server.write(packet)
                await server.drain()
                if fault and fault.fault == "timeout_after_effect":
                    await upstream.read(65536)
                    raise Cut
        finally:
            passing.cancel()
            server.transport.abort()

    def _fault_of(self, packet: bytes) -> Fault | None:
        if packet[3] != 0 or packet[4:5] != bytes([_COM_QUERY]):
            return None
        statement = packet[5:].decode(errors="replace")
        method = statement.partition(" ")[0].upper()
        self.ledger.note(method=method, path=method, status=0, effect=False)
        return self.faults.take(method=method, statement=statement)


def _broken(fault: Fault, sequence: int) -> bytes:
    if fault.fault == "status":
        code = _AS_SQL.get(fault.status, fault.status)
        said = b"\xff" + struct.pack("<H", code) + b"#HY000injected fault"
        return len(said).to_bytes(3, "little") + bytes([sequence]) + said
    if fault.fault == "garbage":
        return bytes([0xFF, 0x00, 0x7D, 0x7B]) * 16
    if fault.fault == "truncated":
        return bytes([0xC8, 0x00, 0x00, 0x01, 0x00])
    return b"HTTP/1.1 302 Found\r\nLocation: /login\r\n\r\n" + LOGIN_PAGE.encode()


class Cut(Exception):
    """The connection ends here."""


async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
