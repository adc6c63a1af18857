"""Cases of containers: the container manager's, through Portainer's stand-in, a real Portainer and
directly; also on podman.
"""

import contextlib
from collections.abc import Collection
from typing import Any, ClassVar

import httpx

from workspace_manager.contract.connector import CallPolicy, Facts, System, Target
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.client.connection import CALLS
from workspace_manager.systems.container_manager.connector import ContainerManager, connect
from workspace_manager.systems.container_manager.settings import Settings
from workspace_sandbox.conformance.case import Case, Place, Seen, Selector, Thing
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.real import podman
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

KEY = "ptr_canary-of-ours"


class EnginePlace(Place):
    """A container engine, spoken to directly: it has no keys."""

    system = "container_manager"
    part = "stand-in's engine"
    has_password = False

    def __init__(self, door: StandIn, url: str, engine: str) -> None:
        """`url`: what the settings say. `engine`: the engine itself, past the door, for other
        hands.
        """
        super().__init__()
        self.door = door
        self.url = url
        self.hands = httpx.Client(base_url=f"{engine}/v1.41/containers")
        self.engine = httpx.Client(base_url=f"{engine}/v1.41")

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "EnginePlace":
        stand_in = ContainerManagerStandIn(api_key=KEY)
        stack.enter_context(running(stand_in))
        return cls(stand_in, stand_in.url.replace("http:", "docker:"), stand_in.url)

    def settings(self, **changes: Any) -> Settings:
        return Settings(**{"url": self.url, **changes})

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> System:
        return self.manager(calls=calls, **changes)

    def manager(self, *, calls: CallPolicy | None = None, **changes: Any) -> ContainerManager:
        return connect(self.settings(**changes), self.vault.resolve, calls=calls or CALLS)

    def moved(self) -> System:
        return self.connect(url=f"{self.url.partition(':')[0]}://127.0.0.1:9")

    # --- other hands ------------------------------------------------------------------------------

    def make(self, name: str, state: str = "running") -> str:
        """Make a container in this state (running, created, exited, paused); gives its id."""
        made = self.hands.post("/create", params={"name": name}, json={"Image": podman.IMAGE})
        assert made.status_code == 201, made.text
        number = str(made.json()["Id"])
        verbs = {"running": ["start"], "exited": ["start", "stop"], "paused": ["start", "pause"]}
        for verb in verbs.get(state, []):
            assert self.hands.post(f"/{number}/{verb}").status_code == 204
        return number

    def containers(self) -> dict[str, dict[str, Any]]:
        found = self.hands.get("/json", params={"all": "1"}).raise_for_status().json()
        return {
            str(one["Names"][0]).removeprefix("/"): {"id": one["Id"], "state": one["State"]}
            for one in found
        }


class PortainerPlace(EnginePlace):
    """Portainer's stand-in before its own engine."""

    part = "stand-in"
    has_password = True
    poor: ClassVar[tuple[str, ...]] = ("without the environment", "own containers alone")

    def __init__(self, door: StandIn, engine: str, url: str = "", key: str = KEY) -> None:
        """`url`: of Portainer itself, past the door, for other hands."""
        super().__init__(door, door.url, engine)
        self.key = self.vault.stand(key)
        base = f"{url or door.url}/api"
        self.nobody = httpx.Client(base_url=base)
        self.portainer = httpx.Client(base_url=base, headers={"X-API-Key": key})

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "PortainerPlace":
        stand_in = ContainerManagerStandIn(api_key=KEY)
        stack.enter_context(running(stand_in))
        return cls(stand_in, stand_in.url)

    def settings(self, **changes: Any) -> Settings:
        return super().settings(**{"api_key": Secret(self.key), **changes})

    def wrong_password(self) -> System:
        return self.connect(api_key=Secret(self.vault.canary("wrong")))

    def connect_poor(self, name: str) -> System:
        carla = f"carla{self.poor.index(name)}-{Thing().token}"
        key = self._regular_user(carla, access="own" in name)
        return self.connect(api_key=Secret(self.vault.stand(key)))

    def _regular_user(self, name: str, *, access: bool) -> str:
        """Make a regular user; gives the key."""
        password = "throw-away-1"
        body = {"Username": name, "Password": password, "Role": 2}
        number = self.portainer.post("/users", json=body).raise_for_status().json()["Id"]
        signed_in = self.nobody.post("/auth", json={"username": name, "password": password})
        # The session's cookie would be refused beside the token.
        self.nobody.cookies.clear()
        made = self.nobody.post(
            f"/users/{number}/tokens",
            json={"password": password, "description": name},
            headers={"Authorization": f"Bearer {signed_in.json()['jwt']}"},
        )
        if access:
            policies = {"UserAccessPolicies": {str(number): {"RoleId": 0}}}
            self.portainer.put("/endpoints/1", json=policies).raise_for_status()
        return str(made.raise_for_status().json()["rawAPIKey"])


