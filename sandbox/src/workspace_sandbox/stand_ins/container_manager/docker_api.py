"""The Docker API in front of the engine in memory: routes, parameters, status codes (podman 4.3.1
as recorded).
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias
from urllib.parse import unquote

from workspace_sandbox.routes import Route
from workspace_sandbox.stand_ins.container_manager import archives, engine_version, views
from workspace_sandbox.stand_ins.container_manager.engine import Containers
from workspace_sandbox.stand_ins.container_manager.execs import Execs, Occ
from workspace_sandbox.stand_ins.container_manager.parameters import (
    LIST_FILTERS,
    body,
    filters,
    flag,
    matches,
    refuse_values,
    unparsable,
)
from workspace_sandbox.stand_ins.container_manager.stores import Stores
from workspace_sandbox.stand_ins.container_manager.wire import (
    LIBPOD,
    RAW_STREAM,
    TEXT,
    Call,
    EngineRefusal,
    Reply,
    clean_path,
    engine_empty,
    engine_json,
    redirect,
    text,
)

Action: TypeAlias = Callable[[Call, Sequence[str]], Awaitable[Reply]]
_WORD = "([^/]+)"


class DockerApi:
    """The Docker API. Every version prefix is accepted, as in podman."""

    def __init__(self, containers: Containers, *, occ: Occ | None = None) -> None:
        self.containers = containers
        self.execs = Execs(containers, occ)
        self.stores = Stores(containers)
        box, one = "/containers", f"/containers/{_WORD}"
        self._routes: list[tuple[str, str, Action]] = [
            ("GET", "/_ping", self._ping),
            ("GET", "/version", self._version),
            ("GET", f"{box}/json", self._list),
            ("POST", f"{box}/create", self._create),
            ("GET", f"{one}/json", self._inspect),
            ("POST", f"{one}/start", self._start),
            ("POST", f"{one}/stop", self._stop),
            ("POST", f"{one}/pause", self._pause),
            ("POST", f"{one}/unpause", self._unpause),
            ("POST", f"{one}/exec", self._exec_create),
            ("PUT", f"{one}/archive", self._put_archive),
            ("DELETE", one, self._remove),
            ("GET", "/images/(.+)/json", self._image),
            ("POST", f"/exec/{_WORD}/start", self._exec_start),
            ("GET", f"/exec/{_WORD}/json", self._exec_inspect),
            *self.stores.routes(),
        ]

    async def call(self, call: Call) -> Reply:
        """Answer one call as the engine does. Never raises EngineRefusal."""
        tidy = clean_path(call.path)
        if tidy is not None:
            return redirect(tidy)
        path = re.sub(r"^/v\d+\.\d+(?=/)", "", call.path)
        for method, pattern, action in self._routes:
            found = re.fullmatch(pattern, path)
            if found and method == call.method:
                try:
                    return await action(call, [unquote(part) for part in found.groups()])
                except EngineRefusal as refused:
                    return refused.reply
        return text(404, "Not Found\n")

    # --- containers -------------------------------------------------------------------------------

    async def _ping(self, _call: Call, _parts: Sequence[str]) -> Reply:
        return Reply(200, b"OK", TEXT, {"Api-Version": str(engine_version.VERSION["ApiVersion"])})

    async def _version(self, _call: Call, _parts: Sequence[str]) -> Reply:
        return engine_json(engine_version.VERSION)

    async def _list(self, call: Call, _parts: Sequence[str]) -> Reply:
        given = call.parameters
        wanted = filters(call, LIST_FILTERS, "{} is an invalid filter")
        refuse_values(wanted)
        for name in (*wanted.get("before", []), *wanted.get("since", [])):
            self._find_for_list(name)
        records = sorted(self.containers.all(), key=lambda r: str(r["name"]))
        if not flag(call, "all", status=500) and "status" not in wanted:
            records = [r for r in records if r["status"] in {"running", "paused"}]
        records = [r for r in records if matches(r, wanted)]
        limit = given.get("limit", "") or "0"
        if not re.fullmatch(r"-?\d+", limit):
            raise unparsable(call, "limit", status=500)
        if int(limit) > 0:
            records = sorted(self.containers.all(), key=lambda r: -float(r["created"]))[
                : int(limit)
            ]
        return engine_json([views.render_list_row(r) for r in records])

    def _find_for_list(self, name: str) -> None:
        """Find a container that a filter names; its absence is an error of the server here."""
        try:
            self.containers.find(name)
        except EngineRefusal as refused:
            said = f'no container with name or ID "{name}" found: '
            raise EngineRefusal(500, "no such container", said) from refused

    async def _create(self, call: Call, _parts: Sequence[str]) -> Reply:
        record = self.containers.create(call.parameters.get("name", ""), body(call))
        return engine_json({"Id": record["id"], "Warnings": []}, 201)

    async def _inspect(self, call: Call, parts: Sequence[str]) -> Reply:
        flag(call, "size")
        record = self.containers.find(parts[0])
        return engine_json(views.inspect(record, self.execs.of(record)))

    async def _start(self, _call: Call, parts: Sequence[str]) -> Reply:
        return engine_empty(204 if self.containers.start(self.containers.find(parts[0])) else 304)

    async def _stop(self, call: Call, parts: Sequence[str]) -> Reply:
        grace = call.parameters.get("t", "") or "0"
        if not re.fullmatch(r"-?\d+", grace):
            raise unparsable(call, "t")
        record = self.containers.find(parts[0])
        return engine_empty(204 if await self.containers.stop(record, float(grace)) else 304)

    async def _pause(self, _call: Call, parts: Sequence[str]) -> Reply:
        self.containers.pause(self.containers.find(parts[0]))
        return engine_empty(204)

    async def _unpause(self, _call: Call, parts: Sequence[str]) -> Reply:
        self.containers.unpause(self.containers.find(parts[0]))
        return engine_empty(204)

    async def _remove(self, call: Call, parts: Sequence[str]) -> Reply:
        force = flag(call, "force")
        volumes = flag(call, "v")
        self.containers.remove(self.containers.find(parts[0]), force=force, volumes=volumes)
        return engine_empty(204)

    # --- content ----------------------------------------------------------------------------------

    async def _put_archive(self, call: Call, parts: Sequence[str]) -> Reply:
        record = self.containers.find(parts[0])
        archives.put(record, call.parameters.get("path", "/"), call.body)
        self.containers.changed()
        return engine_empty(200)

    async def _image(self, _call: Call, parts: Sequence[str]) -> Reply:
        if not self.containers.has_image(parts[0]):
            raise EngineRefusal(404, "image not known", f"failed to find image {parts[0]}: ")
        return engine_json({"Id": "sha256:" + "0" * 64, "RepoTags": [parts[0]]})

    # --- commands ---------------------------------------------------------------------------------

    async def _exec_create(self, call: Call, parts: Sequence[str]) -> Reply:
        wanted = body(call)
        container = self.containers.find(parts[0])
        return engine_json({"Id": self.execs.create(container, wanted)}, 201)

    async def _exec_start(self, call: Call, parts: Sequence[str]) -> Reply:
        if not call.body:
            raise EngineRefusal(400, "EOF", f"failed to decode parameters for {call.uri}: ")
        session = self.execs.find(parts[0])
        detached = bool(body(call).get("Detach"))
        data = await self.execs.start(session, detached=detached)
        if detached:
            return Reply(200, b"\n", "text/plain; charset=us-ascii", dict(LIBPOD))
        if call.upgrades:
            return Reply(101, content_type=RAW_STREAM, raw=data)
        return Reply(200, data, RAW_STREAM)

    async def _exec_inspect(self, _call: Call, parts: Sequence[str]) -> Reply:
        return engine_json(views.exec_session(self.execs.find(parts[0])))


_CLIENT = "workspace_manager.systems.container_manager.client.containers:Client"
_CONTENTS = "workspace_manager.systems.container_manager.client.contents:Contents"
_LOOK = "workspace_manager.systems.container_manager.client.look:look"
_PROJECTS = "workspace_manager.systems.container_manager.client.projects:Projects"
_SPAWNER = "workspace_sandbox.stand_ins.notebook_hub.spawner:Spawner"
_TRIAL = "tests.conformance.containers:ContainerCase.leave_half_made"
_STRANGERS = "tests.conformance.stacks:StackCase.leave_foreign"
_CALLS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("GET", "/_ping", (_LOOK,)),
    ("GET", "/version", (f"{_CLIENT}.engine_version",)),
    ("GET", "/containers/json", (f"{_CLIENT}.list_names", f"{_PROJECTS}.containers_of")),
    (
        "POST",
        "/containers/create",
        (f"{_CONTENTS}.create_container", f"{_SPAWNER}.spawn", "outsider"),
    ),
    ("GET", "/containers/{name}/json", (f"{_CLIENT}.inspect", f"{_SPAWNER}.runs")),
    ("POST", "/containers/{name}/start", (f"{_CLIENT}.start", f"{_SPAWNER}.spawn", "outsider")),
    ("POST", "/containers/{name}/stop", (f"{_CLIENT}.stop", f"{_SPAWNER}.stop")),
    ("POST", "/containers/{name}/pause", (_TRIAL,)),
    ("POST", "/containers/{name}/unpause", (f"{_CLIENT}.unpause",)),
    ("POST", "/containers/{name}/exec", (f"{_CLIENT}.create_command",)),
    ("PUT", "/containers/{name}/archive", (f"{_CONTENTS}.put_archive",)),
    ("DELETE", "/containers/{name}", (f"{_CLIENT}.remove", f"{_CONTENTS}.remove_at_once")),
    ("GET", "/images/{name...}/json", (f"{_CONTENTS}.image",)),
    ("POST", "/exec/{id}/start", (f"{_CLIENT}.start_command", f"{_CONTENTS}.run_command")),
    ("GET", "/exec/{id}/json", (f"{_CLIENT}.inspect_command",)),
    ("GET", "/networks", (f"{_PROJECTS}.networks_of",)),
    ("POST", "/networks/create", (_STRANGERS,)),
    ("DELETE", "/networks/{name}", (f"{_PROJECTS}.remove_network",)),
    ("GET", "/volumes", (f"{_PROJECTS}.volumes_of",)),
    ("POST", "/volumes/create", (f"{_CONTENTS}.create_volume", "notebook hub", _STRANGERS)),
    ("GET", "/volumes/{name}", (f"{_CLIENT}.volume",)),
    ("DELETE", "/volumes/{name}", (f"{_PROJECTS}.remove_volume",)),
)
_BEHIND = ("/api/endpoints/{environment}/docker", "", "/{version}")
"""Through Portainer, bare, and bare with a version before it, as `docker://` settings speak
to it.
"""
ROUTES = tuple(
    Route(method, before + path, callers) for before in _BEHIND for method, path, callers in _CALLS
)
