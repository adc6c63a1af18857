"""A stand-in of a MariaDB: real accounts, rights, sessions and small tables over the real protocol,
on loopback.

`wire` the protocol · `statements`, `granting` what is understood · `accounts` who may what ·
`tables`, `system_tables` the data · `lexer` statements as words. What it does not know it refuses;
where it would differ from the real server unseen, tests compare the two.
"""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Final

from aiohttp import web

from workspace_sandbox.fault_injection import Fault
from workspace_sandbox.routes import Route
from workspace_sandbox.server import LOGIN_PAGE, StandIn
from workspace_sandbox.stand_ins.sql_server import lexer, refusals
from workspace_sandbox.stand_ins.sql_server.accounts import SERVER_WIDE, Accounts, hashed
from workspace_sandbox.stand_ins.sql_server.refusals import SqlError
from workspace_sandbox.stand_ins.sql_server.statements import Statements
from workspace_sandbox.stand_ins.sql_server.tables import Tables
from workspace_sandbox.stand_ins.sql_server.visitor import Answer, Visitor
from workspace_sandbox.stand_ins.sql_server.wire import Cut, Wire, refuse_sign_in

ADMIN_PASSWORD: Final = "sandbox-sql-admin"
_AS_SQL: Final = {503: 1040, 500: 1040, 502: 1040, 429: 1226, 401: 1045, 403: 1227, 404: 1146}
"""What a fault with an HTTP status means here; another number is sent as it is."""
_WRITES: Final = re.compile("INSERT|UPDATE|DELETE|KILL", re.IGNORECASE)
"""Statements whose effect is not in the state; what they concerned says whether there was one."""
_READS: Final = re.compile("SELECT|SHOW|SET|USE", re.IGNORECASE)
"""Statements that leave the state as it is. They are most, and cost less than to compare it."""


