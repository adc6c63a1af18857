"""The kiln's connector passes what every connector has to pass."""

import contextlib
from collections.abc import Collection
from typing import Any, ClassVar

import httpx
from workspace_kiln import SYSTEM
from workspace_kiln.connector import Kiln, connect
from workspace_kiln.settings import Settings
from workspace_kiln.stand_in import KilnStandIn

from workspace_manager.contract.connector import CallPolicy, Facts, Target
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.system import SystemSpec
from workspace_sandbox.conformance.case import Case, Place, Seen, Selector, Thing
from workspace_sandbox.conformance.checks import *  # noqa: F403
from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.server import running

KEY, POOR = "canary-of-the-warden", "canary-of-a-guest"


class KilnPlace(Place):
    """The stand-in."""

    system = "kiln"
    poor: ClassVar[tuple[str, ...]] = ("guest",)

    def __init__(self, stand_in: KilnStandIn) -> None:
        super().__init__()
        self.door = self.stand_in = stand_in
        self.vault.standing += [KEY, POOR]
        headers = {"Authorization": f"Bearer {KEY}"}
        self.hands = httpx.Client(base_url=stand_in.url, headers=headers, timeout=PATIENCE_S)

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "KilnPlace":
        stand_in = KilnStandIn(keys={KEY: ("warden", "warden"), POOR: ("guest", "guest")})
        stack.enter_context(running(stand_in))
        return cls(stand_in)

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> Kiln:
        values: dict[str, Any] = {"url": self.stand_in.url, "key": Secret(KEY), **changes}
        more = {"calls": calls} if calls else {}
        return connect(Settings(**values), self.vault.resolve, **more)

    def spec(self) -> SystemSpec[Any]:
        return SYSTEM

    def moved(self) -> Kiln:
        return self.connect(url="http://127.0.0.1:9")

    def wrong_password(self) -> Kiln:
        return self.connect(key=Secret(self.vault.canary("wrong")))

    def connect_poor(self, name: str) -> Kiln:
        return self.connect(key=Secret(POOR))


class Account(Case):
    """`kiln.account`."""

    kind = "kiln.account"
    listed = True
    wishes = ("made", "locked", "gone")
    taking = ("locked", "gone")
    WANT: ClassVar[dict[str, Facts | None]] = {
        "made": {"exists": True, "locked": False},
        "locked": {"locked": True},
        "gone": None,
    }
    place: KilnPlace

    def name(self, it: Thing) -> str:
        return f"ada-{it.token}"

    def target(self, it: Thing, wish: str) -> Target:
        return {"account": self.name(it)}

    def want(self, it: Thing, wish: str) -> Facts | None:
        return self.WANT[wish]

    def put(self, name: str) -> None:
        answer = self.place.hands.put(f"/accounts/{name}", json={"locked": False})
        answer.raise_for_status()

    def prepare(self, it: Thing, wish: str) -> None:
        if wish != "made":
            self.put(self.name(it))

    def seen(self, it: Thing) -> Seen:
        accounts = self.place.stand_in.state["accounts"].items()
        return {name: locked for name, locked in accounts if it.token in name}

    def done(self, it: Thing, wish: str) -> bool:
        have = self.seen(it).get(self.name(it))
        return have is {"made": False, "locked": True, "gone": None}[wish]

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        names = [f"{self.name(it)}2", f"x{self.name(it)}"]
        for name in names:
            self.put(name)
        return names

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return [{"method": "DELETE" if wish == "gone" else "PUT", "path": "/accounts/"}]


PLACES = {KilnPlace: (Account,)}
