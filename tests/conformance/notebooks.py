"""Cases of notebooks: beside the container manager alone, and with the hub asked as well; also on
podman and a real Portainer.
"""

import contextlib
from collections.abc import Callable, Collection, Iterator
from typing import Any, ClassVar

from tests.conformance.containers import (
    KEY,
    ContainerCase,
    PortainerPlace,
    PortainerPodmanPlace,
    RealPortainerPlace,
)
from workspace_manager.contract.connector import CallPolicy, System, Target
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.client.connection import CALLS
from workspace_manager.systems.container_manager.connector import ContainerManager
from workspace_manager.systems.notebook_hub import connector as notebook_hub
from workspace_manager.systems.notebook_hub.names import container_target
from workspace_manager.systems.notebook_hub.settings import Settings as HubSettings
from workspace_sandbox.conformance.case import Selector, Thing
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn
from workspace_sandbox.stand_ins.notebook_hub import NotebookHubStandIn

TOKEN, POOR_TOKEN = "canary-token-of-ours", "canary-token-of-somebody"


class HubPlace(PortainerPlace):
    """A hub that is not asked itself, beside a container manager."""

    system = "notebook_hub"
    part = "stand-in, engine alone"
    asks_hub: ClassVar[bool] = False

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> System:
        return self.hub(self.manager(calls=calls, **changes), calls, "")

    def hub(self, manager: ContainerManager, calls: CallPolicy | None, token: str) -> System:
        settings = HubSettings(
            url="http://127.0.0.1:9", api_url="", api_token=Secret(token) if token else None
        )
        return notebook_hub.connect(
            settings, self.vault.resolve, manager.containers, calls=calls or CALLS
        )


class HubAndApiPlace(HubPlace):
    """A hub that is asked itself, beside a container manager that it uses past the door's faults.
    Whatever breaks breaks at both: where one is silent the other one stops what it can.
    """

    part = "stand-in"
    every_call = {"path": "^/(api/)"}
    poor = (*HubPlace.poor, "without scopes")
    asks_hub = True

    def __init__(self, stand_in: ContainerManagerStandIn, engine: str) -> None:
        super().__init__(stand_in, engine)
        self.vault.standing += [TOKEN, POOR_TOKEN]
        self.hub_stand_in, self.poor_hub = (
            NotebookHubStandIn(
                issuer_url="http://127.0.0.1:9",
                client_id="hub",
                client_secret="hub",
                container_url=engine.replace("http:", "docker:"),
                api_key=KEY,
                api_token=token,
                slow_stop_s=5,
                **more,  # type: ignore[arg-type]
            )
            for token, more in ((TOKEN, {}), (POOR_TOKEN, {"scopes": ()}))
        )

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "HubAndApiPlace":
        place = super().open(stack, real)
        assert isinstance(place, HubAndApiPlace)
        stack.enter_context(running(place.hub_stand_in, place.poor_hub))
        return place

    def hub(
        self,
        manager: ContainerManager,
        calls: CallPolicy | None,
        token: str,
        stand_in: NotebookHubStandIn | None = None,
    ) -> System:
        url = (stand_in or self.hub_stand_in).url
        settings = HubSettings(url=url, api_url="", api_token=Secret(token or TOKEN))
        return notebook_hub.connect(
            settings, self.vault.resolve, manager.containers, calls=calls or CALLS
        )

    def moved(self) -> System:
        manager = self.manager(url="http://127.0.0.1:9")
        settings = HubSettings(url="http://127.0.0.1:9", api_url="", api_token=Secret(TOKEN))
        return notebook_hub.connect(settings, self.vault.resolve, manager.containers, calls=CALLS)

    def wrong_password(self) -> System:
        wrong = self.vault.canary("wrong")
        return self.hub(self.manager(api_key=Secret(wrong)), None, wrong)

    @contextlib.contextmanager
    def fault(self, fault: str, where: Selector, **more: Any) -> Iterator[Callable[[], int]]:
        if where == self.every_call:
            hub = {"path": "^/hub/api", "door": self.hub_stand_in}
            with super().fault(fault, where, **more) as hits, super().fault(fault, hub, **more):
                yield hits
        else:
            with super().fault(fault, where, **more) as hits:
                yield hits

    def connect_poor(self, name: str) -> System:
        if name != "without scopes":
            return super().connect_poor(name)
        return self.hub(self.manager(), None, POOR_TOKEN, self.poor_hub)


class HubPodmanPlace(PortainerPodmanPlace):
    """A hub beside a real podman."""

    system = "notebook_hub"
    part = "podman"
    connect = HubPlace.connect
    hub = HubPlace.hub


class HubRealPortainerPlace(RealPortainerPlace):
    """A hub beside a real Portainer."""

    system = "notebook_hub"
    connect = HubPlace.connect
    hub = HubPlace.hub


class Notebook(ContainerCase):
    """`notebook_hub.container`: it is only ever stopped."""

    kind = "notebook_hub.container"
    wishes = ("stopped",)
    taking = ("stopped",)
    halves = {"stopped": ("created", "paused")}

    def user(self, it: Thing) -> str:
        return f"ada.{it.token}"

    def name(self, it: Thing) -> str:
        return container_target(self.user(it))["container"]

    def target(self, it: Thing, wish: str) -> Target:
        return container_target(self.user(it))

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        found = [
            f"jupyter-{self.user(it)}",
            f"{self.name(it)}2",
            f"x{self.name(it)}",
            f"jupyter-{it.token}",
        ]
        for other in found:
            self.place.make(other)
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return [{"method": "POST", "path": r"/containers/\w+/stop"}]


class NotebookAtHub(Notebook):
    """The same where the hub is asked first."""

    place: HubAndApiPlace

    def prepare(self, it: Thing, wish: str) -> None:
        super().prepare(it, wish)
        hub = self.place.hub_stand_in
        hub.add_user(self.user(it))
        hub.users()[self.user(it)]["running"] = True

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        server = {"method": "DELETE", "path": "/hub/api/users/", "door": self.place.hub_stand_in}
        return [server]


HUB_CASES = (Notebook,)
HUB_AND_API_CASES = (NotebookAtHub,)
