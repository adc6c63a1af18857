"""The Docker API in front of the engine in memory: routes, parameters, status codes (podman 4.3.1 as recorded)."""

import re
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from workspace_sandbox.stand_ins.container_manager import about, views
from workspace_sandbox.stand_ins.container_manager.docker_absent import Absent
from workspace_sandbox.stand_ins.container_manager.engine import Containers
from workspace_sandbox.stand_ins.container_manager.execs import Execs, Occ, frame
from workspace_sandbox.stand_ins.container_manager.parameters import (
    LIST_FILTERS,
    PRUNE_FILTERS,
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
    Refused,
    Reply,
    cleaned,
    decoded,
    engine_empty,
    engine_json,
    redirect,
    text,
)

Action: TypeAlias = Callable[[Call, Sequence[str]], Awaitable[Reply]]
_WORD = "([^/]+)"


class DockerApi:
    """Answer calls. Every version prefix is accepted, as podman does."""

    def __init__(self, containers: Containers, *, occ: Occ | None = None) -> None:
        self.containers = containers
        self.execs = Execs(containers, occ)
        self.stores = Stores(containers)
        box, one = "/containers", f"/containers/{_WORD}"
        self._routes: list[tuple[str, str, Action]] = [
            ("GET", "/_ping", self._ping),
            ("HEAD", "/_ping", self._ping),
            ("GET", "/version", self._version),
            ("GET", "/info", self._info),
            ("GET", f"{box}/json", self._list),
            ("POST", f"{box}/create", self._create),
            ("POST", f"{box}/prune", self._prune),
            ("GET", f"{one}/json", self._inspect),
            ("GET", f"{one}/logs", self._logs),
            ("GET", f"{one}/archive", self._archive),
            ("HEAD", f"{one}/archive", self._archive),
            ("PUT", f"{one}/archive", self._unpack),
            ("POST", f"{one}/start", self._start),
            ("POST", f"{one}/stop", self._stop),
            ("POST", f"{one}/restart", self._restart),
            ("POST", f"{one}/wait", self._wait),
            ("POST", f"{one}/kill", self._kill),
            ("POST", f"{one}/pause", self._pause),
            ("POST", f"{one}/unpause", self._unpause),
            ("POST", f"{one}/rename", self._rename),
            ("POST", f"{one}/exec", self._exec_create),
            ("DELETE", one, self._remove),
            ("POST", f"/exec/{_WORD}/start", self._exec_start),
            ("GET", f"/exec/{_WORD}/json", self._exec_inspect),
            *self.stores.routes(),
            *Absent(containers, self.execs).routes(),
        ]

    async def call(self, call: Call) -> Reply:
        """Answer one call as the engine does; never raises Refused."""
        tidy = cleaned(call.path)
        if tidy is not None:
            return redirect(tidy)
        path = re.sub(r"^/v\d+\.\d+(?=/)", "", call.path)
        known = False
        for method, pattern, action in self._routes:
            found = re.fullmatch(pattern, path)
            if not found:
                continue
            known = True
            if method == call.method:
                try:
                    return await action(call, [decoded(part) for part in found.groups()])
                except Refused as refused:
                    return refused.reply
        return text(405, "Method Not Allowed") if known else text(404, "Not Found\n")

    # --- containers ----------------------------------------------------------------------------------------------------

    async def _ping(self, _call: Call, _parts: Sequence[str]) -> Reply:
        more = {"Cache-Control": "no-cache", "Docker-Experimental": "true", "Pragma": "no-cache"}
        return Reply(200, b"OK", TEXT, {**LIBPOD, **more, "Libpod-Buildah-Version": "1.28.2"})

    async def _version(self, _call: Call, _parts: Sequence[str]) -> Reply:
        return engine_json(about.VERSION)

    async def _info(self, _call: Call, _parts: Sequence[str]) -> Reply:
        state, statuses = self.containers.state, [r["status"] for r in self.containers.all()]
        return engine_json(about.info(state["id"], statuses, len(state["images"]), time.time()))

    async def _list(self, call: Call, _parts: Sequence[str]) -> Reply:
        given = call.parameters
        wanted = filters(call, LIST_FILTERS, "{} is an invalid filter")
        refuse_values(wanted)
        for name in (*wanted.get("before", []), *wanted.get("since", [])):
            self._find_for_list(name)
        records = sorted(self.containers.all(), key=lambda r: float(r["created"]))
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
        return engine_json([views.listed(r) for r in records])

    def _find_for_list(self, name: str) -> None:
        """A container that a filter names; here its absence is an error of the server."""
        try:
            self.containers.find(name)
        except Refused as refused:
            said = f'no container with name or ID "{name}" found: '
            raise Refused(500, "no such container", said) from refused

    async def _create(self, call: Call, _parts: Sequence[str]) -> Reply:
        record = self.containers.create(call.parameters.get("name", ""), body(call))
        return engine_json({"Id": record["id"], "Warnings": []}, 201)

    async def _prune(self, call: Call, _parts: Sequence[str]) -> Reply:
        filters(call, PRUNE_FILTERS, "{} is an invalid filter")
        gone = [r for r in self.containers.all() if r["status"] in {"created", "exited"}]
        for record in gone:
            self.containers.remove(record, force=False)
        return engine_json({"ContainersDeleted": [r["id"] for r in gone], "SpaceReclaimed": 0})

    async def _inspect(self, call: Call, parts: Sequence[str]) -> Reply:
        flag(call, "size")
        record = self.containers.find(parts[0])
        return engine_json(views.inspect(record, self.execs.of(record)))

    async def _logs(self, call: Call, parts: Sequence[str]) -> Reply:
        if not (flag(call, "stdout") or flag(call, "stderr")):
            raise Refused(400, f"Bad Request: you must choose at least one stream for {call.uri}")
        record = self.containers.find(parts[0])
        shown = {1: flag(call, "stdout"), 2: flag(call, "stderr")}
        data = b"".join(frame(s, t) for s, t in record["output"] if shown[s])
        return Reply(200, data, "application/octet-stream" if data else "", dict(LIBPOD))

    async def _archive(self, call: Call, parts: Sequence[str]) -> Reply:
        if not call.parameters.get("path"):
            raise Refused(400, "missing `path` parameter")
        self.containers.find(parts[0])
        raise Refused(404, "no such file or directory")

    async def _unpack(self, _call: Call, parts: Sequence[str]) -> Reply:
        """Files are taken and forgotten: nothing in memory has a file system."""
        self.containers.find(parts[0])
        return engine_empty(200)

    async def _start(self, _call: Call, parts: Sequence[str]) -> Reply:
        return engine_empty(204 if self.containers.start(self.containers.find(parts[0])) else 304)

    async def _stop(self, call: Call, parts: Sequence[str]) -> Reply:
        grace = call.parameters.get("t", "") or "0"
        if not re.fullmatch(r"-?\d+", grace):
            raise unparsable(call, "t")
        record = self.containers.find(parts[0])
        return engine_empty(204 if await self.containers.stop(record, float(grace)) else 304)

    async def _restart(self, call: Call, parts: Sequence[str]) -> Reply:
        record = self.containers.find(parts[0])
        await self.containers.stop(record, float(call.parameters.get("t", "10") or 0))
        self.containers.start(record)
        return engine_empty(204)

    async def _wait(self, call: Call, parts: Sequence[str]) -> Reply:
        condition = call.parameters.get("condition", "")
        if condition not in {"", "next-exit", "not-running", "removed"}:
            said = f"failed to parse query parameter 'condition': \"{condition}\": "
            raise Refused(400, "not a valid docker condition", said)
        record = self.containers.find(parts[0])
        while self.containers.settled(record)["pid"]:
            await self.containers.ends_within(record, 0.2)
        return engine_json({"StatusCode": record["exit_code"], "Error": None})

    async def _kill(self, call: Call, parts: Sequence[str]) -> Reply:
        """Signals that end no process here are taken and change nothing."""
        record = self.containers.find(parts[0])
        given = call.parameters.get("signal", "") or "KILL"
        name = given.upper().removeprefix("SIG")
        if given == "0" or (not given.isdigit() and f"SIG{name}" not in signal.Signals.__members__):
            raise Refused(500, f"invalid signal: {given}")
        if name not in {"USR1", "USR2", "WINCH", "CHLD", "CONT", "URG"}:
            self.containers.kill(record)
        return engine_empty(204)

    async def _pause(self, _call: Call, parts: Sequence[str]) -> Reply:
        self.containers.pause(self.containers.find(parts[0]))
        return engine_empty(204)

    async def _unpause(self, _call: Call, parts: Sequence[str]) -> Reply:
        self.containers.unpause(self.containers.find(parts[0]))
        return engine_empty(204)

    async def _rename(self, call: Call, parts: Sequence[str]) -> Reply:
        record = self.containers.find(parts[0])
        self.containers.rename(record, call.parameters.get("name", ""))
        return engine_empty(204)

    async def _remove(self, call: Call, parts: Sequence[str]) -> Reply:
        force = flag(call, "force")
        flag(call, "v")
        self.containers.remove(self.containers.find(parts[0]), force=force)
        return engine_empty(204)

    # --- commands ------------------------------------------------------------------------------------------------------

    async def _exec_create(self, call: Call, parts: Sequence[str]) -> Reply:
        wanted = body(call)
        container = self.containers.find(parts[0])
        return engine_json({"Id": self.execs.create(container, wanted)}, 201)

    async def _exec_start(self, call: Call, parts: Sequence[str]) -> Reply:
        if not call.body:
            raise Refused(400, "EOF", f"failed to decode parameters for {call.uri}: ")
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
