"""A container engine in memory, as podman 4.3 behaves behind the Docker API. It keeps records and
runs nothing.
"""

import asyncio
import re
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from workspace_sandbox.stand_ins.container_manager import archives, process
from workspace_sandbox.stand_ins.container_manager.wire import EngineRefusal

Record: TypeAlias = dict[str, Any]
NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]*")
NOTEBOOK_IMAGE = "sandbox/notebook"
DRIVE_IMAGE = "sandbox/drive"
DRIVE_CONTAINER = "drive"
_WAITS = ["/bin/sh", "-c", "trap 'exit 0' TERM; while :; do sleep 1; done"]
MADE_HERE = "localhost/"
"""The prefix that podman gives to the name of an image from no registry."""
STACK_IMAGE = "sandbox/knowledge-stack"
"""The image of the sample template; on a real engine it is made on the spot."""
KEEPING_IMAGE = "sandbox/keeps"
"""An image that asks for a volume itself, as `VOLUME /kept` in a Dockerfile does."""
TAR_IMAGE = "docker.io/library/debian:stable-slim"
"""An image that copies volumes; it is missing until it is pulled."""
_IMAGES = (NOTEBOOK_IMAGE, DRIVE_IMAGE, STACK_IMAGE, KEEPING_IMAGE, TAR_IMAGE, "bb:1")
_STATE = "container state improper"


def seed() -> dict[str, Any]:
    """Return the engine after a reset: only its images and the default network."""
    return {
        "id": "d2e720f7-5c0a-4c6a-88df-09871f378245",
        "containers": {},
        "volumes": {},
        "networks": {},
        "execs": {},
        "images": list(_IMAGES),
    }


def ensure_drive(containers: "Containers") -> None:
    """Have the drive's container run, for the drive's command-line tool."""
    if not any(record["name"] == DRIVE_CONTAINER for record in containers.containers.values()):
        containers.start(containers.create(DRIVE_CONTAINER, {"Image": DRIVE_IMAGE}))


