"""A person who loses something by somebody else is told, once, in their own language."""

import pytest
from django.db import transaction

from tests.fake_world.people import here, make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.visitors import BACKEND, Visitor
from tests.work.shared_project import join, make, project_of
from workspace_manager.access import tokens
from workspace_manager.core.refusal import Refused
from workspace_manager.people import permissions, roles, suspend
from workspace_manager.people.suspension_terms import Terms
from workspace_manager.records.models import Mail, Membership, Person, Plan, Project
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work import components, memberships, projects

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = "root-admin"


@pytest.fixture
def alice(world: World) -> Person:
    make_person(ROOT, sub="admin-sub", role="administrator")
    return here(world, "alice")


@pytest.fixture
def bob(world: World) -> Person:
    """Who reads German."""
    bob = here(world, "bob")
    bob.locale = "de"
    bob.save()
    return bob


@pytest.fixture
def carol(world: World) -> Person:
    return here(world, "carol")


@pytest.fixture
def herbarium(alice: Person, bob: Person, carol: Person, world: World) -> Project:
    """alice's, with bob and carol; each has a database in it."""
    project = project_of(alice, "Herbarium")
    for member in (bob, carol):
        join(world, project, member)
    for owner, label in ((alice, "Ferns"), (bob, "Mosses")):
        make(world, owner, "sql_database", project, label=label)
    Mail.objects.all().delete()
    return project


def letters(to: Person) -> list[Mail]:
    return list(Mail.objects.filter(person=to, kind="happened").order_by("id"))


def only(to: Person) -> Mail:
    (letter,) = letters(to)
    return letter


def on_page(person: Person) -> str:
    visitor = Visitor(person)
    visitor.force_login(person, backend=BACKEND)
    return visitor.get("/").content.decode()


def removed(name: str, world: World, **more: object) -> Plan:
    systems = world.systems()
    plan = draft_removal(name, actor=ROOT, systems=systems)
    wanted = {"digest": plan.digest, "actor": ROOT, "systems": systems, **more}
    approve_removal(plan.id, **wanted)  # type: ignore[arg-type]
    return approve_removal(plan.id, **wanted)  # type: ignore[arg-type]


def test_who_leaves_ends_a_project(
    alice: Person, bob: Person, carol: Person, herbarium: Project, world: World
) -> None:
    foreign = project_of(carol, "Garden")
    join(world, foreign, alice)
    make(world, alice, "sql_database", foreign, label="Seeds")
    Mail.objects.all().delete()
    removed("alice", world)
    work(world)
    letter = only(bob)
    assert letter.to == "bob@example.org"
    assert "alice verlässt den Arbeitsbereich" in letter.subject
    assert "Projekt „Herbarium“" in letter.text
    assert "„Mosses“ bleibt" in letter.text
    assert "Ferns" not in letter.text, "it ends with the project"
    letter = only(carol)
    assert "“Herbarium”" in letter.text
    assert "“Seeds” in the project “Garden”" in letter.text
    assert not letters(Person.objects.get(username=ROOT))
    assert "Herbarium" in on_page(bob)
    assert "alice verlässt den Arbeitsbereich" in on_page(bob)
    assert "Garden" in on_page(carol)


def test_a_hand_over_is_told_to_old_and_new_owner_and_members(
    alice: Person, bob: Person, carol: Person, herbarium: Project, world: World
) -> None:
    removed("alice", world, transfer={str(herbarium.id): "bob"})
    told = letters(bob)
    assert ["gehört jetzt Ihnen" in one.subject for one in told].count(True) == 1
    assert "belongs to bob now" in only(alice).subject
    member, ends = letters(carol)
    assert "belongs to bob now. You stay a member" in member.subject
    assert "“Ferns” in the project “Herbarium”" in ends.text
    assert not any("das Projekt „Herbarium“" in one.text for one in told[1:])


def test_what_is_not_approved_tells_nobody(
    alice: Person, bob: Person, herbarium: Project, world: World
) -> None:
    plan = draft_removal("alice", actor=ROOT, systems=world.systems())
    with pytest.raises(Refused):
        approve_removal(plan.id, digest="another", actor=ROOT, systems=world.systems())
    assert not letters(bob)


@pytest.mark.parametrize("by", ["alice", ROOT])
def test_a_deleted_project(
    by: str, alice: Person, bob: Person, carol: Person, herbarium: Project, world: World
) -> None:
    projects.delete(herbarium, actor=by, systems=world.systems())
    with pytest.raises(Refused):
        projects.delete(herbarium, actor=by, systems=world.systems())
    work(world)
    assert not Project.objects.filter(label="Herbarium").exists()
    assert f"{by} hat das Projekt „Herbarium“ gelöscht" in only(bob).subject
    assert "„Mosses“ bleibt" in only(bob).text
    assert "deleted the project “Herbarium”, of which you were a member." in only(carol).subject
    assert len(letters(alice)) == int(by == ROOT)


