"""Cases of compose stacks: through Portainer's stand-in, a real Portainer before podman, and podman
with the compose command of this machine.
"""

from collections.abc import Collection
from typing import ClassVar

from tests.conformance.containers import (
    EnginePlace,
    PodmanPlace,
    PortainerPlace,
    RealPortainerPlace,
)
from workspace_manager.contract.connector import Facts, Target
from workspace_manager.contract.secret import SecretRef
from workspace_manager.systems.container_manager import names
from workspace_sandbox.conformance.case import Case, Place, Seen, Selector, Thing
from workspace_sandbox.real import podman

PROJECT = names.PROJECT_LABEL
FILE = """\
services:
  web:
    image: IMAGE
    environment: {PASSWORD: "${PASSWORD}"}
    volumes: ["data:/data"]
volumes:
  data: {}
"""


class StackCase(Case):
    """What stacks and their volumes share."""

    place: EnginePlace

    def stack(self, it: Thing) -> str:
        return f"ws-ada-{it.token}"

    def mark(self, it: Thing) -> str:
        return f"mark-of-{it.token}"

    def target(self, it: Thing, wish: str) -> Target:
        return names.stack_target(self.stack(it), self.mark(it))

    def file(self) -> str:
        return FILE.replace("IMAGE", podman.IMAGE_TAGS[0] if self.place.real else podman.IMAGE)

    def secrets(self, it: Thing, wish: str) -> dict[str, SecretRef]:
        return {} if wish == "gone" else {"PASSWORD": self._secret(it)}

    def _secret(self, it: Thing) -> SecretRef:
        if "secret" not in it.ids:
            it.ids["secret"] = self.place.vault.keep(f"vault/{it.token}", self.place.vault.canary())
        return it.ids["secret"]

    # --- other hands ------------------------------------------------------------------------------

    def made(self, it: Thing) -> None:
        """Have the stack be there: by the connector, which other checks look at."""
        wished: Facts = {"running": True, "file": self.file(), "health": "", "health_text": ""}
        connector = self.place.connected().connectors["container_manager.stack"]
        change = connector.plan(self.target(it, "made"), wished)
        connector.apply(change.model_copy(update={"secrets": self.secrets(it, "made")}))

    def seen(self, it: Thing) -> Seen:
        found: Seen = {}
        for kind, path in (("networks", "/networks"), ("volumes", "/volumes")):
            listed = self.place.engine.get(path).raise_for_status().json()
            rows = listed["Volumes"] or [] if kind == "volumes" else listed
            found |= {f"{kind} {row['Name']}": row["Labels"] or {} for row in rows}
        found |= {f"containers {name}": one for name, one in self.place.containers().items()}
        return {name: one for name, one in found.items() if it.token in name}

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        """A stranger's container, network or volume, by the project's label or by its name."""
        what, _, by = how.partition(" by ")
        stack = self.stack(it)
        labels = {PROJECT: stack} if by == "label" else {}
        own = {"container": f"{stack}-web-1", "network": f"{stack}_default"}
        name = own.get(what, f"{stack}_data") if by == "name" else f"theirs-{it.token}"
        if what == "container":
            body = {"Image": podman.IMAGE, "Labels": labels}
            made = self.place.hands.post("/create", params={"name": name}, json=body)
        else:
            path = f"/{what}s/create"
            made = self.place.engine.post(path, json={"Name": name, "Labels": labels})
        made.raise_for_status()

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        stack = self.stack(it)
        found = []
        for other in (f"{stack}2", f"x{stack}", f"{stack}-web"):
            name = f"{other}_data"
            body = {"Name": name, "Labels": {PROJECT: other, names.MARK_LABEL: "another"}}
            self.place.engine.post("/volumes/create", json=body).raise_for_status()
            self.place.engine.post("/networks/create", json={**body, "Name": f"{other}_default"})
            found += [f"volumes {name}", f"networks {other}_default"]
        return found

    def _ours(self, it: Thing, kind: str) -> list[str]:
        """Our things of one kind that are there."""
        ways = {
            "containers": ("-web-1", "_web_1"),
            "networks": ("_default",),
            "volumes": ("_data",),
        }
        wanted = {f"{kind} {self.stack(it)}{end}" for end in ways[kind]}
        return sorted(wanted & self.seen(it).keys())