class Containers:
    """Containers and what can be done to them. Raises EngineRefusal with podman's words.

    `state` gives the engine's part of the stand-in's state, `changed` is called after every change
    of it.
    """

    def __init__(self, state: Callable[[], dict[str, Any]], changed: Callable[[], None]) -> None:
        self._state = state
        self.changed = changed
        self._ends: dict[str, asyncio.Event] = {}

    @property
    def state(self) -> dict[str, Any]:
        return self._state()

    @property
    def containers(self) -> dict[str, Record]:
        found: dict[str, Record] = self.state["containers"]
        return found

    # --- finding ----------------------------------------------------------------------------------

    def find(self, reference: str) -> Record:
        """Find by full id, then exact name, then unique beginning of an id."""
        records = list(self.containers.values())
        named = [r for r in records if reference in {r["id"], r["name"]}]
        begun = [r for r in records if len(reference) > 1 and r["id"].startswith(reference)]
        if named or len(begun) == 1:
            return self.settled((named or begun)[0])
        raise EngineRefusal(
            404, "no such container", f'no container with name or ID "{reference}" found: '
        )

    def settled(self, record: Record) -> Record:
        """Let a command that has ended meanwhile have ended."""
        due = record["ends_at"] is not None and record["ends_at"] <= time.time()
        if due and record["status"] == "running" and not self.flaps(record):
            self._ended(record, record["course_code"])
        return record

    def flaps(self, record: Record) -> bool:
        """Return whether it ends and is started again all the time."""
        policy = record["restart"]
        again = policy in {"always", "unless-stopped"} or (
            policy == "on-failure" and record["course_code"] != 0
        )
        return again and record["ends_at"] is not None

    def all(self) -> list[Record]:
        return [self.settled(record) for record in list(self.containers.values())]

    def has_image(self, image: str) -> bool:
        return image.removesuffix(":latest").removeprefix(MADE_HERE) in self.state["images"]

    # --- making -----------------------------------------------------------------------------------

    def create(self, name: str, body: Mapping[str, Any]) -> Record:
        image = str(body.get("Image") or "")
        if not self.has_image(image):
            raise EngineRefusal(404, "image not known", f"no such image: {image}: ")
        name = name or f"quiet_{secrets.token_hex(4)}"
        if not NAME.fullmatch(name):
            raise EngineRefusal(
                500,
                "invalid argument",
                (
                    "container create: running container create option: names must match "
                    "[a-zA-Z0-9][a-zA-Z0-9_.-]*: "
                ),
            )
        for other in self.containers.values():
            if other["name"] == name:
                raise EngineRefusal(
                    500,
                    "that name is already in use",
                    f"container create: creating container storage: the container name "
                    f'"{name}" is already in use by '
                    f"{other['id']}. You have to remove that container to be able to "
                    f"reuse that name: ",
                )
        record = _record(name, image, body)
        self.containers[record["id"]] = record
        if record["image"].endswith(f"/{KEEPING_IMAGE}:latest"):
            unnamed = {"name": secrets.token_hex(32), "labels": {}, "created": time.time()}
            self.state["volumes"][unnamed["name"]] = {**unnamed, "unnamed": True}
            record["mounts"].append([unnamed["name"], "/kept"])
        for source, _ in record["mounts"]:
            if not source.startswith("/"):
                self.state["volumes"].setdefault(
                    source, {"name": source, "labels": {}, "created": time.time()}
                )
        self.changed()
        return record

    # --- running ----------------------------------------------------------------------------------

    def start(self, record: Record) -> bool:
        """Start it. Return False if it runs already."""
        if record["status"] == "running":
            return False
        if record["status"] not in {"created", "exited"}:
            raise EngineRefusal(
                500,
                _STATE,
                f"container {record['id']} must be in Created or Stopped state to be started: ",
            )
        for other in self.containers.values():
            taken = set(record.get("ports", [])) & set(other.get("ports", []))
            if taken and other["status"] == "running":
                said = f"rootlessport listen tcp 0.0.0.0:{min(taken)}: bind: "
                raise EngineRefusal(500, "address already in use", said)
        argv = record["argv"]
        if not process.exists(argv):
            binary = argv[0] if argv else ""
            raise EngineRefusal(
                500,
                "OCI runtime attempted to invoke a command that was not found",
                f'runc: runc create failed: unable to start container process: exec: "{binary}": '
                f"stat {binary}: no such file or directory: ",
            )
        course = process.foresee(argv, dict(e.partition("=")[::2] for e in record["env"]))
        now = time.time()
        record.update(
            status="running",
            pid=1000 + secrets.randbelow(30000),
            started=now,
            exit_code=0,
            on_term=course.on_term,
            course_code=course.code or 0,
            ends_at=None if course.code is None else now + course.seconds,
            output=[*record["output"], *course.output],
        )
        archives.greet(record, self.state["volumes"])
        self.changed()
        return True

    async def stop(self, record: Record, grace: float) -> bool:
        """Stop it within `grace` seconds. Return False if it does not run. A second stop waits for
        the first.
        """
        if record["status"] == "exited" or self.flaps(record):
            return False
        if record["status"] == "paused":
            raise EngineRefusal(
                500,
                _STATE,
                f"can only stop created or running containers. {record['id']} is in state paused: ",
            )
        if record["status"] == "created":
            return True
        obeys = record["on_term"] is not None and grace > 0
        if record["status"] != "stopping":
            record["status"] = "stopping"
            self.changed()
        if not await self.ends_within(record, 0.02 if obeys else grace):
            self._ended(record, record["on_term"] if obeys else 137)
        return True

    async def ends_within(self, record: Record, seconds: float) -> bool:
        """Wait for somebody to end it. Return False if nobody did."""
        event = self._ends.setdefault(record["id"], asyncio.Event())
        try:
            await asyncio.wait_for(event.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def pause(self, record: Record) -> None:
        if record["status"] != "running":
            raise EngineRefusal(500, _STATE, f'"{record["id"]}" is not running, can\'t pause: ')
        record["status"] = "paused"
        self.changed()

    def unpause(self, record: Record) -> None:
        if record["status"] != "paused":
            raise EngineRefusal(500, _STATE, f'"{record["id"]}" is not paused, can\'t unpause: ')
        record["status"] = "running"
        self.changed()

    def remove(self, record: Record, *, force: bool, volumes: bool = False) -> None:
        status = record["status"]
        if status in {"running", "paused", "stopping"} and not force:
            raise EngineRefusal(
                500,
                _STATE,
                f"cannot remove container {record['id']} as it is {status} - running or "
                f"paused containers cannot be removed "
                "without force: ",
            )
        if status in {"running", "paused", "stopping"}:
            self._ended(record, 137)
        self.containers.pop(record["id"], None)
        for source, _ in record["mounts"] if volumes else ():
            if self.state["volumes"].get(source, {}).get("unnamed"):
                del self.state["volumes"][source]
        self.changed()

    def _ended(self, record: Record, code: int) -> None:
        record.update(status="exited", pid=0, exit_code=code, finished=time.time(), ends_at=None)
        if record["auto_remove"]:
            self.containers.pop(record["id"], None)
        self.changed()
        event = self._ends.pop(record["id"], None)
        if event is not None:
            event.set()


def _record(name: str, image: str, body: Mapping[str, Any]) -> Record:
    number = secrets.token_hex(32)
    host = body.get("HostConfig") or {}
    mode = str(host.get("NetworkMode") or "bridge")
    argv = [*(body.get("Entrypoint") or []), *(body.get("Cmd") or [])] or list(_WAITS)
    given = body.get("Env") or []
    binds = [str(bind).split(":") for bind in host.get("Binds") or []]
    named = [[str(m.get("Source", "")), str(m.get("Target", ""))] for m in host.get("Mounts") or []]
    networks = (body.get("NetworkingConfig") or {}).get("EndpointsConfig") or {}
    return {
        "id": number,
        "name": name,
        "image": MADE_HERE + image.removeprefix(MADE_HERE) + ("" if ":" in image else ":latest"),
        "image_id": "sha256:e8dc25094bbbe58da8f1a81b254109f9b7583756d954b453cf05997813dbc072",
        "argv": [str(part) for part in argv],
        "env": [*map(str, given), "PATH=/bin", "TERM=xterm", "container=podman"],
        "labels": {
            **{str(k): str(v) for k, v in (body.get("Labels") or {}).items()},
            "io.buildah.version": "1.28.2",
        },
        "user": str(body.get("User") or ""),
        "mounts": [bind[:2] for bind in binds if len(bind) > 1] + named,
        "network_mode": "bridge" if mode not in {"none", "host"} else mode,
        "network": next(iter(networks), mode if mode not in {"default", "bridge"} else "podman"),
        "aliases": list((next(iter(networks.values()), None) or {}).get("Aliases") or []),
        "ports": [
            int(str(bound["HostPort"]))
            for bindings in (host.get("PortBindings") or {}).values()
            for bound in bindings or []
            if str(bound.get("HostPort") or "").isdigit()
        ],
        "restart": str((host.get("RestartPolicy") or {}).get("Name") or ""),
        "auto_remove": bool(host.get("AutoRemove")),
        "privileged": bool(host.get("Privileged")),
        "created": time.time(),
        "started": None,
        "finished": None,
        "status": "created",
        "pid": 0,
        "exit_code": 0,
        "on_term": None,
        "course_code": 0,
        "ends_at": None,
        "output": [],
    }