@pytest.mark.parametrize("by", ["bob", ROOT])
def test_a_deleted_component(
    by: str, alice: Person, bob: Person, carol: Person, herbarium: Project, world: World
) -> None:
    component = bob.components.get()
    components.delete(component, actor=by, systems=world.systems())
    work(world)
    for reader in (alice, carol):
        assert f"{by} deleted “Mosses” in the project “Herbarium”" in only(reader).subject
    assert len(letters(bob)) == int(by == ROOT)


def test_a_component_that_is_moved_out(
    alice: Person, bob: Person, carol: Person, herbarium: Project, world: World
) -> None:
    component = bob.components.get()
    root = Person.objects.get(username=ROOT)
    components.move(component, herbarium, by=root, systems=world.systems())
    assert not Mail.objects.filter(kind="happened").exists()
    components.move(component, None, by=root, systems=world.systems())
    assert "removed “Mosses” from the project “" in only(carol).subject
    assert "hat Ihre Komponente „Mosses“ aus dem Projekt „Herbarium“ entfernt." in only(bob).subject


def test_who_is_taken_out_and_who_leaves(
    alice: Person, bob: Person, carol: Person, herbarium: Project, world: World
) -> None:
    memberships.end(herbarium, carol, actor="alice", systems=world.systems())
    assert only(carol).subject == "alice removed you from the project “Herbarium”."
    assert not letters(alice)
    assert not letters(bob)
    memberships.end(herbarium, bob, actor="bob", systems=world.systems())
    assert "bob left the project “Herbarium”." in only(alice).subject
    assert "“Mosses”" in only(alice).text
    assert not letters(bob)


def test_a_lower_role(alice: Person, bob: Person, herbarium: Project, world: World) -> None:
    for role in ("manage", "read", "read"):
        memberships.change_role(herbarium, bob, role, by=alice, systems=world.systems())
    assert "alice hat Ihre Rolle im Projekt" in only(bob).subject
    assert Membership.objects.get(person=bob).role == "read"


def test_who_asked_and_is_turned_down(alice: Person, bob: Person) -> None:
    asked = memberships.ask(project_of(alice, "Herbarium"), bob)
    memberships.reject(asked.id, actor="alice")
    with pytest.raises(Refused):
        memberships.reject(asked.id, actor="alice")
    assert "alice hat Ihre Anfrage zum Projekt „" in only(bob).subject


def test_a_suspension_once_it_stands_and_its_end(alice: Person, bob: Person, world: World) -> None:
    suspend.suspend("bob", actor=ROOT, systems=world.systems(), terms=Terms(reason="Verdacht"))
    assert not letters(bob), "doors are still open"
    work(world)
    assert "gesperrt" in only(bob).text
    assert "Verdacht" not in only(bob).text
    again = Terms(reason="Another reason")
    suspend.suspend("bob", actor=ROOT, systems=world.systems(), terms=again)
    work(world)
    only(bob)
    suspend.resume("bob", actor=ROOT, systems=world.systems())
    work(world)
    assert "Ihr Zugang zum Arbeitsbereich ist wiederhergestellt." in letters(bob)[-1].text
    assert len(letters(bob)) == 2
    suspend.suspend("bob", actor=ROOT, systems=world.systems())
    work(world)
    assert len(letters(bob)) == 3, "another suspension"


def test_what_somebody_else_takes_from_ones_rights(alice: Person, bob: Person) -> None:
    permissions.let_have("bob", {"administer_projects": None}, actor=ROOT)
    permissions.let_have("bob", {}, actor=ROOT)
    token, _ = tokens.create(bob, name="laptop", actor="bob")
    tokens.revoke(token, actor=ROOT)
    token, _ = tokens.create(bob, name="own", actor="bob")
    tokens.revoke(token, actor="bob")
    roles.make_administrator("bob", actor=ROOT)
    roles.make_user("bob", actor=ROOT)
    taken = [one.subject for one in letters(bob)]
    assert len(taken) == 3
    assert "administer_projects" in taken[0]
    assert "„laptop“" in taken[1]
    assert "Administratorrolle entzogen" in taken[2]


def test_what_is_undone_is_told_to_nobody(
    alice: Person, bob: Person, herbarium: Project, world: World
) -> None:
    with transaction.atomic():
        projects.delete(herbarium, actor="alice", systems=world.systems())
        transaction.set_rollback(True)
    assert not letters(bob)
    projects.delete(herbarium, actor="alice", systems=world.systems())
    only(bob)


def test_without_an_address_it_stands_on_the_page(
    alice: Person, bob: Person, herbarium: Project, world: World
) -> None:
    Person.objects.filter(id=bob.id).update(email="")
    projects.delete(herbarium, actor="alice", systems=world.systems())
    assert not letters(bob)
    assert "alice hat das Projekt „Herbarium“ gelöscht" in on_page(Person.objects.get(id=bob.id))
