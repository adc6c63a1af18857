"""The sources of systems, and what they keep."""

import pytest

from tests.fake_world.world import FakeSystem, World
from tests.snapshots import source
from workspace_manager.contract.errors import Invalid
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.guarded_system import GuardedSystem
from workspace_manager.snapshots.sources import find_source
from workspace_manager.systems import registry


def connected(name: str) -> tuple[FakeSystem, ConnectedSystems]:
    brought = FakeSystem(World(), name)
    guarded = GuardedSystem(registry().specs[name], brought)
    return brought, ConnectedSystems(by_name={name: guarded}, settings={})


def test_it_is_made_of_what_connect_gave(
    content: dict[str, source.Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []

    def connect(system: object) -> source.MemorySource:
        given.append(system)
        return source.MemorySource()

    monkeypatch.setattr(source, "connect", connect)
    brought, systems = connected("sql_server")
    assert isinstance(find_source("sql_database", systems), source.MemorySource)
    assert given == [brought]


def test_a_system_without_one_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    source.keep_nothing("triplestore", monkeypatch)
    with pytest.raises(Invalid, match="not made by this version"):
        find_source("triplestore_repository", connected("triplestore")[1])


def test_one_that_is_not_connected_says_so() -> None:
    with pytest.raises(Invalid, match="not configured"):
        find_source("sql_database", ConnectedSystems(by_name={}, settings={}))
