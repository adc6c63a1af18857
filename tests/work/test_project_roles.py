"""The rights of a role in the systems, and their change with the role."""

import uuid
from typing import Any

import pytest

from tests.fake_world.people import here
from tests.fake_world.work import work
from tests.fake_world.world import World
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import (
    AuditEntry,
    Component,
    Invitation,
    Membership,
    Person,
    Plan,
    Project,
)
from workspace_manager.work import components, invitations, memberships

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def project(world: World) -> Project:
    """alice's, with a database and a repository; bob is here."""
    here(world, "bob")
    project = Project.objects.create(
        owner=here(world, "alice"),
        label="Finds",
        ontology_mark=uuid.uuid4().hex,
        ontology_project_id=str(uuid.uuid4()),
    )
    for kind in ("sql_database", "triplestore_repository"):
        components.create(
            project.owner, kind=kind, label="x", project=project, systems=world.systems()
        )
    work(world)
    return project


def read_access(world: World, project: Project, name: str) -> tuple[Any, ...]:
    """What somebody may do with the database, with the repository and with the ontology."""
    database = Component.objects.get(kind="sql_database")
    grant = world.things.get(f"sql_server.grant:{database.name} {name}")
    account = world.things.get(f"triplestore.user:{name}") or {"authorities": []}
    rights = sorted(right.split("_REPO")[0] for right in account["authorities"] if "REPO" in right)
    editor = f"ontology_editor.membership:{project.ontology_project_id} {name}"
    return grant and grant["use"], rights, (world.things.get(editor) or {}).get("permission")


READER = ("read", ["READ"], "VIEW")
WRITER = ("write", ["READ", "WRITE"], "EDIT")
NOTHING: tuple[Any, ...] = (None, [], None)


def test_access_is_what_the_role_says_after_each_change(project: Project, world: World) -> None:
    bob, alice = Person.objects.get(username="bob"), project.owner
    systems = world.systems()
    memberships.add(project, bob, actor="alice", systems=systems, role="read")
    work(world)
    assert read_access(world, project, "bob") == READER
    for role, wished in (("write", WRITER), ("read", READER), ("manage", WRITER), ("read", READER)):
        member, plan = memberships.change_role(project, bob, role, by=alice, systems=systems)
        assert (member.role, plan and plan.kind) == (role, "access.settle")
        assert memberships.change_role(project, bob, role, by=alice, systems=systems)[1] is None
        work(world)
        assert read_access(world, project, "bob") == wished, role
    memberships.end(project, bob, actor="alice", systems=systems)
    work(world)
    assert read_access(world, project, "bob") == NOTHING
    assert not Plan.objects.filter(belongs_to=None).exclude(state=Plan.State.DONE).exists()
    noted = AuditEntry.objects.filter(event="membership:role_changed").order_by("id")
    assert [(row.details["before"], row.details["role"]) for row in noted] == [
        ("read", "write"),
        ("write", "read"),
        ("read", "manage"),
        ("manage", "read"),
    ]


def test_each_membership_gives_what_its_own_role_says(project: Project, world: World) -> None:
    """One account, two projects: the rights of both; the lower role takes nothing away."""
    bob, systems = Person.objects.get(username="bob"), world.systems()
    other = Project.objects.create(owner=project.owner, label="Other", ontology_mark="m")
    made, _ = components.create(
        project.owner,
        kind="triplestore_repository",
        label="y",
        project=other,
        systems=systems,
    )
    work(world)
    memberships.add(project, bob, actor="alice", systems=systems)
    memberships.add(other, bob, actor="alice", systems=systems, role="read")
    work(world)
    first = Component.objects.get(kind="triplestore_repository", label="x")
    both = {f"READ_REPO_{one.name}" for one in (first, made)} | {f"WRITE_REPO_{first.name}"}
    assert {*world.things["triplestore.user:bob"]["authorities"]} - {"ROLE_USER"} == both
    memberships.end(other, bob, actor="alice", systems=systems)
    work(world)
    assert read_access(world, project, "bob") == WRITER


def test_the_role_that_counts_is_the_one_at_the_moment_of_acting(
    project: Project, world: World
) -> None:
    """Two changes before the first plan ran: both plans bring about the last."""
    bob, systems = Person.objects.get(username="bob"), world.systems()
    memberships.add(project, bob, actor="alice", systems=systems)
    memberships.change_role(project, bob, "read", by=project.owner, systems=systems)
    work(world)
    assert read_access(world, project, "bob") == READER


def test_an_old_invitation_gives_no_role_back_that_was_taken(
    project: Project, world: World
) -> None:
    bob, systems = Person.objects.get(username="bob"), world.systems()
    owner = project.owner
    by_address = invitations.invite(project, email=bob.email, by=owner, role="manage")
    by_name = invitations.invite(project, username="bob", by=owner, role="manage")
    assert invitations.invite(project, username="bob", by=project.owner) == by_name
    again = invitations.invite(project, username="bob", by=project.owner, role="read")
    assert (again.id, again.role) == (by_name.id, "read")
    memberships.add(project, bob, actor="alice", systems=systems, role="read")
    assert Invitation.objects.count() == 2
    joined = invitations.accept(by_address.id, bob, systems=systems)
    assert joined.role == Membership.objects.get().role == "read"


def test_nobody_changes_the_role_of_who_is_being_removed(project: Project, world: World) -> None:
    bob, systems = Person.objects.get(username="bob"), world.systems()
    memberships.add(project, bob, actor="alice", systems=systems)
    Person.objects.filter(id=bob.id).update(state=Person.State.LEAVING)
    with pytest.raises(Refused):
        memberships.change_role(project, bob, "read", by=project.owner, systems=systems)
    Person.objects.filter(id=bob.id).update(state=Person.State.SUSPENDED)
    member, _ = memberships.change_role(project, bob, "read", by=project.owner, systems=systems)
    assert member.role == "read"
    with pytest.raises(Membership.DoesNotExist):
        memberships.change_role(project, project.owner, "read", by=project.owner, systems=systems)
