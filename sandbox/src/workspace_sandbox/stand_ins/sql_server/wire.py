"""One connection in MySQL's protocol: mysql-mimic does the packets; who gets in, and what is
answered, is decided here.

Three of its habits would make the stand-in untrue, so they are replaced: it goes on after a refused
sign-in, it answers what it does not know with an empty set, and it writes whole statements to its
log.
"""

import asyncio
import contextlib
import struct
from collections.abc import Sequence
from typing import Any, Protocol

from mysql_mimic import packets
from mysql_mimic.auth import (
    AuthPlugin,
    AuthState,
    IdentityProvider,
    NativePasswordAuthPlugin,
    User,
)
from mysql_mimic.connection import Connection as MimicConnection
from mysql_mimic.control import LocalControl
from mysql_mimic.errors import MysqlError
from mysql_mimic.results import ResultColumn, ResultSet, infer_type
from mysql_mimic.session import Session as MimicSession
from mysql_mimic.stream import ConnectionClosed, MysqlStream
from mysql_mimic.types import ColumnType, Commands

from workspace_sandbox.stand_ins.sql_server import refusals
from workspace_sandbox.stand_ins.sql_server.refusals import SqlError
from workspace_sandbox.stand_ins.sql_server.tables import VERSION
from workspace_sandbox.stand_ins.sql_server.visitor import Answer, Visitor

NATIVE = NativePasswordAuthPlugin()
NONCE_LENGTH = 20

_GARBLED = (MysqlError, asyncio.IncompleteReadError, struct.error, IndexError, ValueError)
"""What a packet of another protocol leads to."""


class Cut(Exception):
    """The connection is broken off here; nothing is answered."""


class House(Protocol):
    """The stand-in as a connection sees it."""

    async def connecting(self, wire: "Wire") -> None:
        """Raises SqlError or Cut for an injected fault."""
        ...

    def enter(self, wire: "Wire", name: str, scramble: bytes, database: str) -> Visitor:
        """Raises SqlError."""
        ...

    async def answer(self, wire: "Wire", statement: str) -> Answer:
        """Raises SqlError or Cut."""
        ...


class _NativeOnly(IdentityProvider):  # type: ignore[misc]
    """Greets with the nonce of `mysql_native_password`; nobody is looked up here."""

    def get_plugins(self) -> Sequence[AuthPlugin]:
        return [NATIVE]

    async def get_user(self, username: str) -> User:
        return User(name=username)


class Wire(MimicConnection):  # type: ignore[misc]
    """One connection from greeting to end."""

    def __init__(
        self,
        house: House,
        number: int,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        session = MimicSession()
        session.variables.set("version", VERSION, force=True)
        super().__init__(
            stream=MysqlStream(reader, writer),
            session=session,
            control=LocalControl(),
            identity_provider=_NativeOnly(),
        )
        self.connection_id = number
        self.house = house
        self.visitor: Visitor | None = None
        self._writer = writer
        self._serving: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Greet, let in or refuse, then answer until the end. Broken connections end quietly."""
        self._serving = asyncio.current_task()
        try:
            with contextlib.suppress(ConnectionClosed, ConnectionError, *_GARBLED):
                await self._serve()
        except Cut:
            self._writer.transport.abort()
        finally:
            self.visitor = None
            self._writer.close()

    def cut(self) -> None:
        """End it from outside, as KILL does."""
        self.visitor = None
        self._writer.transport.abort()
        if self._serving:
            self._serving.cancel()

    async def write_raw(self, content: bytes) -> None:
        """Send bytes that are no packet, for injected faults."""
        self._writer.write(content)
        await self._writer.drain()

    async def _serve(self) -> None:
        try:
            await self.house.connecting(self)
            await self.connection_phase()
            while await self._obey(await self.stream.read()):
                self.stream.reset_seq()
        except SqlError as refused:
            await self.stream.write(refused.packet())

    async def authenticate(
        self,
        username: str,
        auth_response: bytes,
        client_plugin_name: str | None,
        connect_attrs: dict[str, str],
        auth_state: AuthState | None = None,
        server_plugin: AuthPlugin | None = None,
    ) -> None:
        """Called by the handshake. Raises SqlError, which ends the connection."""
        if client_plugin_name not in {None, NATIVE.name}:
            await self.stream.write(
                packets.make_auth_switch_request(
                    server_charset=self.server_charset,
                    plugin_name=NATIVE.name,
                    plugin_provided_data=self.handshake_auth_data or b"",
                )
            )
            auth_response = await self.stream.read()
        database = self.session.database or ""
        self.visitor = self.house.enter(self, username, auth_response, database)
        await self.stream.write(self.ok())

    def accepts(self, scramble: bytes, stored: str) -> bool:
        """Return whether this proves knowledge of the password; an account without one takes an
        empty answer alone.
        """
        nonce = (self.handshake_auth_data or b"")[:NONCE_LENGTH]
        if not stored:
            return not scramble
        return len(scramble) == NONCE_LENGTH and bool(
            NATIVE.verify_scramble(stored.removeprefix("*").lower(), scramble, nonce)
        )

    async def _obey(self, packet: bytes) -> bool:
        """Answer one command; False when it was the last. Raises Cut."""
        command, content = packet[0], packet[1:]
        if command == Commands.COM_QUIT:
            return False
        try:
            if command == Commands.COM_QUERY:
                query = packets.parse_com_query(
                    capabilities=self.capabilities,
                    client_charset=self.client_charset,
                    data=content,
                )
                await self._tell(await self.house.answer(self, query.sql))
            elif command == Commands.COM_PING:
                await self.stream.write(self.ok())
            elif command == Commands.COM_INIT_DB:
                name = self.client_charset.decode(content).replace("`", "``")
                await self._tell(await self.house.answer(self, f"USE `{name}`"))
            elif command == Commands.COM_STMT_PREPARE:
                text = "This command is not supported in the prepared statement protocol yet"
                raise SqlError(1295, text)
            else:
                raise SqlError(1047, "Unknown command", state="08S01")
        except SqlError as refused:
            await self.stream.write(refused.packet())
        return True

    async def _tell(self, answer: Answer) -> None:
        if not answer.columns:
            packet = self.ok(affected_rows=answer.affected, warnings=answer.warnings)
            await self.stream.write(packet)
            return
        columns = [
            ResultColumn(name=name, type=_type([row[n] for row in answer.rows]))
            for n, name in enumerate(answer.columns)
        ]
        await self.write_text_resultset(ResultSet(rows=list(answer.rows), columns=columns))


def _type(values: list[Any]) -> ColumnType:
    kinds = {infer_type(value) for value in values if value is not None}
    return kinds.pop() if len(kinds) == 1 else ColumnType.VARCHAR


def refuse_sign_in(name: str, scramble: bytes) -> SqlError:
    return refusals.sign_in(name, "127.0.0.1", password=bool(scramble))
