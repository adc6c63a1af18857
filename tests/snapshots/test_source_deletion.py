"""A component, a stack or a project is deleted: its snapshots stay, or are deleted with it."""

import html

import pytest
from django.urls import reverse

from tests.fake_world.people import here
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.conftest import TABLES
from tests.snapshots.test_doors import signed_in
from tests.snapshots.test_plans import make
from tests.visitors import Visitor
from tests.web.api.documents import problem
from tests.web.pages import scenes
from workspace_manager.contract.message import in_words
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import (
    AuditEntry,
    Component,
    Permission,
    Person,
    Plan,
    Project,
    Snapshot,
    SnapshotSchedule,
    Stack,
)
from workspace_manager.snapshots import creation, restoration, schedule, source_deletion
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.work import components, stacks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def snapshot(database: Component, world: World, snapshot_store: SnapshotStore) -> Snapshot:
    scenes.set_up_systems("sql_server", "triplestore")
    return make(world, database)


@pytest.fixture
def as_owner(owner: Person) -> Visitor:
    return signed_in(owner)


def read_remarks(plan: Plan) -> list[str]:
    plan.refresh_from_db()
    return [in_words(one) for one in plan.remarks]


def delete(component: Component, world: World, **more: bool) -> Plan:
    owner = component.owner
    return source_deletion.delete_component(component, by=owner, systems=world.systems(), **more)


