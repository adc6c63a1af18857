"""Doors before the systems of a running workspace, through which its manager calls them while they
stand: each call can be broken there.
"""

from contextlib import ExitStack
from typing import Any, Self
from urllib.parse import urlencode

from tests.conformance.doors import SqlDoor
from tests.life.person import Workspace
from tests.life.systems import identity_provider
from workspace_sandbox.fault_injection import Fault, Faults
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.server import StandIn, running


class Nth(Faults):
    """Breaks the n-th call of all doors together, and no other. 0: none."""

    def __init__(self, n: int, fault: str) -> None:
        super().__init__()
        self.n, self.fault, self.seen, self.call = n, fault, 0, ""

    def take(self, *, method: str = "", path: str = "", statement: str = "") -> Fault | None:
        """Count this call; whether it is the one to break."""
        self.seen += 1
        if self.seen != self.n:
            return None
        self.call = f"{method} {path or statement}"
        return Fault(self.fault, seconds=1)


class Doors:
    """`with Doors(workspace) as doors`: the manager's settings lead through them until the end."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.of: dict[str, StandIn] = {
            name: FaultProxy(workspace.system(name)["url"])
            for name in ("identity_provider", "triplestore", "container_manager")
        }
        sql = workspace.system("sql_server")
        self.sql = SqlDoor(sql["host"], int(sql["port"]))
        self.of["sql_server"] = self.sql
        self._open = ExitStack()

    def break_(self, n: int, fault: str) -> Nth:
        """Break the n-th call from now on."""
        nth = Nth(n, fault)
        for door in self.of.values():
            door.faults = nth
        return nth

    def __enter__(self) -> Self:
        self._open.enter_context(running(*self.of.values()))
        try:
            for name in self.of:
                address = {"port": self.sql.sql_port} if name == "sql_server" else {}
                self._lead(name, address or {"url": self.of[name].url})
        except BaseException:
            self._open.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for name in self.of:
            told = self.workspace.system(name)
            key = "port" if name == "sql_server" else "url"
            self._lead(name, {key: told[key]})
        self._open.close()

    def _lead(self, name: str, address: dict[str, Any]) -> None:
        """Another address; with it each secret is typed again."""
        told = self.workspace.system(name)
        typed = ("admin_password", "api_key")
        secrets: dict[str, Any] = {key: told[key] for key in typed if key in told}
        if name == "identity_provider":
            secrets["client_secret"] = self._client_secret()
        answer = self.workspace.api.patch(
            f"/systems/{name}", json={"settings": {**address, **secrets}}
        )
        assert answer.status_code == 200, answer.text

    def _client_secret(self) -> str:
        query = urlencode({"clientId": self.workspace.manager})
        (client,) = identity_provider(self.workspace, f"/clients?{query}").json()
        path = f"/clients/{client['id']}/client-secret"
        return str(identity_provider(self.workspace, path).json()["value"])