class PodmanPlace(EnginePlace):
    """A real podman behind a door, spoken to directly."""

    part = "podman"
    real = "podman"

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "PodmanPlace":
        upstream = real.url.replace("docker:", "http:")
        door = FaultProxy(upstream)
        stack.enter_context(running(door))
        return cls(door, door.url.replace("http:", "docker:"), upstream)


class PortainerPodmanPlace(PortainerPlace):
    """A real podman behind Portainer's stand-in."""

    part = "podman behind the stand-in"
    real = "podman"

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "PortainerPodmanPlace":
        stand_in = ContainerManagerStandIn(api_key=KEY, docker_url=real.url)
        stack.enter_context(running(stand_in))
        return cls(stand_in, real.url.replace("docker:", "http:"))


class RealPortainerPlace(PortainerPlace):
    """A real Portainer behind a door, before a real podman."""

    part = "Portainer"
    real = "Portainer"
    besides = ("podman",)

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "RealPortainerPlace":
        address = real.address
        door = FaultProxy(address.url)
        stack.enter_context(running(door))
        engine = real.engine.replace("tcp:", "http:")
        return cls(door, engine, address.url, address.api_key.reveal())


class ContainerCase(Case):
    """What the container manager's and the hub's containers share."""

    place: EnginePlace

    def name(self, it: Thing) -> str:
        return it.ids.get("name") or f"box-{it.token}"

    def want(self, it: Thing, wish: str) -> Facts | None:
        return None if wish == "gone" else {"running": wish == "started"}

    def prepare(self, it: Thing, wish: str) -> None:
        self.place.make(self.name(it), "exited" if wish == "started" else "running")

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        self.place.make(self.name(it), how)

    def seen(self, it: Thing) -> Seen:
        found = self.place.containers()
        return {n: one for n, one in found.items() if it.token in n or n == self.name(it)}

    def done(self, it: Thing, wish: str) -> bool:
        state = self.seen(it).get(self.name(it), {}).get("state")
        if wish == "started":
            return bool(state == "running")
        return state in ({None} if wish == "gone" else {None, "exited", "created", "stopped"})

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        name = self.name(it)
        found = [
            f"{name}2",
            f"x{name}",
            f"{name}_",
            name.upper().replace(it.token.upper(), it.token),
        ]
        for other in found:
            self.place.make(other)
        return found


class Container(ContainerCase):
    """`container_manager.container`."""

    kind = "container_manager.container"
    wishes = ("started", "stopped", "gone")
    taking = ("stopped", "gone")
    halves = {
        "started": ("created",),
        "stopped": ("created", "paused"),
        "gone": ("created", "paused"),
    }

    def target(self, it: Thing, wish: str) -> Target:
        return {"container": self.name(it)}

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        """The engine takes the beginning of an id for a name, too: the worst namesake has such an
        id.
        """
        worst = f"x-{it.token}-with-our-name-as-id"
        it.ids["name"] = self.place.make(worst)[:12]
        return [worst, *super().look_alikes(Thing(it.token), wish)]

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        stop: Selector = {"method": "POST", "path": r"/containers/\w+/stop"}
        return {
            "started": [{"method": "POST", "path": r"/containers/\w+/start"}],
            "stopped": [stop],
            "gone": [stop, {"method": "DELETE", "path": "/containers/"}],
        }[wish]


CONTAINER_CASES = (Container,)
