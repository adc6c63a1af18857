"""The way from the stand-in to an engine: the one in memory, or a real one whose Docker API is
somewhere.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

import aiohttp
from yarl import URL

from workspace_sandbox.stand_ins.container_manager.docker_api import DockerApi
from workspace_sandbox.stand_ins.container_manager.wire import Call, EngineGone, Reply

SOCKET = "unix:///var/run/docker.sock"
_KEPT = {"api-version", "libpod-api-version", "server", "docker-experimental"}


class Link(Protocol):
    """Anything that answers Docker API calls. Raises EngineGone."""

    async def call(self, call: Call) -> Reply: ...
    async def close(self) -> None: ...


class MemoryLink:
    """The engine in memory; `mood` is up, down, no-socket or hangs."""

    def __init__(self, api: DockerApi, mood: Callable[[], str]) -> None:
        self._api = api
        self._mood = mood
        self._closing = asyncio.Event()

    async def call(self, call: Call) -> Reply:
        mood = self._mood()
        if mood == "hangs":
            await self._closing.wait()
        if mood in {"down", "no-socket"}:
            raise EngineGone(
                "connect: connection refused"
                if mood == "down"
                else "connect: no such file or directory"
            )
        return await self._api.call(call)

    async def close(self) -> None:
        """Let go of everybody who hangs."""
        self._closing.set()


class RealLink:
    """A real engine. The drive's container stays in memory, since its command-line tool is the
    drive stand-in's.
    """

    def __init__(self, url: str, api: DockerApi) -> None:
        self.url = url
        self._api = api
        self._session: aiohttp.ClientSession | None = None

    async def call(self, call: Call) -> Reply:
        if self._is_drive(call):
            return await self._api.call(call)
        reply = await self._forward(call)
        if call.method == "GET" and call.path.endswith("/containers/json") and reply.status == 200:
            return await self._with_drive(call, reply)
        return reply

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _is_drive(self, call: Call) -> bool:
        parts = [unquote(part) for part in call.path.split("/")]
        known = {*self._api.execs.sessions, *self._api.containers.containers}
        known |= {r["name"] for r in self._api.containers.containers.values()}
        about = next((i for i, p in enumerate(parts) if p in {"containers", "exec"}), len(parts))
        return len(parts) > about + 1 and parts[about + 1] in known

    async def _with_drive(self, call: Call, reply: Reply) -> Reply:
        ours = await self._api.call(call)
        found: Any = reply.json()
        if ours.status == 200 and isinstance(found, list):
            reply.body = json.dumps([*found, *json.loads(ours.body)]).encode()
        return reply

    async def _forward(self, call: Call) -> Reply:
        parts = urlsplit(self.url)
        base = "http://docker" if parts.scheme == "unix" else f"http://{parts.netloc}"
        if self._session is None:
            connector = aiohttp.UnixConnector(parts.path) if parts.scheme == "unix" else None
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=600),
            )
        sent = {k: v for k, v in call.headers.items() if k.lower() == "content-type"}
        try:
            async with self._session.request(
                call.method,
                URL(base + call.uri, encoded=True),
                data=call.body or None,
                headers=sent,
                allow_redirects=False,
            ) as answer:
                data = await answer.read()
                headers = {k: v for k, v in answer.headers.items() if k.lower() in _KEPT}
                return Reply(answer.status, data, answer.headers.get("Content-Type", ""), headers)
        except (aiohttp.ClientError, TimeoutError) as gone:
            raise EngineGone("connect: connection refused") from gone
