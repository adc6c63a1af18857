"""The hub's REST API under /hub/api, as far as a manager of people uses it."""

import asyncio
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from aiohttp import web

VERSION = "6.1.1"
PAGES = "application/jupyterhub-pagination+json"
"""The media type by which a list of the hub says where it goes on."""
SCOPES = (
    *("list:users", "read:servers", "delete:servers", "admin:server_state"),
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
    """The hub, as the API needs it."""

    api_token: str
    administrator: str
    scopes: Sequence[str]
    slow_stop_s: float

    def users(self) -> dict[str, dict[str, Any]]: ...
    def servers(self, user: str) -> dict[str, dict[str, Any]]: ...
    def container(self, user: str, server: str = "") -> str: ...
    async def delete_user(self, user: str) -> None: ...
    async def stop_server(self, user: str, server: str = "") -> None: ...
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
        self.hidden: set[str] = set()
        """Users whom the filter of the token's scopes leaves out."""
        self.page_size = 50
        """The most users of one page: `c.JupyterHub.api_page_default_limit`."""
        self._stopping: dict[tuple[str, str], asyncio.Task[None]] = {}

    def add_routes(self, app: web.Application) -> None:
        router, one = app.router, "/hub/api/users/{name}"
        router.add_get("/hub/api", self._version)
        router.add_get("/hub/api/", self._version)
        router.add_get("/hub/api/info", self._info)
        router.add_get("/hub/api/user", self._me)
        router.add_get("/hub/api/users", self._list)
        router.add_get(one, self._get)
        router.add_delete(one, self._delete)
        router.add_delete(one + "/server", self._stop)
        router.add_delete(one + "/servers/{server}", self._stop)

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

    async def _list(self, request: web.Request) -> web.Response:
        """A page of all users; without the media type of pages a bare list, cut off as well."""
        refused = self._check(request, "list:users")
        if refused:
            return refused
        offset = int(request.query.get("offset", "0"))
        limit = min(int(request.query.get("limit", self.page_size)), self.page_size)
        names = list(self._hub.users())
        items = [self._model(name, request) for name in names[offset : offset + limit]]
        if PAGES not in request.headers.get("Accept", ""):
            return web.json_response(items)
        begins = offset + limit
        following = {"offset": begins, "limit": limit} if begins < len(names) else None
        about = {"offset": offset, "limit": limit, "total": len(names), "next": following}
        return web.json_response({"items": items, "_pagination": about})

    async def _get(self, request: web.Request) -> web.Response:
        refused = self._check(
            request, "list:users", "read:users:name", "read:servers"
        ) or self._unknown(request)
        if refused:
            return refused
        name = request.match_info["name"]
        await self._hub.poll(name)
        return web.json_response(self._model(name, request))

    async def _stop(self, request: web.Request) -> web.Response:
        """204 when it is stopped or never ran, 202 when that takes longer than `slow_stop_s`, 400
        while it starts.
        """
        allowed = ("delete:servers", "servers", "admin:servers")
        refused = self._check(request, *allowed) or self._unknown(request)
        if refused:
            return refused
        name, server = request.match_info["name"], request.match_info.get("server", "")
        await self._hub.poll(name)
        row = self._hub.servers(name).get(server)
        if row is None:
            return refusal(404, f"{name} has no server named '{server}'")
        if row.get("pending") == "spawn":
            return refusal(400, f"{name}/{server} is pending spawn")
        key = (name, server)
        if key not in self._stopping and not row["running"]:
            return web.Response(status=204)
        task = self._stopping.get(key) or asyncio.create_task(self._hub.stop_server(name, server))
        self._stopping[key] = task
        task.add_done_callback(lambda _: self._stopping.pop(key, None))
        done, _ = await asyncio.wait({task}, timeout=self._hub.slow_stop_s)
        if not done:
            return web.Response(status=202)
        if task.exception() is not None:
            return refusal(500, f"Failed to stop {name}'s server")
        return web.Response(status=204)

    async def _delete(self, request: web.Request) -> web.Response:
        """For the hub's administrator; the manager's token has no right to it."""
        given = request.headers.get("Authorization", "").partition(" ")[2].strip()
        known = hmac.compare_digest(given, self._hub.administrator)
        refused = None if known else self._check(request, "delete:users")
        refused = refused or self._unknown(request)
        if refused is None:
            await self._hub.delete_user(request.match_info["name"])
        return refused or web.Response(status=204)

    def _unknown(self, request: web.Request) -> web.Response | None:
        name = request.match_info["name"]
        if name in self.hidden:
            return refusal(404, "No access to resources or resources not found")
        return None if name in self._hub.users() else refusal(404, None)

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

    def _model(self, name: str, request: web.Request) -> dict[str, Any]:
        """As the hub describes a user: what is stopped only where that is asked for, servers and
        their state only with the scope for each.
        """
        row = self._hub.users()[name]
        at = datetime.fromtimestamp(row["since"], UTC).isoformat()
        shown = {one: self._server(name, one) for one in self._hub.servers(name)}
        if request.query.get("include_stopped_servers", "0") == "0":
            shown = {one: server for one, server in shown.items() if not server["stopped"]}
        mine = shown.get("", {})
        model: dict[str, Any] = {
            "kind": "user",
            "name": name,
            "admin": False,
            "roles": ["user"],
            "groups": [],
            "server": f"/user/{name}/" if mine.get("ready") else None,
            "pending": mine.get("pending"),
            "created": at,
            "last_activity": at,
        }
        return {**model, "servers": shown} if "read:servers" in self._hub.scopes else model

    def _server(self, name: str, server: str) -> dict[str, Any]:
        row = self._hub.servers(name)[server]
        pending = "stop" if (name, server) in self._stopping else row.get("pending") or None
        at = datetime.fromtimestamp(row["since"], UTC).isoformat()
        shown = {
            "name": server,
            "ready": row["running"] and not pending,
            "pending": pending,
            "stopped": not row["running"] and not pending,
            "url": f"/user/{name}/{server}/" if server else f"/user/{name}/",
            "started": at,
            "last_activity": at,
        }
        if "admin:server_state" in self._hub.scopes:
            shown["state"] = {"object_name": self._hub.container(name, server)}
        return shown
