"""A store that refuses our credential is not called until it lets us in again; what waited goes on
by itself.
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from django.conf import LazySettings

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots.bucket import Bucket
from tests.snapshots.test_plans import Killed, make
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.core import wake
from workspace_manager.core.clock import database_now
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.pause import paused_systems
from workspace_manager.operations import health
from workspace_manager.operations.health_findings import open_findings
from workspace_manager.records.models import Component, Health, Person, Plan, SystemStatus
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.snapshots import deletion, store_health
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots_settings import SnapshotsLocation

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bucket(settings: LazySettings) -> Iterator[Bucket]:
    with Bucket().running() as running:
        settings.SNAPSHOTS = running.location
        yield running


def look() -> None:
    """As the worker does; the last look was long ago."""
    long_ago = database_now() - timedelta(days=1)
    SystemStatus.objects.filter(system="snapshots").update(checked_at=long_ago)
    store_health.look()


def test_a_removal_waits_for_a_store_where_our_key_may_not_delete(
    database: Component, owner: Person, world: World, bucket: Bucket
) -> None:
    make(world, database)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    bucket.status, bucket.code, bucket.methods = 403, "AccessDenied", ("DELETE",)
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    assert plan.steps.get(name="delete_records").state == "stuck"
    assert "refused" in paused_systems()["snapshots"].english
    asked = len(bucket.asked)
    work(world)
    assert len(bucket.asked) == asked
    look()
    assert "snapshots" in paused_systems()

    bucket.status = 0
    look()
    assert paused_systems() == {}
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert bucket.objects == {}
    assert not Person.objects.filter(username="alice").exists()


def test_where_nobody_has_said_where_it_is_none_is_created(
    database: Component, world: World, settings: LazySettings
) -> None:
    settings.SNAPSHOTS = SnapshotsLocation()
    with pytest.raises(Refused, match="nobody has said where snapshots lie"):
        make(world, database)
    look()
    [found] = store_health.findings()
    assert found.severity == Severity.WARNING
    assert found.message
    assert found.message.code == "snapshots_store.not_set"
    assert "Set WORKSPACE_SNAPSHOTS_URL" in found.remedy
    assert "nobody has said" in CliRunner().invoke(main, ["check"]).output


def test_a_refusal_of_one_object_is_of_that_alone(
    database: Component, world: World, bucket: Bucket
) -> None:
    """Somebody put a lock on it, for example: everything else goes on."""
    snapshot = make(world, database)
    bucket.locked = snapshot.place
    deletion.delete(snapshot, actor="alice", systems=world.systems())
    work(world)
    assert paused_systems() == {}
    assert Plan.objects.get(kind="snapshot.delete").state == Plan.State.STUCK


def test_who_looks_at_systems_leaves_the_store_alone(world: World) -> None:
    """It stands in no list of systems; a refusal has somebody look all the same."""
    health.bring_forward("snapshots", why=wake.REFUSED)
    assert health.look("snapshots", world.systems()) is None
    assert not Health.objects.filter(system="snapshots").exists()


def only() -> Finding:
    [found] = store_health.findings()
    return found


def test_what_a_killed_try_left_goes_with_the_next_one(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(SnapshotStore, "get", _die)
        with pytest.raises(Killed):
            store_health.findings()
    assert len(bucket.objects) == 1
    assert only().severity is Severity.OK
    assert bucket.objects == {}


def _die(*_: object) -> bytes:
    raise Killed


@pytest.mark.parametrize(
    ("status", "code", "methods", "found"),
    [
        (403, "AccessDenied", ("PUT",), "snapshots_store.refused"),
        (403, "AccessDenied", ("GET",), "snapshots_store.refused"),
        (403, "AccessDenied", ("DELETE",), "snapshots_store.refused"),
        (403, "RequestTimeTooSkewed", ("PUT",), "snapshots_store.clock_differs"),
        (507, "InsufficientStorage", ("PUT",), "snapshots_store.full"),
        (503, "SlowDown", ("PUT",), "snapshots_store.no_answer"),
    ],
)
def test_what_is_wrong_with_a_bucket_is_named(
    bucket: Bucket, status: int, code: str, methods: tuple[str, ...], found: str
) -> None:
    bucket.status, bucket.code, bucket.methods = status, code, methods
    said = only()
    assert said.severity is Severity.FAILING
    assert said.message
    assert said.message.code == found
    assert said.remedy


def test_a_folder_that_cannot_be_made_is_named_everywhere(
    settings: LazySettings, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    settings.SNAPSHOTS = SnapshotsLocation(folder=tmp_path / "file" / "kept")
    store_health.look()
    [row] = open_findings("snapshots")
    assert row.key.endswith("|snapshots_store.folder_fails")
    typed = CliRunner().invoke(main, ["check"])
    assert typed.exit_code == 1
    assert "the folder of snapshots cannot be used (File exists)" in " ".join(typed.output.split())
    settings.SNAPSHOTS = SnapshotsLocation(folder=tmp_path / "kept")
    look()
    row.refresh_from_db()
    assert row.closed_at
    assert list((tmp_path / "kept").iterdir()) == []


def test_it_is_not_looked_at_each_minute(bucket: Bucket) -> None:
    store_health.look()
    asked = len(bucket.asked)
    assert asked
    store_health.look()
    assert len(bucket.asked) == asked
