"""The forge's connectors pass what every connector has to pass."""

import contextlib
from collections.abc import Collection
from typing import Any, ClassVar

import httpx
from workspace_forge import SYSTEM
from workspace_forge.connector import Forge, connect
from workspace_forge.settings import Settings
from workspace_forge.stand_in import ForgeStandIn

from workspace_manager.contract.connector import CallPolicy, Facts, Target
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.system import SystemSpec
from workspace_sandbox.conformance.case import Case, Place, Seen, Selector, Thing
from workspace_sandbox.conformance.checks import *  # noqa: F403
from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.server import running

TOKEN, POOR = "canary-of-the-robot", "canary-of-a-guest"


class ForgePlace(Place):
    """The stand-in."""

    system = "forge"
    poor: ClassVar[tuple[str, ...]] = ("guest",)

    def __init__(self, stand_in: ForgeStandIn) -> None:
        super().__init__()
        self.door = self.stand_in = stand_in
        self.vault.standing += [TOKEN, POOR]
        headers = {"Authorization": f"token {TOKEN}"}
        self.hands = httpx.Client(base_url=stand_in.url, headers=headers, timeout=PATIENCE_S)

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "ForgePlace":
        stand_in = ForgeStandIn(tokens={TOKEN: ("robot", True), POOR: ("guest", False)})
        stack.enter_context(running(stand_in))
        return cls(stand_in)

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> Forge:
        values: dict[str, Any] = {"url": self.stand_in.url, "token": Secret(TOKEN), **changes}
        more = {"calls": calls} if calls else {}
        return connect(Settings(**values), self.vault.resolve, **more)

    def spec(self) -> SystemSpec[Any]:
        return SYSTEM

    def moved(self) -> Forge:
        return self.connect(url="http://127.0.0.1:9")

    def wrong_password(self) -> Forge:
        return self.connect(token=Secret(self.vault.canary("wrong")))

    def connect_poor(self, name: str) -> Forge:
        return self.connect(token=Secret(POOR))


class Account(Case):
    """`forge.account`."""

    kind = "forge.account"
    listed = True
    wishes = ("blocked", "gone")
    taking = ("blocked", "gone")
    WANT: ClassVar[dict[str, Facts | None]] = {"blocked": {"blocked": True}, "gone": None}
    place: ForgePlace

    def name(self, it: Thing) -> str:
        return f"sub-{it.token}"

    def target(self, it: Thing, wish: str) -> Target:
        return {"sub": self.name(it)}

    def want(self, it: Thing, wish: str) -> Facts | None:
        return self.WANT[wish]

    def prepare(self, it: Thing, wish: str) -> None:
        self.place.stand_in.comes(self.name(it), f"ada-{it.token}", tokens=2, repositories=1)

    def seen(self, it: Thing) -> Seen:
        users = self.place.stand_in.state["users"].items()
        return {sub: dict(one) for sub, one in users if it.token in sub}

    def done(self, it: Thing, wish: str) -> bool:
        have = self.seen(it).get(self.name(it))
        return have is None if wish == "gone" else bool(have and have["blocked"])

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        names = [f"{self.name(it)}2", f"x{self.name(it)}"]
        for name in names:
            self.place.stand_in.comes(name, f"bob-{name}", tokens=1)
        return names

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return [{"method": "DELETE" if wish == "gone" else "PATCH", "path": "/api/users/"}]


class Tokens(Account):
    """`forge.tokens`."""

    kind = "forge.tokens"
    listed = False
    wishes = ("gone",)
    taking = ("gone",)

    def done(self, it: Thing, wish: str) -> bool:
        have = self.seen(it).get(self.name(it))
        return have is None or have["tokens"] == 0


PLACES = {ForgePlace: (Account, Tokens)}
