"""A world in memory whose databases have content that can be kept, and an empty store."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import LazySettings

from tests.fake_world.people import here, make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.stack_of_all import SOURCES, keep_everything, make_stack
from tests.web.pages import scenes
from workspace_manager.contract.guarded_spec import guard_spec
from workspace_manager.records.models import Component, Person, Stack
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots.store_access import open_snapshots
from workspace_manager.snapshots_settings import SnapshotsLocation
from workspace_manager.systems import registry
from workspace_manager.work import components

TABLES = {"herbs": ["sage", "thyme"], "ferns": ["maidenhair"]}


@pytest.fixture
def content(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, source.Tables]]:
    """What is in the databases, by address."""
    brought = registry().specs["sql_server"].brought
    assert brought
    spec = guard_spec(replace(brought, snapshots=f"{source.__name__}:connect"))
    monkeypatch.setitem(registry().specs, "sql_server", spec)
    for other in ("triplestore", "container_manager"):
        source.keep_nothing(other, monkeypatch)
    yield source.CONTENT
    source.CONTENT.clear()
    source.MEANWHILE.clear()
    source.SWEPT.clear()


@pytest.fixture
def snapshot_store(settings: LazySettings, tmp_path: Path) -> SnapshotStore:
    settings.SNAPSHOTS = SnapshotsLocation(folder=tmp_path / "kept")
    return open_snapshots()


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def owner(world: World) -> Person:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return here(world, "alice")


@pytest.fixture
def stack(
    owner: Person, world: World, snapshot_store: SnapshotStore, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stack]:
    """A database, a repository and a knowledge stack with content, in one stack that is ready."""
    keep_everything(monkeypatch)
    scenes.set_up_systems(*SOURCES)
    yield make_stack(world, owner)
    source.CONTENT.clear()
    source.MEANWHILE.clear()


@pytest.fixture
def database(owner: Person, world: World, content: dict[str, source.Tables]) -> Component:
    """One that is ready, with two tables."""
    component, _ = components.create(
        owner, kind="sql_database", label="Herbarium", project=None, systems=world.systems()
    )
    work(world)
    component.refresh_from_db()
    content[component.address] = {name: list(rows) for name, rows in TABLES.items()}
    return component
