"""`/api/endpoints/{id}/docker/…`: the engine behind Portainer, with Portainer's rewrites and
refusals.
"""

import re
from collections.abc import Callable
from typing import Any, TypeAlias
from urllib.parse import unquote

from workspace_sandbox.stand_ins.container_manager.gate import Request, Row
from workspace_sandbox.stand_ins.container_manager.link import Link
from workspace_sandbox.stand_ins.container_manager.rules import (
    CONTAINER,
    NETWORK,
    VOLUME,
    Rules,
    allows,
    decorated,
)
from workspace_sandbox.stand_ins.container_manager.wire import (
    JSON,
    PORTAINER,
    Call,
    EngineGone,
    Reply,
    compact,
    portainer_error,
)

Finder: TypeAlias = Callable[[dict[str, Any], int], Row | None]
_REFUSAL = "Unable to proxy the request via the Docker socket"
_BY_SOCKET = {"Content-Type", "X-Portainer-VolumeName", "Connection", "Upgrade"}


class Proxy:
    """Send a request on to the engine of an environment."""

    def __init__(self, link: Link, rules: Rules) -> None:
        self._link = link
        self._rules = rules

    async def call(self, request: Request, environment: Row, path: str) -> Reply:
        """Answer it. The environment's address decides how a dead engine shows."""
        by_socket = str(environment["URL"]).startswith("unix")
        call = Call(request.method, path, _without_key(request.query), request.body)
        call.headers = {k: v for k, v in request.headers.items() if k.title() in _BY_SOCKET}
        plain = re.sub(r"^/v\d+\.\d+(?=/)", "", path)
        try:
            refusal = await self._refusal(request, environment["Id"], plain)
            if refusal and not by_socket:
                return Reply(502, headers=dict(PORTAINER))
            reply = refusal or await self._rewritten(request, environment["Id"], plain, call)
        except EngineGone as gone:
            return _gone(gone, by_socket)
        if reply.raw is not None and by_socket:
            reply.raw = b""
        elif reply.raw is None:
            reply.headers = {**reply.headers, **PORTAINER}
        return reply

    # --- what a regular user may not --------------------------------------------------------------

    async def _refusal(self, request: Request, environment: int, path: str) -> Reply | None:
        """The botched refusals of the socket proxy: a 500 that says "no media type". By TCP they
        are a 502 that says nothing.
        """
        volume = request.headers.get("X-Portainer-VolumeName")
        if volume and request.method == "POST" and path == "/volumes/create":
            found = await self._link.call(Call("GET", f"/volumes/{volume}"))
            if found.status == 200:
                return portainer_error(409, _REFUSAL, "A volume with the same name already exists")
        if request.administrator or request.method == "GET":
            return None
        if path in {"/containers/prune", "/volumes/prune", "/networks/prune", "/images/prune"}:
            return portainer_error(500, _REFUSAL, "mime: no media type")
        about = re.fullmatch(r"/containers/([^/]+)(/[a-z]+)?", path)
        if about is None or path == "/containers/create":
            return None
        if allows(self._rules.controls.get(unquote(about[1])), request):
            return None
        found = await self._link.call(Call("GET", f"/containers/{about[1]}/json"))
        shown = found.json()
        if found.status != 200:
            why = str((shown or {}).get("message", ""))
            return portainer_error(500, _REFUSAL, f"Error response from daemon: {why}")
        labels = {"Labels": (shown.get("Config") or {}).get("Labels") or {}}
        if allows(self._rules.of_container(labels, environment), request):
            return None
        return portainer_error(500, _REFUSAL, "mime: no media type")

    # --- what is rewritten ------------------------------------------------------------------------

    async def _rewritten(self, request: Request, environment: int, path: str, call: Call) -> Reply:
        reply = await self._link.call(call)
        if reply.status in {200, 201} and request.method == "POST" and path.endswith("/create"):
            return self._created(request, path, reply)
        if request.method == "DELETE" and reply.status == 204:
            self._forget(path)
            return reply
        if request.method != "GET" or reply.status != 200:
            return reply
        rules = self._rules
        if path == "/containers/json":
            return _each(reply, rules.of_container, request, environment)
        if path == "/networks":
            return _each(reply, rules.of_network, request, environment)
        if path == "/volumes":
            return self._volumes(reply, request, environment)
        if re.fullmatch(r"/containers/[^/]+/json", path):
            return _one(reply, rules.of_container, request, environment)
        if re.fullmatch(r"/volumes/[^/]+", path):
            shown = {**reply.json(), "ResourceID": rules.volume_id(reply.json()["Name"])}
            reply.body = compact(shown)
            return _one(reply, rules.of_volume, request, environment)
        return reply

    def _created(self, request: Request, path: str, reply: Reply) -> Reply:
        shown = reply.json()
        if path == "/containers/create":
            control = self._rules.add(shown["Id"], CONTAINER, request)
        elif path == "/volumes/create":
            shown["ResourceID"] = self._rules.volume_id(shown["Name"])
            control = self._rules.add(shown["ResourceID"], VOLUME, request)
        elif path == "/networks/create":
            control = self._rules.add(shown["Id"], NETWORK, request)
        else:
            return reply
        body = compact(decorated(shown, control), sort=True)
        return Reply(200, body, JSON, reply.headers)

    def _forget(self, path: str) -> None:
        kind, _, name = path.strip("/").partition("/")
        if kind == "volumes":
            self._rules.drop(self._rules.volume_id(unquote(name)))
        else:
            self._rules.drop(unquote(name))

    def _volumes(self, reply: Reply, request: Request, environment: int) -> Reply:
        shown = reply.json()
        kept = []
        for volume in shown.get("Volumes") or []:
            control = self._rules.of_volume(volume, environment)
            if allows(control, request):
                full = {**volume, "ResourceID": self._rules.volume_id(volume["Name"])}
                kept.append(decorated(full, control))
        reply.body = compact({**shown, "Volumes": kept}, sort=True)
        return reply


def _each(reply: Reply, find: Finder, request: Request, environment: int) -> Reply:
    kept = []
    for shown in reply.json():
        control = find(shown, environment)
        if allows(control, request):
            kept.append(decorated(shown, control))
    reply.body = compact(kept, sort=True)
    return reply


def _one(reply: Reply, find: Finder, request: Request, environment: int) -> Reply:
    shown = reply.json()
    control = find(shown, environment)
    if not allows(control, request):
        return Reply(403, b'{"message":"access denied to resource"}', JSON, reply.headers)
    reply.body = compact(decorated(shown, control), sort=True)
    return reply


def _gone(gone: EngineGone, by_socket: bool) -> Reply:
    if by_socket:
        return portainer_error(500, _REFUSAL, f"dial unix /var/run/docker.sock: {gone.reason}")
    return Reply(502, headers=dict(PORTAINER))


def _without_key(query: str) -> str:
    return "&".join(part for part in query.split("&") if not part.lower().startswith("x-api-key="))
