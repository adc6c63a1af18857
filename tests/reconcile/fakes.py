"""Systems that hold what a test says, page by page."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from tests.fake_world.world import FakeSystem, World
from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.inventory import InventoryEntry, Page
from workspace_manager.contract.message import quote_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.reconcile import walk
from workspace_manager.records.models import ReconcileItem, ReconcileRun
from workspace_manager.systems import registry

LISTER = "tests.reconcile.fakes:read_page"


@dataclass
class Holding:
    """What the systems hold, by system, and what befalls whoever reads it."""

    pages: int = 2
    unsure: frozenset[str] = frozenset()
    things: dict[str, list[InventoryEntry]] = field(default_factory=dict)
    broken: dict[str, Callable[[], BaseException]] = field(default_factory=dict)
    read: list[tuple[str, str]] = field(default_factory=list)

    def put(self, kind: str, name: str, **more: Any) -> InventoryEntry:
        one = InventoryEntry(kind, {"name": name}, name, quote_words(f"{name} is there"), **more)
        self.things.setdefault(kind.partition(".")[0], []).append(one)
        return one

    def take(self, *names: str) -> None:
        for system, listed in self.things.items():
            self.things[system] = [one for one in listed if one.name not in names]

    def page(self, system: str, cursor: str) -> Page:
        self.read.append((system, cursor))
        if system in self.broken:
            raise self.broken[system]()
        start, listed = int(cursor or 0), self.things.get(system, [])
        end = start + self.pages
        following = str(end) if end < len(listed) else ""
        return Page(tuple(listed[start:end]), following, self.unsure)


class Holder(FakeSystem):
    """A fake system that can be read."""

    holding: Holding


def read_page(system: Any, cursor: str) -> Page:
    found: Page = system.holding.page(system.name, cursor)
    return found


@pytest.fixture
def holding(monkeypatch: pytest.MonkeyPatch) -> Holding:
    """Every system lists what it is said to hold."""
    for name, spec in registry().specs.items():
        # The registry is kept for the process; what is set here is taken back.
        monkeypatch.setitem(
            registry().specs,
            name,
            dataclasses.replace(spec, inventory=LISTER),
        )
    return Holding()


def connected(world: World, holding: Holding) -> ConnectedSystems:
    systems = world.systems()
    for system in systems.by_name.values():
        cast("Any", system).holding = holding
    return systems


def away() -> ConnectorError:
    return Unavailable(quote_words("no answer"), kind="sql_server", doing=quote_words("reading"))


@dataclass
class Walks:
    """Runs from beginning to end."""

    world: World
    holding: Holding

    def run(self) -> ReconcileRun:
        run = walk.begin("ada")
        walk.go_on(run, self.systems())
        return run

    def systems(self) -> ConnectedSystems:
        return connected(self.world, self.holding)

    @staticmethod
    def found(**asked: Any) -> list[tuple[str, str]]:
        """The differences that last, as (difference, name)."""
        rows = ReconcileItem.objects.filter(ended_at=None, **asked).order_by("difference", "name")
        return [(row.difference, row.name) for row in rows]


@pytest.fixture
def walks(world: World, holding: Holding) -> Walks:
    return Walks(world, holding)
