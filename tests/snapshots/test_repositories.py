"""The life of a snapshot of a repository, by plans, on the stand-in of the triplestore: nothing
is needed but Python, as in the demo.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

import httpx
import pyoxigraph as ox
import pytest
import zstandard

from tests.fake_world.people import here, make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from workspace_manager.contract.connector import System
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.guarded_system import GuardedSystem
from workspace_manager.records.models import Component, Person, Plan, Snapshot
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.snapshots import creation, restoration, verification
from workspace_manager.snapshots.download import read_download
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.systems import registry
from workspace_manager.systems.triplestore.settings import Settings
from workspace_manager.web.snapshot_download import file_name, open_download
from workspace_manager.wiring import resolve
from workspace_manager.work import components
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "canary-of-repositories"
CONTENT = b"""_:a <http://e/knows> _:b <http://e/g> .
_:b <http://e/name> "Gr\\u00fcn"@de <http://e/g> .
<http://e/s> <http://e/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
"""


@dataclass
class GraphWorld(World):
    """A world in memory whose triplestore is a stand-in."""

    stand_in: TriplestoreStandIn | None = field(default=None, kw_only=True)

    def systems(self) -> ConnectedSystems:
        assert self.stand_in
        found, spec = super().systems(), registry().specs["triplestore"]
        settings = Settings(
            url=self.stand_in.url, admin_username="admin", admin_password=Secret(PASSWORD)
        )
        # In place: the store of snapshots was lent these.
        system = GuardedSystem(spec, spec.connector()(settings, resolve))
        cast(dict[str, System], found.by_name)["triplestore"] = system
        cast(dict[str, SystemSettings], found.settings)["triplestore"] = settings
        return found


@pytest.fixture
def stand_in() -> Iterator[TriplestoreStandIn]:
    found = TriplestoreStandIn(admin_password=PASSWORD)
    with running(found):
        yield found


def finish(world: World, *rows: Component | Snapshot) -> None:
    work(world)
    plans = Plan.objects.filter(belongs_to=None).exclude(state=Plan.State.DONE)
    stuck = [(p.kind, step.name, str(step.reason)) for p in plans for step in p.steps.all()]
    assert not stuck
    for row in rows:
        row.refresh_from_db()
        assert row.state == "ready"


def send(component: Component, content: bytes, method: str = "POST") -> None:
    headers = {"Content-Type": "application/n-quads"}
    where = f"{component.address}/statements"
    sent = httpx.request(method, where, content=content, headers=headers, auth=("admin", PASSWORD))
    sent.raise_for_status()


def read(component: Component) -> set[ox.Quad]:
    """Whatever its blank nodes are called."""
    headers = {"Accept": "application/n-quads"}
    where = f"{component.address}/statements"
    answer = httpx.get(where, headers=headers, auth=("admin", PASSWORD))
    return understood(answer.raise_for_status().content)


def understood(content: bytes) -> set[ox.Quad]:
    found = ox.Dataset(ox.parse(content, format=ox.RdfFormat.N_QUADS))
    found.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return set(found)


def test_from_its_making_to_the_last_trace(
    snapshot_store: SnapshotStore, stand_in: TriplestoreStandIn
) -> None:
    world = GraphWorld(stand_in=stand_in)
    make_person("root-admin", sub="admin-sub", role="administrator")
    owner = here(world, "alice")
    ferns, _ = components.create(
        owner,
        kind="triplestore_repository",
        label="Ferns",
        project=None,
        systems=world.systems(),
    )
    finish(world, ferns)
    send(ferns, CONTENT)
    before = read(ferns)

    snapshot, _ = creation.create(ferns, actor="alice", systems=world.systems())
    finish(world, snapshot)
    assert snapshot.consistent
    assert snapshot.content_bytes > len(before)
    assert verification.verify(snapshot).ok
    download = open_download(snapshot, "")
    packed = b"".join(read_download(download.reader, 0, download.size))
    with zstandard.ZstdDecompressor().stream_reader(
        io.BytesIO(packed), read_across_frames=True
    ) as unpacked:
        assert understood(unpacked.read()) == before
    assert file_name(snapshot, open_reader(snapshot)).endswith(".nq.zst")

    send(ferns, b'<http://e/only> <http://e/p> "this" .\n', "PUT")
    again, _ = restoration.restore_as_new(
        snapshot, label="Again", project=None, actor="alice", systems=world.systems()
    )
    finish(world, again)
    assert read(again) == before != read(ferns)

    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    finish(world)
    assert not Person.objects.filter(username="alice").exists()
    assert not Snapshot.objects.exists()
    assert list(snapshot_store.names()) == []
    assert stand_in.state["stored"] == {}
