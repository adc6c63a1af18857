"""The users of the hub's stand-in and their servers: a default one each, and named ones."""

import time
from typing import Any

from workspace_manager.systems.notebook_hub.names import container_name
from workspace_sandbox.server import StandIn
from workspace_sandbox.stand_ins.notebook_hub.spawner import Spawner, SpawnFailed


class Servers(StandIn):
    """The servers of users, as the hub believes them to be, and the containers they run in."""

    prefix: str
    escape: str
    poll_s: float
    spawner: Spawner

    def users(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = self.state["users"]
        return found

    def add_user(self, name: str) -> None:
        now = time.time()
        self.users().setdefault(name, {"running": False, "since": now, "looked": now})
        self.changed()

    async def start_server(self, user: str, environment: dict[str, str]) -> None:
        await self.spawner.spawn(
            self.container(user), user, {"JUPYTERHUB_USER": user, **environment}
        )
        self.users()[user].update(running=True, since=time.time(), looked=time.time())
        self.changed()

    async def stop_server(self, user: str, server: str = "") -> None:
        await self.spawner.stop(self.container(user, server))
        if server in self.servers(user):
            self.servers(user)[server]["running"] = False
            self.changed()

    async def delete_user(self, user: str) -> None:
        """Stop the user's servers and forget the user; containers and volumes stay."""
        for server in self.servers(user):
            await self.stop_server(user, server)
        self.users().pop(user, None)
        self.changed()

    def servers(self, user: str) -> dict[str, dict[str, Any]]:
        """The rows of a user's servers by their names; the default one, "", is the user's own."""
        row = self.users().get(user)
        return {"": row, **row.setdefault("named", {})} if row else {}

    def add_server(self, user: str, server: str, *, pending: str = "") -> str:
        """Have the hub list a server of this name as running, or as `pending`; gives the name of
        its container, which nobody makes. For tests and for the sandbox's seed.
        """
        self.add_user(user)
        now = time.time()
        row = {"running": not pending, "pending": pending, "since": now, "looked": now}
        self.users()[user].setdefault("named", {})[server] = row
        self.changed()
        return self.container(user, server)

    async def poll(self, user: str) -> None:
        """Look whether the containers still run, as often as the hub does."""
        for server, row in self.servers(user).items():
            if row["running"] and time.time() - row["looked"] >= self.poll_s:
                row["looked"] = time.time()
                try:
                    row["running"] = await self.spawner.runs(self.container(user, server))
                except SpawnFailed:
                    return
                self.keep()

    def container(self, user: str, server: str = "") -> str:
        """The name DockerSpawner gives the container of a server."""
        name = container_name(user, prefix=self.prefix, escape=self.escape)
        return f"{name}--{container_name(server.lower(), prefix='')}" if server else name
