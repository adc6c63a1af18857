"""A stand-in of Portainer CE 2.23 in front of podman 4.3: its own engine in memory, or a real one
behind it.

Imitated as recorded: keys and sessions, the six kinds of 404, the proxy's rewrites and refusals,
stacks with everything that bites. Beside Portainer's routes under /api it answers the bare Docker
API without a key, as the engine behind it would on a port of its own. In memory nothing is ever
run: what a command would do is foreseen, and behind a published port is a small page that says
which stack it is.
"""

import asyncio
import re
import secrets
from pathlib import Path
from typing import Any, ClassVar

from aiohttp import web

from workspace_sandbox.routes import Route
from workspace_sandbox.server import CONTROL, StandIn
from workspace_sandbox.stand_ins.container_manager import (
    docker_api,
    engine,
    environments,
    portainer,
)
from workspace_sandbox.stand_ins.container_manager.accounts import user_row
from workspace_sandbox.stand_ins.container_manager.docker_api import DockerApi
from workspace_sandbox.stand_ins.container_manager.execs import Occ
from workspace_sandbox.stand_ins.container_manager.gate import Gate, Request, digest
from workspace_sandbox.stand_ins.container_manager.link import SOCKET, Link, MemoryLink, RealLink
from workspace_sandbox.stand_ins.container_manager.pages import Pages
from workspace_sandbox.stand_ins.container_manager.portainer import Portainer
from workspace_sandbox.stand_ins.container_manager.wire import Call, EngineGone, Reply

__all__ = ["ContainerManagerStandIn"]

NOTEBOOK_IMAGE = engine.NOTEBOOK_IMAGE
ADMINISTRATOR = "admin"
_BY_TCP = "tcp://127.0.0.1:2375"
"""Where the second environment says it is: the same engine, but a dead one shows as 502 and not as
500.
"""
_BARE = re.compile(r"/(v\d+\.\d+/|version$|_ping$|(containers|exec|images|volumes|networks)(/|$))")


