"""Stacks with content on an engine, made past the manager, and the source that keeps it."""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import httpx

from workspace_manager.systems.container_manager.connector import ContainerManager
from workspace_manager.systems.container_manager.names import (
    HELPER_LABEL,
    MARK_LABEL,
    PROJECT_LABEL,
    VOLUME_LABEL,
    content_address,
)
from workspace_manager.systems.container_manager.snapshots import StackSnapshots, snapshots

ENDS, WAITS = "trap 'exit 0' TERM; ", "while :; do sleep 1; done"
LOOKS: Final = (
    'test "$(stat -c %u:%a /data/pages)" = 999:600 || exit 1; '
    'test "$(cat /data/pages)" = rows || exit 1; '
)
"""As a database does: it runs with files that are its own, and with no others."""
SERVICES: Final = {
    "web": ("database:service_started:false", ENDS + WAITS),
    "database": ("", ENDS + LOOKS + WAITS),
    "worker": ("", ENDS + WAITS),
}


@dataclass(frozen=True)
class Stack:
    name: str
    mark: str

    @property
    def address(self) -> str:
        return content_address(self.name, self.mark)

    def volume(self, key: str) -> str:
        return f"{self.name}_{key}"


@dataclass
class Volumes:
    """An engine whose stacks have content. `fill` writes the content of a volume's name, `spoil`
    replaces it.
    """

    system: ContainerManager
    engine: httpx.Client
    fill: Callable[[str], object]
    spoil: Callable[[str], object]
    image: str
    look: Callable[[str, str], str] = lambda _volume, _script: ""
    source: StackSnapshots = field(init=False)

    def __post_init__(self) -> None:
        self.source = snapshots(self.system)

    def name_stack(self) -> Stack:
        """A stack that nothing is of."""
        mark = str(uuid.uuid4())
        return Stack(f"ws-volumes-{mark[:8]}", mark)

    def make_stack(self) -> Stack:
        """One with two volumes, in which three programs run."""
        stack = self.name_stack()
        for key in ("data", "more"):
            labels = {MARK_LABEL: stack.mark, PROJECT_LABEL: stack.name, VOLUME_LABEL: key}
            body = {"Name": stack.volume(key), "Labels": labels}
            self.engine.post("/volumes/create", json=body).raise_for_status()
        self.fill(stack.volume("data"))
        self.start(stack)
        return stack

    def start(self, stack: Stack) -> None:
        """Have its programs run, as Compose would."""
        for service, (needs, script) in SERVICES.items():
            labels = {
                MARK_LABEL: stack.mark,
                PROJECT_LABEL: stack.name,
                "com.docker.compose.service": service,
                "com.docker.compose.depends_on": needs,
            }
            body = {
                "Image": self.image,
                "User": "999" if service == "database" else "0",
                "Entrypoint": ["/bin/sh", "-c"],
                "Cmd": [script],
                "Labels": labels,
                "HostConfig": {
                    "Binds": [f"{stack.volume('data')}:/data", f"{stack.volume('more')}:/more"],
                    "NetworkMode": "none",
                },
            }
            name = f"{stack.name}-{service}-1"
            made = self.engine.post("/containers/create", params={"name": name}, json=body)
            number = made.raise_for_status().json()["Id"]
            self.engine.post(f"/containers/{number}/start").raise_for_status()

    def stop(self, stack: Stack, service: str) -> None:
        path = f"/containers/{stack.name}-{service}-1/stop"
        self.engine.post(path, params={"t": "5"}).raise_for_status()

    def states(self, stack: Stack) -> dict[str, str]:
        """How each program is."""
        query = {"all": "1", "filters": json.dumps({"label": [f"{PROJECT_LABEL}={stack.name}"]})}
        listed = self.engine.get("/containers/json", params=query).raise_for_status().json()
        return {one["Labels"]["com.docker.compose.service"]: one["State"] for one in listed}

    def helpers(self) -> list[str]:
        """The names of helpers that are there."""
        query = {"all": "1", "filters": json.dumps({"label": [HELPER_LABEL]})}
        listed = self.engine.get("/containers/json", params=query).raise_for_status().json()
        return [name for one in listed for name in one["Names"]]

    def volumes(self, stack: Stack) -> list[str]:
        listed = self.engine.get("/volumes").raise_for_status().json()["Volumes"]
        return [one["Name"] for one in listed if one["Name"].startswith(stack.name)]
