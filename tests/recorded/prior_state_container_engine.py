"""The state of the container engine before a recorded call: containers, commands, volumes and
networks, as far as call and answer tell.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias
from urllib.parse import parse_qs, unquote

from tests.recorded.reading import Exchange
from tests.recorded.sending import Request
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn
from workspace_sandbox.stand_ins.container_manager.rules import CONTAINER, STACK, VOLUME

IMAGE = "localhost/bb:1"
NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]*")
OBEYS = ["/bin/sh", "-c", "trap 'exit 7' TERM; while :; do sleep 1; done"]
PROJECT = "com.docker.compose.project"
ENGINE = re.compile(r"^(/api/endpoints/(?P<environment>[^/]+)/docker)?(/v1\.\d+)?(?=/)")
HEX = re.compile(r"[0-9a-f]{4,64}")

Arrange: TypeAlias = Callable[["Engine", Request], Request]
"""Brings things about, and gives the request with this run's ids in it."""


class Engine:
    """The engine of a stand-in, and who owns what in Portainer. `owner`: the user whom new things
    belong to; 0: to nobody.
    """

    def __init__(self, stand_in: ContainerManagerStandIn, *, owner: int) -> None:
        self.stand_in = stand_in
        self.owner = owner

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.stand_in.state["engine"]
        return found

    def container(
        self, name: str, status: str = "running", *, command: list[str] | None = None, **more: Any
    ) -> dict[str, Any]:
        """Have a container of this name and status."""
        containers = self.stand_in._api.containers
        record = containers.create(name, {"Image": IMAGE, "Cmd": command or OBEYS, **more})
        if status != "created":
            containers.start(record)
            self.turn(record, status)
        self.owned(record["id"], CONTAINER)
        return record

    def turn(self, record: dict[str, Any], status: str) -> None:
        """Bring a running container into another status."""
        if status == "exited":
            self.stand_in._api.containers._ended(record, 7)
        elif status == "created":
            record.update(status=status, pid=0, started=None, ends_at=None)
        else:
            record["status"] = status

    def volume(self, name: str, labels: dict[str, str]) -> None:
        self.state["volumes"][name] = {"name": name, "labels": labels, "created": 1.0}
        self.owned(f"{name}_{self.state['id']}", VOLUME)

    def as_shown(self, record: dict[str, Any], shown: dict[str, Any], environment: str) -> None:
        """Let a container or volume have the owner that the recorded answer shows: nobody,
        somebody, or whoever has its stack.
        """
        portainer = self.stand_in.state["portainer"]
        control = (shown.get("Portainer") or {}).get("ResourceControl")
        own = str(record.get("id") or f"{record['name']}_{self.state['id']}")
        portainer["controls"].pop(own, None)
        if not isinstance(control, dict):
            return
        by_administrators = bool(control.get("AdministratorsOnly"))
        if control.get("Type") == STACK:
            own = f"{environment}_{record['labels'].get(PROJECT, '')}"
        self.owned(own, int(control.get("Type", CONTAINER)), by_administrators=by_administrators)

    def owned(self, resource: str, kind: int, *, by_administrators: bool = False) -> None:
        """Note in Portainer whose a thing is."""
        if not self.owner:
            return
        portainer = self.stand_in.state["portainer"]
        portainer["last"]["control"] += 1
        accesses = [] if by_administrators else [{"UserId": self.owner, "AccessLevel": 1}]
        portainer["controls"][resource] = {
            "Id": portainer["last"]["control"],
            "ResourceId": resource,
            "SubResourceIds": [],
            "Type": kind,
            "UserAccesses": accesses,
            "TeamAccesses": [],
            "Public": False,
            "AdministratorsOnly": by_administrators,
            "System": False,
        }


def path_of(exchange: Exchange) -> str:
    """The path as the engine sees it."""
    return ENGINE.sub("", exchange.path)


def environment_of(exchange: Exchange) -> str:
    """The environment through which the engine was asked."""
    found = ENGINE.match(exchange.path)
    return (found["environment"] if found else "") or "1"


