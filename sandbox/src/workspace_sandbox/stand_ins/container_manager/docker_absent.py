"""Calls that nobody makes here and that are known all the same: how they say that what they are about is not there (podman 4.3.1)."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from workspace_sandbox.stand_ins.container_manager.engine import Containers
from workspace_sandbox.stand_ins.container_manager.execs import Execs
from workspace_sandbox.stand_ins.container_manager.parameters import body
from workspace_sandbox.stand_ins.container_manager.wire import (
    JSON,
    LIBPOD,
    Call,
    Refused,
    Reply,
    engine_empty,
)

Action: TypeAlias = Callable[[Call, Sequence[str]], Awaitable[Reply]]
_WORD = "([^/]+)"


class Absent:
    """Refuse for containers, commands and images that are not there; do nothing for those that are."""

    def __init__(self, containers: Containers, execs: Execs) -> None:
        self._containers, self._execs = containers, execs

    def routes(self) -> list[tuple[str, str, Action]]:
        one = f"/containers/{_WORD}"
        return [
            ("GET", f"{one}/export", self._container),
            ("POST", f"{one}/attach", self._container),
            ("POST", f"{one}/resize", self._container),
            ("GET", f"{one}/top", self._silent),
            ("GET", f"{one}/stats", self._silent),
            ("POST", f"/exec/{_WORD}/resize", self._exec),
            ("POST", f"/networks/{_WORD}/(?:connect|disconnect)", self._member),
            ("GET", "/images/(.+)/json", self._image),
            ("GET", "/images/(.+)/history", self._image),
            ("POST", "/images/(.+)/tag", self._image),
            ("DELETE", "/images/(.+)", self._image),
        ]

    async def _container(self, _call: Call, parts: Sequence[str]) -> Reply:
        self._containers.find(parts[0])
        return engine_empty(200)

    async def _silent(self, _call: Call, parts: Sequence[str]) -> Reply:
        """These say nothing at all about a container that is not there, or does not run."""
        try:
            running = self._containers.find(parts[0])["status"] == "running"
        except Refused:
            running = False
        return engine_empty(200) if running else Reply(404, b"", JSON, dict(LIBPOD))

    async def _exec(self, _call: Call, parts: Sequence[str]) -> Reply:
        self._execs.find(parts[0])
        return engine_empty(201)

    async def _member(self, call: Call, _parts: Sequence[str]) -> Reply:
        """The container is looked for before the network."""
        self._containers.find(str(body(call).get("Container") or ""))
        return engine_empty(200)

    async def _image(self, call: Call, parts: Sequence[str]) -> Reply:
        name = parts[0]
        if any(known.partition(":")[0] == name for known in self._containers.state["images"]):
            return engine_empty(200)
        cause = "No such image" if call.path.endswith("/json") else "image not known"
        raise Refused(404, cause, f"failed to find image {name}: docker.io/library/{name}: ")