def test_snapshots_stay_and_the_plan_names_them(
    snapshot: Snapshot, database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    schedule.set_schedule(database, every="day", keep=2, actor="alice", systems=world.systems())
    Snapshot.objects.filter(id=snapshot.id).update(bytes=2048)
    plan = delete(database, world)
    assert not SnapshotSchedule.objects.exists()
    assert AuditEntry.objects.filter(event="snapshot:schedule_ended").count() == 1
    total, one, ended = read_remarks(plan)
    assert total == "1 snapshot is kept, 2.0 KB in the store."
    assert one.startswith("Snapshot “Monday” of “Herbarium”, ")
    assert one.endswith(": 2.0 KB.")
    assert ended == "The schedule of “Herbarium” ends."
    work(world)
    assert not Component.objects.exists()
    snapshot.refresh_from_db()
    assert (snapshot.state, snapshot.component) == ("ready", None)
    assert list(snapshot_store.names())


def test_they_are_deleted_with_it_content_first(
    snapshot: Snapshot, database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    plan = delete(database, world, delete_snapshots=True)
    snapshot.refresh_from_db()
    assert snapshot.state == Snapshot.State.DELETING
    assert read_remarks(plan)[0].startswith("1 snapshot is deleted with its content")
    [step] = [one for one in plan.document["steps"] if one["name"] == "delete_snapshots"]
    kinds = [(one["change"]["kind"], one["needs"]) for one in step["changes"]]
    assert kinds == [("snapshots.content", []), ("records.snapshot", [0])]
    last = plan.document["steps"][-1]
    assert (last["name"], step["n"] in last["needs"]) == ("delete_record", True)
    work(world)
    assert Plan.objects.get(id=plan.id).state == Plan.State.DONE
    assert list(snapshot_store.names()) == []
    assert not Snapshot.objects.exists()
    assert not Component.objects.exists()


def test_what_is_not_finished_goes_with_what_it_is_made_of(
    database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    """Nothing of a component that is gone can be read to the end."""
    begun, making = creation.create(database, actor="alice", systems=world.systems())
    plan = delete(database, world)
    making.refresh_from_db()
    assert making.state == Plan.State.SUPERSEDED
    assert read_remarks(plan)[1].endswith(": not finished.")
    work(world)
    assert not Snapshot.objects.filter(id=begun.id).exists()
    assert list(snapshot_store.names()) == []
    assert Plan.objects.get(id=plan.id).state == Plan.State.DONE


def test_a_component_that_is_deleted_while_it_is_read_leaves_nothing(
    database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    """The capture is in the middle of the content when the deletion is ordered."""

    def meanwhile(_verb: str) -> None:
        source.MEANWHILE.clear()
        delete(database, world)

    source.MEANWHILE.append(meanwhile)
    creation.create(database, actor="alice", systems=world.systems())
    for _ in range(3):
        Plan.objects.exclude(state__in=Plan.CLOSED).update(due_at="2020-01-01T00:00Z")
        work(world)
    assert not Snapshot.objects.exists()
    assert not Component.objects.exists()
    assert list(snapshot_store.names()) == []
    open_plans = Plan.objects.filter(state__in=Plan.OPEN)
    assert not open_plans.exists()


def test_one_that_is_being_restored_holds_the_deletion_up(
    snapshot: Snapshot, database: Component, owner: Person, world: World
) -> None:
    systems = world.systems()
    restoration.restore_as_new(
        snapshot, label="Again", project=None, actor="alice", systems=systems
    )
    with pytest.raises(Refused, match="is being brought back"):
        delete(database, world, delete_snapshots=True)
    database.refresh_from_db()
    assert database.state == Component.State.READY
    work(world)
    delete(database, world, delete_snapshots=True)
    work(world)
    assert [one.label for one in Component.objects.all()] == ["Again"]
    assert source.CONTENT[Component.objects.get().address] == TABLES


def test_a_stack_ends_those_of_its_parts(
    owner: Person, world: World, content: dict[str, source.Tables], snapshot_store: SnapshotStore
) -> None:
    stack, _ = stacks.create(
        owner, label="Herbs", project=None, wanted=None, systems=world.systems()
    )
    work(world)
    part = Component.objects.get(kind="sql_database")
    content[part.address] = dict(TABLES)
    schedule.set_schedule(part, every="day", keep=2, actor="alice", systems=world.systems())
    make(world, part)
    plan = source_deletion.delete_stack(
        Stack.objects.get(id=stack.id), by=owner, systems=world.systems(), delete_snapshots=True
    )
    assert not SnapshotSchedule.objects.exists()
    assert read_remarks(plan)[-1] == "The schedule of “Herbs” ends."
    work(world)
    assert Plan.objects.get(id=plan.id).state == Plan.State.DONE
    assert not Snapshot.objects.exists()
    assert not Stack.objects.exists()
    assert list(snapshot_store.names()) == []


@pytest.mark.parametrize("too", [False, True], ids=["kept", "deleted"])
def test_a_project_leaves_its_components_and_their_schedules(
    snapshot: Snapshot,
    database: Component,
    owner: Person,
    world: World,
    snapshot_store: SnapshotStore,
    too: bool,
) -> None:
    project = Project.objects.create(owner=owner, label="Garden")
    Component.objects.filter(id=database.id).update(project=project)
    schedule.set_schedule(database, every="day", keep=2, actor="alice", systems=world.systems())
    plan = source_deletion.delete_project(
        project, by=owner, systems=world.systems(), delete_snapshots=too
    )
    assert len(read_remarks(plan)) == 2
    assert ("is deleted" if too else "is kept") in read_remarks(plan)[0]
    work(world)
    assert not Project.objects.filter(id=project.id).exists()
    assert Component.objects.get().state == Component.State.READY
    assert SnapshotSchedule.objects.count() == 1
    assert Snapshot.objects.exists() is not too
    assert bool(list(snapshot_store.names())) is not too


def test_who_administers_components_alone_deletes_no_snapshots(
    snapshot: Snapshot, database: Component, world: World
) -> None:
    carl = here(world, "carl")
    Permission.objects.create(person=carl, name="administer_components", given_by="root-admin")
    visitor, where = signed_in(carl), f"/components/{database.id}"
    problem(visitor.ask("DELETE", f"{where}?delete_snapshots=true"), 403)
    database.refresh_from_db()
    assert database.state == Component.State.READY
    page = visitor.get(reverse("component", args=[database.id])).content.decode()
    assert 'name="delete_snapshots"' not in page
    assert "of the owner is kept" in page
    assert visitor.ask("DELETE", where).status_code == 202


def test_a_snapshot_of_somebody_elses_is_none_of_its_owners(
    snapshot: Snapshot, database: Component, world: World
) -> None:
    """A snapshot belongs to whoever owned the component when it was made."""
    bob = here(world, "bob")
    Snapshot.objects.filter(id=snapshot.id).update(owner=bob)
    plan = delete(database, world, delete_snapshots=True)
    assert read_remarks(plan) == []
    work(world)
    assert Snapshot.objects.get().owner == bob


def test_by_rest(snapshot: Snapshot, database: Component, as_owner: Visitor, world: World) -> None:
    answer = as_owner.ask("DELETE", f"/components/{database.id}?delete_snapshots=true")
    assert answer.status_code == 202
    plan = as_owner.ask("GET", f"/plans/{answer.json()['plan']}").json()
    assert plan["remarks"][0].startswith("1 snapshot is deleted with its content")
    work(world)
    assert not Snapshot.objects.exists()


def test_the_page_asks_and_says_what_stays(
    snapshot: Snapshot, database: Component, as_owner: Visitor, world: World
) -> None:
    Snapshot.objects.filter(id=snapshot.id).update(bytes=2048)
    where = reverse("component", args=[database.id])

    def page() -> str:
        return html.unescape(as_owner.get(where).content.decode()).replace("\xa0", " ")

    assert "Otherwise 1 snapshot (2.0 KB) is kept." in page()
    delete_it = reverse("delete_component", args=[database.id])
    as_owner.post(delete_it, {"confirm": "Herbarium", "delete_snapshots": "on"})
    assert "1 snapshot is deleted with its content, 2.0 KB in the store." in page()
    work(world)
    assert not Snapshot.objects.exists()


def test_the_pages_of_projects_and_stacks_ask_too(
    owner: Person,
    as_owner: Visitor,
    snapshot: Snapshot,
    database: Component,
    world: World,
) -> None:
    project = Project.objects.create(owner=owner, label="Garden")
    stack = Stack.objects.create(owner=owner, label="Herbs", name="st-1", state="ready")
    Component.objects.filter(id=database.id).update(project=project, stack=stack)
    for name, thing in (("stack", stack), ("project", project)):
        page = as_owner.get(reverse(name, args=[thing.id])).content.decode()
        assert 'name="delete_snapshots"' in page, name
    as_owner.post(reverse("delete_project", args=[project.id]), {"confirm": "Garden"})
    page = as_owner.get(reverse("project", args=[project.id])).content.decode()
    assert "1 snapshot is kept" in page
    Component.objects.filter(id=database.id).update(project=None)
    work(world)
    as_owner.post(
        reverse("delete_stack", args=[stack.id]), {"confirm": "Herbs", "delete_snapshots": "on"}
    )
    work(world)
    assert not Snapshot.objects.exists()


def test_a_component_without_snapshots_asks_nothing(
    database: Component, as_owner: Visitor, world: World
) -> None:
    page = as_owner.get(reverse("component", args=[database.id])).content.decode()
    assert "delete_snapshots" not in page
    assert components.delete(database, actor="alice", systems=world.systems()).remarks == []