def things(exchange: Exchange) -> Iterator[tuple[str, Arrange]]:
    """What may have been in the engine, likely things first."""
    path = path_of(exchange)
    if found := re.fullmatch(r"/containers/([^/]+)(?:/(\w+))?", path):
        if found[1] == "json":
            yield "containers as listed", _listed_containers(exchange)
        elif found[1] == "create":
            yield from _creations(exchange)
        elif found[1] != "prune":
            yield from _container(exchange, unquote(found[1]), found[2] or "")
    elif found := re.fullmatch(r"/exec/([^/]+)/(\w+)", path):
        yield from _commands(exchange, found[1])
    elif path == "/volumes" or path.startswith("/volumes/"):
        yield from _volumes(exchange, unquote(path.removeprefix("/volumes").strip("/")))
    elif path == "/networks" or path.startswith("/networks/"):
        yield from _networks(exchange, unquote(path.removeprefix("/networks").strip("/")))
    yield "nothing in particular", lambda engine, request: request


# --- containers -----------------------------------------------------------------------------------


def _creations(exchange: Exchange) -> Iterator[tuple[str, Arrange]]:
    names = parse_qs(exchange.query).get("name", [])

    def taken(engine: Engine, request: Request) -> Request:
        engine.container(names[0])
        return request

    if names and NAME.fullmatch(names[0]) and (exchange.status or 0) >= 400:
        yield "the name is taken", taken


def _container(exchange: Exchange, name: str, verb: str) -> Iterator[tuple[str, Arrange]]:
    """The container that is addressed, in each status it may have had."""
    if "no such container" in exchange.text or not NAME.fullmatch(name):
        return
    likely = {"start": "created", "unpause": "paused"}.get(verb, "running")
    if exchange.status == 304:
        likely = "running" if verb == "start" else "exited"
    shown = _shown_status(exchange)
    statuses = [shown or likely, "running", "exited", "created", "paused", "stopping"]
    for status in dict.fromkeys(statuses):
        yield f"container {name} is {status}", _one_container(exchange, name, status)
    yield f"container {name} ends and is started again", _one_container(exchange, name, "flapping")


def _shown_status(exchange: Exchange) -> str:
    found = exchange.json()
    state = found.get("State") if isinstance(found, dict) else None
    return str(state.get("Status", "")) if isinstance(state, dict) else ""


def _one_container(exchange: Exchange, name: str, status: str) -> Arrange:
    def arrange(engine: Engine, request: Request) -> Request:
        more: dict[str, Any] = {"Labels": {"ws.user": "alice"}}
        command = None
        by_id = HEX.fullmatch(name) and exchange.status != 404
        if status == "flapping":
            command = ["/bin/sh", "-c", "exit 1"]
            more["HostConfig"] = {"RestartPolicy": {"Name": "always"}}
        if "/logs" in exchange.path:
            command = (
                ["/bin/sh", "-c", "echo hello; echo bad >&2; exit 0"] if exchange.text else None
            )
        shown = exchange.json() if isinstance(exchange.json(), dict) else {}
        if shown.get("Mounts"):
            more["HostConfig"] = {"Binds": ["vol-alice:/d"]}
        if name.endswith("-web-1"):
            more = _of_project(name.removesuffix("-web-1"))
        was = "running" if status == "flapping" else status
        record = engine.container("somebody" if by_id else name, "running", command=command, **more)
        if shown.get("ExecIDs"):
            engine.stand_in._api.execs.create(record, {"Cmd": ["/bin/true"]})
        engine.turn(record, was)
        if shown.get("Config") and engine.owner:
            engine.as_shown(record, shown, environment_of(exchange))
        wanted = parse_qs(exchange.query).get("name", [""])[0]
        if wanted and exchange.status == 409:
            engine.container(wanted)
        if not by_id:
            return request
        # The engine finds containers by the beginning of their id, too.
        length = len(name) if len(name) == 64 else max(12, len(name))
        return request.with_(target=request.target.replace(name, record["id"][:length], 1))

    return arrange


def _of_project(project: str) -> dict[str, Any]:
    network = f"{project}_default"
    return {
        "Labels": {PROJECT: project},
        "NetworkingConfig": {"EndpointsConfig": {network: {"Aliases": ["web"]}}},
        "HostConfig": {"Binds": [f"{project}_data:/d"]},
    }


