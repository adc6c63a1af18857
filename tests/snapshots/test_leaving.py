"""The snapshots of a person who leaves: the preview names each snapshot, and a store that does not
answer is said at every door.
"""

import html

import pytest
from click.testing import CliRunner
from django.conf import LazySettings
from django.urls import reverse

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots.test_doors import signed_in
from tests.snapshots.test_plans import make
from tests.visitors import Visitor
from tests.web.pages import scenes
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.message import in_words
from workspace_manager.core.clock import database_now
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import Component, Person, Plan, Snapshot
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.removal.preview_changes import since_preview
from workspace_manager.snapshots import creation
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots_settings import SnapshotsLocation

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def as_root(owner: Person) -> Visitor:
    scenes.set_up_systems("sql_server")
    return signed_in(Person.objects.get(username="root-admin"))


def draft(world: World) -> Plan:
    return draft_removal("alice", actor="root-admin", systems=world.systems())


def doors(plan: Plan, visitor: Visitor) -> list[str]:
    """What REST, the page and the command line say of the plan."""
    page = visitor.get(reverse("plan", args=[plan.id])).content.decode()
    return [
        str(visitor.ask("GET", f"/plans/{plan.id}").json()),
        html.unescape(page),
        " ".join(CliRunner().invoke(main, ["plans", "show", str(plan.id)]).output.split()),
    ]


def test_the_preview_names_each_snapshot_with_its_size(
    database: Component, world: World, snapshot_store: SnapshotStore, as_root: Visitor
) -> None:
    snapshot = make(world, database)
    Snapshot.objects.filter(id=snapshot.id).update(bytes=3 * 1024 * 1024 // 2)
    creation.create(database, actor="alice", systems=world.systems(), label="Begun")
    plan = draft(world)
    for said in doors(plan, as_root):
        said = said.replace("\xa0", " ")
        assert "2 snapshots are deleted with their content, 1.5 MB in the store" in said
        assert "Snapshot “Monday” of “Herbarium”" in said
        assert ": 1.5 MB." in said
        assert "Snapshot “Begun” of “Herbarium”" in said
        assert ": not finished." in said
    german = [in_words(one, "de") for one in plan.remarks]
    assert "2 Schnappschüsse werden mit ihrem Inhalt gelöscht, 1,5 MB im Speicher." in german


def test_a_preview_without_snapshots_says_nothing_of_them(owner: Person, world: World) -> None:
    assert not [one for one in draft(world).remarks if one.code.startswith("snapshots.")]


def test_one_made_since_the_preview_is_counted_and_costs_nobody_else_anything(
    database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    plan = draft(world)
    make(world, database)
    since = since_preview(plan, world.systems())
    assert since.text == "Since this preview: 1 snapshot."
    assert (since.lost, since.seen) == ((), "")


def test_a_store_that_does_not_answer_is_said_and_asked_again(
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    settings: LazySettings,
    as_root: Visitor,
) -> None:
    snapshot = make(world, database)
    at = settings.SNAPSHOTS
    settings.SNAPSHOTS = SnapshotsLocation(
        bucket="kept", endpoint="http://127.0.0.1:1", access_key="x", secret_key="x"
    )
    plan = draft(world)
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    step = plan.steps.get(name="delete_records")
    assert step.state == "waiting"
    assert step.next_try_at
    assert step.next_try_at > database_now()
    for said in doors(plan, as_root):
        assert "the store of snapshots gave no answer" in said
    assert Snapshot.objects.filter(id=snapshot.id).exists()
    settings.SNAPSHOTS = at
    plan.steps.update(next_try_at=None)
    Plan.objects.filter(id=plan.id).update(due_at="2020-01-01T00:00Z")
    work(world)
    assert list(snapshot_store.names()) == []
    assert Plan.objects.get(id=plan.id).state == Plan.State.DONE


def test_content_goes_before_its_row(
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever is deleted in the store, its row is still there."""
    snapshot = make(world, database)
    rows: list[int] = []
    delete = type(snapshot_store).delete

    def counted(self: SnapshotStore, name: str) -> None:
        rows.append(Snapshot.objects.filter(id=snapshot.id).count())
        delete(self, name)

    monkeypatch.setattr(type(snapshot_store), "delete", counted)
    plan = draft(world)
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    assert rows
    assert set(rows) == {1}
    assert not Snapshot.objects.exists()
    shown = view_plan(Plan.objects.get(id=plan.id))
    assert "Nothing of “Monday” is left in the store." in str(shown.model_dump())
