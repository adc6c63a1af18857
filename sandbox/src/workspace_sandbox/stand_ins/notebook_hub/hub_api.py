"""The hub's REST API under /hub/api, as far as a manager of people uses it."""

import asyncio
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from aiohttp import web

VERSION = "6.1.1"
SCOPES = (
    *("read:users:name", "read:users", "read:servers", "delete:servers"),
    *("read:hub", "read:services!service=workspace-manager"),
)
ASKED_AFRESH = {
    "enable_auth_state": True,
    "refresh_pre_spawn": True,
    "auth_refresh_strict": True,
    "auth_refresh_age": 60,
    "userdata_from_id_token": False,
}
"""What the configuration in deploy/notebook-hub tells of itself; the stand-in asks before each
start as that one does.
"""


class Hub(Protocol):
    """What the API needs of the hub."""

    api_token: str
    scopes: Sequence[str]
    slow_stop_s: float

    def users(self) -> dict[str, dict[str, Any]]: ...
    async def stop_server(self, user: str) -> None: ...
    async def poll(self, user: str) -> None: ...


def refusal(status: int, message: str | None) -> web.Response:
    return web.json_response({"status": status, "message": message}, status=status)


class HubApi:
    """Answer with the scopes the token has. `info`: what the configuration tells of itself;
    `authenticator`: what signs people in.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.info: dict[str, Any] = {"asked_afresh": dict(ASKED_AFRESH)}
        self.authenticator = {
            "class": "oauthenticator.generic.GenericOAuthenticator",
            "version": "17.4.0",
        }
        self._stopping: dict[str, asyncio.Task[None]] = {}

    def add_routes(self, app: web.Application) -> None:
        router, one = app.router, "/hub/api/users/{name}"
        router.add_get("/hub/api", self._version)
        router.add_get("/hub/api/", self._version)
        router.add_get("/hub/api/info", self._info)
        router.add_get("/hub/api/user", self._me)
        router.add_get(one, self._get)
        router.add_delete(one + "/server", self._stop)

    async def _version(self, _request: web.Request) -> web.Response:
        return web.json_response({"version": VERSION})

    async def _me(self, request: web.Request) -> web.Response:
        refused = self._check(request)
        if refused:
            return refused
        model: dict[str, Any] = {"name": "workspace-manager", "kind": "service", "admin": False}
        if any(scope.partition("!")[0] == "read:services" for scope in self._hub.scopes):
            model["info"] = self.info
        return web.json_response({**model, "scopes": sorted(self._hub.scopes)})

    async def _info(self, request: web.Request) -> web.Response:
        refused = self._check(request, "read:hub")
        if refused:
            return refused
        spawner = {"class": "dockerspawner.dockerspawner.DockerSpawner", "version": "14.0.0"}
        shown = {"version": VERSION, "python": "3.11.7", "sys_executable": "/usr/bin/python3"}
        classes = {"spawner": spawner, "authenticator": self.authenticator}
        return web.json_response({**shown, **classes})

    async def _get(self, request: web.Request) -> web.Response:
        refused = self._check(request, "read:users", "read:users:name") or self._unknown(request)
        if refused:
            return refused
        name = request.match_info["name"]
        await self._hub.poll(name)
        return web.json_response(self._model(name))

    async def _stop(self, request: web.Request) -> web.Response:
        """204 when it is stopped or never ran, 202 when that takes longer than `slow_stop_s`."""
        allowed = ("delete:servers", "servers", "admin:servers")
        refused = self._check(request, *allowed) or self._unknown(request)
        if refused:
            return refused
        name = request.match_info["name"]
        await self._hub.poll(name)
        if name not in self._stopping and not self._hub.users()[name]["running"]:
            return web.Response(status=204)
        task = self._stopping.get(name) or asyncio.create_task(self._hub.stop_server(name))
        self._stopping[name] = task
        task.add_done_callback(lambda _: self._stopping.pop(name, None))
        done, _ = await asyncio.wait({task}, timeout=self._hub.slow_stop_s)
        if not done:
            return web.Response(status=202)
        if task.exception() is not None:
            return refusal(500, f"Failed to stop {name}'s server")
        return web.Response(status=204)

    def _unknown(self, request: web.Request) -> web.Response | None:
        return None if request.match_info["name"] in self._hub.users() else refusal(404, None)

    def _check(self, request: web.Request, *any_of: str) -> web.Response | None:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        known = scheme.lower() in {"token", "bearer"} and bool(self._hub.api_token)
        if not known or not hmac.compare_digest(token.strip(), self._hub.api_token):
            return refusal(403, "Missing or invalid credentials.")
        if any_of and not set(any_of) & set(self._hub.scopes):
            wanted = ", ".join(any_of)
            message = f"Action is not authorized with current scopes; requires any of [{wanted}]"
            return refusal(403, message)
        return None

    def _model(self, name: str) -> dict[str, Any]:
        row = self._hub.users()[name]
        pending = "stop" if name in self._stopping else None
        at = datetime.fromtimestamp(row["since"], UTC).isoformat()
        server = {"name": "", "ready": not pending, "pending": pending, "stopped": False}
        shown = {**server, "url": f"/user/{name}/", "started": at, "last_activity": at, "state": {}}
        alive = row["running"] or pending
        return {
            "kind": "user",
            "name": name,
            "admin": False,
            "roles": ["user"],
            "groups": [],
            "server": f"/user/{name}/" if alive and not pending else None,
            "pending": pending,
            "created": at,
            "last_activity": at,
            "servers": {"": shown} if alive else {},
        }