def _listed_containers(exchange: Exchange) -> Arrange:
    found = exchange.json()
    listed = [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []

    def arrange(engine: Engine, request: Request) -> Request:
        for item in listed:
            name = str((item.get("Names") or ["/somebody"])[0]).removeprefix("/")
            labels = {str(k): str(v) for k, v in (item.get("Labels") or {}).items()}
            more: dict[str, Any] = {"Labels": labels}
            if (project := labels.get(PROJECT)) and item.get("Mounts"):
                more = {**_of_project(project), "Labels": labels}
            record = engine.container(name, str(item.get("State") or "running"), **more)
            if engine.owner:
                engine.as_shown(record, item, environment_of(exchange))
        return request

    return arrange


# --- commands -------------------------------------------------------------------------------------

COMMANDS: tuple[tuple[str, list[str], dict[str, Any]], ...] = (
    ("prints on both channels", ["/bin/sh", "-c", "echo out; echo err >&2; exit 3"], {}),
    ("prints on a terminal", ["/bin/sh", "-c", "echo one; echo two"], {"Tty": True}),
    ("cannot be found", ["/bin/nosuch"], {}),
    ("shall run as a user that is not there", ["/bin/true"], {"User": "nosuch"}),
    ("prints nothing", ["/bin/true"], {}),
    ("takes long", ["/bin/sleep", "6"], {}),
)


def _commands(exchange: Exchange, number: str) -> Iterator[tuple[str, Arrange]]:
    """A command that is about to run, runs or has run; the one of the recording has another id
    here.
    """
    if exchange.status == 404:
        return
    for what, argv, more in COMMANDS:
        for state in ("created", "stopped", "running"):
            if exchange.status is None and (what, state) != ("takes long", "created"):
                continue
            if what == "takes long" and exchange.method == "POST" and exchange.status is not None:
                continue
            yield f"a command that {what} is {state}", _command(exchange, number, argv, more, state)


def _command(
    exchange: Exchange, number: str, argv: list[str], more: dict[str, Any], state: str
) -> Arrange:
    def arrange(engine: Engine, request: Request) -> Request:
        container = engine.container("jupyter-alice")
        wanted = {"Cmd": argv, "AttachStdout": True, "AttachStderr": True, **more}
        execs = engine.stand_in._api.execs
        made = execs.create(container, wanted)
        shown = exchange.json() if isinstance(exchange.json(), dict) else {}
        execs.find(made).update(state=state, exit_code=int(shown.get("ExitCode") or 0))
        return request.with_(target=request.target.replace(number, made, 1))

    return arrange


# --- volumes and networks -------------------------------------------------------------------------


def _volumes(exchange: Exchange, name: str) -> Iterator[tuple[str, Arrange]]:
    found = exchange.json()
    listed = found.get("Volumes") if isinstance(found, dict) else None
    if not name:
        yield (
            "volumes as listed",
            _these_volumes(
                listed if isinstance(listed, list) else [], environment=environment_of(exchange)
            ),
        )
        return
    if name in {"create", "prune"}:
        sent = exchange.sent()
        wanted = str(sent.get("Name", "")) if isinstance(sent, dict) else ""
        if wanted and exchange.headers.get("x-portainer-volumename", wanted) == wanted:
            yield "nothing of this name", lambda engine, request: request
            yield (
                "the volume is there",
                _these_volumes([{"Name": wanted, "Labels": {"ws.user": "alice"}}]),
            )
        return
    one = [{"Name": name, "Labels": {"ws.user": "alice"}}]
    if exchange.status != 404:
        yield "the volume is there", _these_volumes(one)
        yield "the volume is in use", _these_volumes(one, used=True)


def _these_volumes(
    listed: list[dict[str, Any]], *, used: bool = False, environment: str = ""
) -> Arrange:
    """Volumes of these names and labels; with `environment` they were listed, and show whose they
    are.
    """

    def arrange(engine: Engine, request: Request) -> Request:
        for item in listed:
            name, labels = str(item["Name"]), dict(item.get("Labels") or {})
            engine.volume(name, labels)
            if environment and engine.owner:
                engine.as_shown({"name": name, "labels": labels}, item, environment)
            if used:
                engine.container("vol-user", HostConfig={"Binds": [f"{item['Name']}:/d"]})
        return request

    return arrange


def _networks(exchange: Exchange, name: str) -> Iterator[tuple[str, Arrange]]:
    sent = exchange.sent()
    wanted = str(sent.get("Name", "")) if isinstance(sent, dict) and name == "create" else name

    def arrange(engine: Engine, request: Request) -> Request:
        row = {"name": wanted, "id": "f" * 64, "labels": {}, "created": 1.0}
        engine.state["networks"][wanted] = row
        return request

    if wanted and exchange.status not in {404, 201}:
        yield "the network is there", arrange
    if not name:
        found = exchange.json()
        used = isinstance(found, list) and any(one.get("Containers") for one in found)

        def user(engine: Engine, request: Request) -> Request:
            if used:
                engine.container("user")
            return request

        yield "a container uses it", user