class SqlServerStandIn(StandIn):
    """Answers SQL on `host`:`sql_port`, and the control routes over HTTP as every stand-in.

    `admin_username` and `admin_password`: an account that may do everything, on every host.
    `sql_port` 0 takes a free one.
    """

    name: ClassVar[str] = "sql_server"
    product: ClassVar[str] = "MariaDB"
    routes = (Route("GET", "/", ("demo person",)),)
    """Over HTTP; what is understood over SQL is `statements.SHAPES`."""

    def __init__(
        self,
        *,
        data_dir: Path | None = None,
        admin_username: str = "admin",
        admin_password: str = ADMIN_PASSWORD,
        sql_port: int = 0,
    ) -> None:
        self.admin_username = admin_username
        self.admin_password = admin_password
        self.host = "127.0.0.1"
        self.sql_port = sql_port
        super().__init__(data_dir=data_dir)
        self._home = data_dir / self.name if data_dir else None
        self._wires: dict[int, Wire] = {}
        self._last_number = 0
        self._server: asyncio.Server | None = None
        self._begin()
        if self.accounts.find(admin_username, "%") is None:
            self.state["users"].append(self.seed()["users"][-1])
            self.state["grants"].append(self.seed()["grants"][-1])
        row = self.accounts.find(admin_username, "%")
        if row is not None:
            row["hash"] = hashed(admin_password)

    def _begin(self) -> None:
        """Take up the state: at the start, and after a reset."""
        self._taken_up = self.state
        self.accounts = Accounts(self.state)
        self.tables = Tables(self.accounts, self.state["databases"], self._home)
        self.statements = Statements(self.accounts, self.tables, self)

    def seed(self) -> dict[str, Any]:
        everything = sorted({*SERVER_WIDE, "GRANT OPTION"})
        users = [("mariadb.sys", "localhost", "", True), ("root", "localhost", "*closed", False)]
        users.append((self.admin_username, "%", hashed(self.admin_password), False))
        return {
            "users": [
                {"user": user, "host": host, "hash": secret, "locked": locked}
                for user, host, secret, locked in users
            ],
            "databases": {},
            "grants": [
                {"user": user, "host": host, "db": "*", "table": "*", "names": everything}
                for user, host, _secret, _locked in users[1:]
            ],
        }

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/", self._front)

    async def _front(self, _request: web.Request) -> web.Response:
        return self.front_page()

    def what_exists(self) -> dict[str, Any]:
        """Accounts as name@host, databases, grants as SHOW GRANTS spells them, open sessions. No
        password, no hash.
        """
        self._follow()
        return {
            "users": sorted(f"{row['user']}@{row['host']}" for row in self.accounts.users),
            "locked": sorted(
                f"{row['user']}@{row['host']}" for row in self.accounts.users if row["locked"]
            ),
            "databases": sorted(self.tables.databases),
            "grants": [
                {
                    "account": f"{row['user']}@{row['host']}",
                    "database": row["db"],
                    "table": row["table"],
                    "privileges": row["names"],
                }
                for row in self.accounts.grants
            ],
            "sessions": [
                {"id": v.number, "account": v.account, "database": v.database}
                for v in self.visitors()
            ],
        }

    # --- running ----------------------------------------------------------------------------------

    async def started(self) -> None:
        self._server = await asyncio.start_server(self._welcome, self.host, self.sql_port)
        self.sql_port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server:
            self._server.close()
        for number in list(self._wires):
            self.cut(number)
        self.tables.close()
        await super().stop()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._last_number += 1
        number = self._last_number
        wire = self._wires[number] = Wire(self, number, reader, writer)
        try:
            await wire.serve()
        except asyncio.CancelledError:
            # KILL and stop end it so; it is nobody's failure.
            return
        finally:
            self._wires.pop(number, None)

    def visitors(self) -> list[Visitor]:
        """Everybody who is signed in."""
        return [wire.visitor for wire in self._wires.values() if wire.visitor]

    def cut(self, number: int) -> None:
        """End one session."""
        if wire := self._wires.get(number):
            wire.cut()

    # --- what a connection asks -------------------------------------------------------------------

    async def connecting(self, wire: Wire) -> None:
        """Somebody connects: faults on the statement CONNECT hit here."""
        fault = self.faults.take(method="CONNECT", statement="CONNECT")
        if fault is None:
            return
        try:
            await _before_effect(wire, fault)
            if fault.fault == "timeout_after_effect":
                await asyncio.sleep(fault.seconds)
                raise Cut
        except (SqlError, Cut) as refused:
            code = refused.code if isinstance(refused, SqlError) else 2013
            self.ledger.note(method="CONNECT", path="CONNECT", status=code, effect=False)
            raise

    def enter(self, wire: Wire, name: str, scramble: bytes, database: str) -> Visitor:
        """Somebody signs in; entered in the ledger as CONNECT, with the code of the refusal. Raises
        SqlError.
        """
        self._follow()
        code = 0
        try:
            return self._let_in(wire, name, scramble, database)
        except SqlError as refused:
            code = refused.code
            raise
        finally:
            self.ledger.note(method="CONNECT", path="CONNECT", status=code, effect=False)

    def _let_in(self, wire: Wire, name: str, scramble: bytes, database: str) -> Visitor:
        """Check the password, then the lock, then the database, in the order of the real server."""
        row = self.accounts.sign_in(name)
        if row is None or not wire.accepts(scramble, row["hash"]):
            raise refuse_sign_in(name, scramble)
        if row["locked"]:
            raise refusals.account_locked()
        rights = self.accounts.server_wide(row["user"], row["host"])
        visitor = Visitor(wire.connection_id, name, row["user"], row["host"], rights)
        if database:
            self.statements.use(visitor, database)
        return visitor

    async def answer(self, wire: Wire, statement: str) -> Answer:
        visitor = wire.visitor
        if visitor is None:
            raise Cut
        self._follow()
        shown = lexer.without_values(statement)

        def carry_out() -> Answer:
            visitor.running = shown
            try:
                return self.statements.run(visitor, statement)
            finally:
                visitor.running = ""

        return await self._noted(wire, shown, carry_out)

    def _follow(self) -> None:
        """Notice a reset, which gives a new state."""
        if self.state is not self._taken_up:
            self.tables.close()
            self._begin()

    async def _noted(self, wire: Wire, shown: str, carry_out: Callable[[], Answer]) -> Answer:
        """Carry it out under the faults that wait for it, and enter it in the ledger. Raises
        SqlError or Cut.
        """
        method = shown.partition(" ")[0].upper()
        fault = self.faults.take(method=method, statement=shown)
        code, concerned, effect = 0, 0, False
        try:
            if fault:
                await _before_effect(wire, fault)
            reads = _READS.match(shown)
            before = "" if reads else json.dumps(self.state)  # nobody else acts until the answer
            try:
                answer = carry_out()
                concerned = 0 if answer.columns or not _WRITES.match(shown) else answer.affected
            finally:
                effect = bool(concerned) or (not reads and json.dumps(self.state) != before)
                if effect:
                    self.changed()
            if fault and fault.fault == "timeout_after_effect":
                await asyncio.sleep(fault.seconds)
                raise Cut
            return answer
        except SqlError as refused:
            code = refused.code
            raise
        except Cut:
            code = 2013
            raise
        finally:
            self.ledger.note(method=method, path=shown, status=code, effect=effect)


async def _before_effect(wire: Wire, fault: Fault) -> None:
    match fault.fault:
        case "delay":
            await asyncio.sleep(fault.seconds)
        case "status":
            raise SqlError(_AS_SQL.get(fault.status, fault.status), "injected fault")
        case "garbage":
            await wire.write_raw(bytes([0xFF, 0x00, 0x7D, 0x7B]) * 16)
            raise Cut
        case "html" | "redirect":
            await wire.write_raw(
                b"HTTP/1.1 302 Found\r\nLocation: /login\r\n\r\n" + LOGIN_PAGE.encode()
            )
            raise Cut
        case "truncated":
            await wire.write_raw(bytes([0xC8, 0x00, 0x00, 0x01, 0x00]))
            raise Cut
        case "reset":
            raise Cut