class ContainerManagerStandIn(StandIn):
    """Portainer's API. `docker_url`: a real engine (unix://, docker:// or http://) instead of the
    one in memory.

    `api_key` is an administrator's; `admin_password` signs the administrator in. `occ` answers what
    is run inside the container named `drive`, which then exists. `initialised` False: no
    administrator, key or environment yet, as after a first start.
    """

    name: ClassVar[str] = "container_manager"
    product: ClassVar[str] = "Portainer"
    routes = (Route("GET", "/", ("demo person",)), *portainer.ROUTES, *docker_api.ROUTES)

    def __init__(
        self,
        *,
        data_dir: Path | None = None,
        api_key: str,
        environment_id: int = 1,
        docker_url: str | None = None,
        occ: Occ | None = None,
        admin_password: str | None = None,
        initialised: bool = True,
    ) -> None:
        self._api_key = api_key
        self._environment_id = environment_id
        self._docker_url = docker_url
        self._admin_password = admin_password or secrets.token_urlsafe(16)
        self._initialised = initialised
        self._occ = occ
        super().__init__(data_dir=data_dir)
        containers = engine.Containers(lambda: self.state["engine"], self.changed)
        self._api = DockerApi(containers, occ=occ)
        self._closing = asyncio.Event()
        self.link: Link = MemoryLink(self._api, lambda: str(self._settings["engine"]))
        if docker_url:
            self.link = RealLink(re.sub(r"^(docker|tcp):", "http:", docker_url), self._api)
        self._pages = Pages(self._api.containers.all)
        self._gate = Gate(lambda: self.state["portainer"])
        self._portainer = Portainer(
            self._gate, self.link, lambda: str(self.state["engine"]["id"]), self.changed
        )
        if occ is not None:
            engine.ensure_drive(containers)

    # --- state ------------------------------------------------------------------------------------

    def seed(self) -> dict[str, Any]:
        portainer: dict[str, Any] = {
            "users": {},
            "keys": [],
            "environments": {},
            "stacks": {},
            "controls": {},
            "logged_out": [],
            "signing_key": secrets.token_hex(32),
            "instance_id": "41f4632d-78ea-4611-9574-20b742be3480",
            "last": {"user": 0, "key": 0, "environment": 0, "stack": 0, "control": 0},
            "settings": {
                "authentication_method": 1,
                "session_seconds": 8 * 3600,
                "init_timeout": False,
                "engine": "up",
            },
        }
        if self._initialised:
            self._fill(portainer)
        kept = engine.seed()
        if self._occ is not None:
            engine.ensure_drive(engine.Containers(lambda: kept, lambda: None))
        return {"engine": kept, "portainer": portainer}

    def _fill(self, portainer: dict[str, Any]) -> None:
        number = self._environment_id
        url = SOCKET
        if self._docker_url and not self._docker_url.startswith("unix"):
            url = re.sub(r"^\w+://", "tcp://", self._docker_url)
        portainer["users"]["1"] = user_row(1, ADMINISTRATOR, self._admin_password, 1)
        portainer["environments"][str(number)] = environments.row(number, "local", url)
        second = environments.row(number + 1, "remote-tcp", _BY_TCP)
        portainer["environments"][str(number + 1)] = second
        portainer["keys"].append(
            {
                "id": 1,
                "userId": 1,
                "description": "workspace manager",
                "prefix": self._api_key[:7],
                "dateCreated": 0,
                "lastUsed": 0,
                "digest": digest(self._api_key),
            }
        )
        portainer["last"].update(user=1, key=1, environment=number + 1)

    def what_exists(self) -> dict[str, Any]:
        """Containers, volumes and stacks by name. With a real engine only what Portainer itself
        keeps, and the drive.
        """
        records = self._api.containers.all()
        portainer = self.state["portainer"]
        return {
            "containers": [
                {
                    "name": r["name"],
                    "id": r["id"],
                    "image": r["image"],
                    "status": r["status"],
                    "running": r["status"] in {"running", "paused", "stopping"},
                    "labels": r["labels"],
                }
                for r in records
            ],
            "volumes": sorted(self.state["engine"]["volumes"]),
            "stacks": [
                {k: s[k] for k in ("Id", "Name", "EndpointId", "Status")}
                for s in portainer["stacks"].values()
            ],
            "users": sorted(user["Username"] for user in portainer["users"].values()),
            "environments": sorted(int(number) for number in portainer["environments"]),
        }

    @property
    def _settings(self) -> dict[str, Any]:
        found: dict[str, Any] = self.state["portainer"]["settings"]
        return found

    def run_container(self, name: str, *, image: str = NOTEBOOK_IMAGE, **body: Any) -> str:
        """Create and start a container in the engine in memory. Return its id. For tests and for
        the sandbox's seed.
        """
        record = self._api.containers.create(name, {"Image": image, **body})
        self._api.containers.start(record)
        return str(record["id"])

    # --- routes -----------------------------------------------------------------------------------

    def add_routes(self, app: web.Application) -> None:
        app.router.add_route("*", "/{tail:.*}", self._any)

    def add_control_routes(self, app: web.Application) -> None:
        app.router.add_post(f"{CONTROL}/settings", self._set)

    async def stop(self) -> None:
        self._closing.set()
        await self._pages.close()
        await self.link.close()
        await super().stop()

    async def _set(self, request: web.Request) -> web.Response:
        """Change how the world behaves: engine up/down/no-socket/hangs, init_timeout,
        authentication_method, session_seconds; `renumber`: `[old, new]` of an environment that was
        made again.
        """
        given = await request.json()
        old, new = given.pop("renumber", (0, 0))
        if old:
            rows = self.state["portainer"]["environments"]
            rows[str(new)] = rows.pop(str(old)) | {"Id": int(new)}
        unknown = set(given) - set(self._settings)
        if unknown:
            return web.json_response({"message": f"no such setting: {sorted(unknown)}"}, status=400)
        self._settings.update(given)
        self.changed()
        return web.json_response({})

    # --- one request ------------------------------------------------------------------------------

    async def _any(self, request: web.Request) -> web.StreamResponse:
        path, _, query = request.raw_path.partition("?")
        if path == "/":
            return self.front_page()
        body = await request.read()
        if _BARE.match(path):
            call = Call(request.method, path, query, body, request.headers)
            reply = await self._bare(call)
        else:
            sent = Request(request.method, path, query, body, request.headers)
            reply = await self._portainer.answer(sent)
        await self._pages.settle()
        return await self._send(request, reply)

    async def _bare(self, call: Call) -> Reply:
        try:
            return await self.link.call(call)
        except EngineGone:
            return Reply(0)

    async def _send(self, request: web.Request, reply: Reply) -> web.StreamResponse:
        if reply.status == 0:
            return self._cut(request)
        if reply.raw is not None:
            return await self._upgraded(request, reply.raw)
        headers = dict(reply.headers)
        if reply.content_type:
            headers["Content-Type"] = reply.content_type
        if reply.content_type == "application/vnd.docker.raw-stream":
            return await self._streamed(request, headers, reply.body)
        response = web.Response(status=reply.status, body=reply.body or None, headers=headers)
        if not reply.content_type:
            response.headers.popall("Content-Type", None)
        return response

    async def _streamed(
        self, request: web.Request, headers: dict[str, str], data: bytes
    ) -> web.StreamResponse:
        """Send output in pieces that cut frames apart, as a network does."""
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        for start in range(0, len(data), 7):
            await response.write(data[start : start + 7])
        await response.write_eof()
        return response

    async def _upgraded(self, request: web.Request, data: bytes) -> web.StreamResponse:
        """Answer 101. Through a socket environment nothing follows and the connection
        stays open.
        """
        transport = request.transport
        if transport is not None:
            transport.write(
                b"HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\n"
                b"Connection: Upgrade\r\nUpgrade: tcp\r\n\r\n" + data
            )
            if data:
                transport.close()
            else:
                await self._closing.wait()
        return web.Response(status=500)
