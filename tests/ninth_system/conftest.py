"""The forge, installed in this process as an entry point would install it, and its stand-in.

The distribution's own tests run where it is installed, not here.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount

sys.path.insert(0, str(Path(__file__).parent / "distribution/src"))

from workspace_forge import SYSTEM
from workspace_forge.stand_in import ForgeStandIn

from tests.fake_world.world import World
from workspace_manager import systems, wiring
from workspace_manager.contract.guarded_spec import guard_spec
from workspace_manager.contract.system import SystemSpec
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.operations import settings as system_settings
from workspace_manager.records.models import Person
from workspace_sandbox.server import running

collect_ignore = ["distribution"]
TOKEN = "canary-token"
SUB = "sub-of-alice"

Install = Callable[..., SystemSpec[Any]]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install the forge, with some of its members replaced."""

    def installed(**members: Any) -> SystemSpec[Any]:
        spec = replace(SYSTEM, **members)
        monkeypatch.setattr(systems, "_outside", lambda _ours: ({"forge": guard_spec(spec)}, []))
        systems.registry.cache_clear()
        wiring._connected.pop("forge", None)
        return spec

    yield installed
    monkeypatch.undo()
    systems.registry.cache_clear()
    wiring._connected.pop("forge", None)


@pytest.fixture
def uninstall(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def uninstalled() -> None:
        monkeypatch.setattr(systems, "_outside", lambda _ours: ({}, []))
        systems.registry.cache_clear()

    return uninstalled


@pytest.fixture
def forge(db: None) -> Iterator[ForgeStandIn]:
    stand_in = ForgeStandIn(tokens={TOKEN: ("robot", True)})
    with running(stand_in):
        yield stand_in


@pytest.fixture
def connected(world: World, forge: ForgeStandIn) -> Callable[[], ConnectedSystems]:
    """Ours in memory, and the forge as wiring connects it now."""

    def now() -> ConnectedSystems:
        system_settings.save("forge", {"url": forge.url, "token": TOKEN}, actor="ada")
        real, ours = wiring.connected_systems(), world.systems()
        found = {"forge": real.by_name["forge"]} if "forge" in real.by_name else {}
        return ConnectedSystems(
            by_name={**ours.by_name, **found},
            settings=real.settings,
            unconnected=real.unconnected,
        )

    return now


@pytest.fixture
def smith(alice: Person, forge: ForgeStandIn) -> Person:
    """Somebody who signed in at the forge, too."""
    SocialAccount.objects.create(user=alice, provider="identity_provider", uid=SUB)
    forge.comes(SUB, "alice", tokens=2, repositories=3)
    forge.comes("sub-of-bob", "bob", tokens=1)
    return alice