class Stack(StackCase):
    """`container_manager.stack`."""

    kind = "container_manager.stack"
    listed = True
    wishes = ("made", "gone")
    taking = ("gone",)
    foreign: ClassVar = {
        "made": tuple(
            f"{what} by {how}"
            for what in ("container", "network", "volume")
            for how in ("label", "name")
        ),
        "gone": ("container by label", "network by label"),
    }
    halves: ClassVar = {
        "made": ("stopped", "paused", "without its container"),
        "gone": ("stopped", "paused", "without its container"),
    }

    def want(self, it: Thing, wish: str) -> Facts | None:
        wished: Facts = {"running": True, "file": self.file(), "health": "", "health_text": ""}
        return None if wish == "gone" else wished

    def prepare(self, it: Thing, wish: str) -> None:
        if wish == "gone":
            self.made(it)

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        self.made(it)
        (name,) = (one for one in self.place.containers() if one.startswith(self.stack(it)))
        number = self.place.containers()[name]["id"]
        if how == "without its container":
            self.place.hands.delete(f"/{number}", params={"force": "1"}).raise_for_status()
        else:
            verb = {"stopped": "stop", "paused": "pause"}[how]
            self.place.hands.post(f"/{number}/{verb}", params={"t": "0"}).raise_for_status()

    def done(self, it: Thing, wish: str) -> bool:
        containers, networks = self._ours(it, "containers"), self._ours(it, "networks")
        if wish == "gone":
            return not containers and not networks and not self._rows(it)
        running = [one for one in containers if self.seen(it)[one]["state"] == "running"]
        return len(running) == len(containers) == len(networks) == 1

    def _rows(self, it: Thing) -> list[str]:
        """What Portainer knows of it."""
        if not isinstance(self.place, PortainerPlace):
            return []
        found = self.place.portainer.get("/stacks").raise_for_status().json()
        return [one["Name"] for one in found if it.token in one["Name"]]

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        by_portainer = isinstance(self.place, PortainerPlace)
        if wish == "made":
            made = "/api/stacks/create/" if by_portainer else "/containers/create"
            return [{"method": "POST", "path": made}]
        stop: Selector = {"method": "POST", "path": r"/containers/\w+/stop"}
        ended = ["/api/stacks/"] if by_portainer else [r"/containers/\w+$", r"/networks/\w+$"]
        return [stop, *({"method": "DELETE", "path": path} for path in ended)]


class StackVolumes(StackCase):
    """`container_manager.stack_volumes`: removed by themselves, after the stack."""

    kind = "container_manager.stack_volumes"
    listed = True
    wishes = ("gone",)
    taking = ("gone",)
    foreign: ClassVar = {"gone": ("volume by label", "volume by name")}

    def want(self, it: Thing, wish: str) -> Facts | None:
        return None

    def prepare(self, it: Thing, wish: str) -> None:
        labels = {PROJECT: self.stack(it), names.MARK_LABEL: self.mark(it)}
        body = {"Name": f"{self.stack(it)}_data", "Labels": labels}
        self.place.engine.post("/volumes/create", json=body).raise_for_status()

    def done(self, it: Thing, wish: str) -> bool:
        return not self._ours(it, "volumes")

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return [{"method": "DELETE", "path": "/volumes/"}]


class RealStacksPlace(RealPortainerPlace):
    """A real Portainer before podman, which makes stacks."""


class ComposePlace(PodmanPlace):
    """podman and the compose command of this machine, which speaks to it through the door too."""

    part = "podman with compose"


CASES = (Stack, StackVolumes)

_TWICE = {"test_the_second_time_is_already": ("made", "gone")}
FEW: dict[type[Place], dict[str, tuple[str, ...]]] = {
    RealStacksPlace: {**_TWICE, "test_half_made_things_are_finished_or_removed": ("gone",)},
    ComposePlace: {**_TWICE, "test_what_is_not_ours_is_never_taken_over": ("made",)},
}
"""Of the checks on a real part, those that are run, and for which wishes: each call about a stack
takes seconds.
"""
