"""The one policy: every visitor, every kind of thing, what may be seen, changed and copied.

See docs/explanation/permissions.md#the-policy.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from workspace_manager.access import permissions, policy
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import (
    Component,
    Membership,
    Permission,
    Person,
    Project,
    ServiceKey,
    Snapshot,
    Stack,
)

TABLE = """
#             owner  manage write  read   stranger administrator
project       vcmo   vmo    v      v      -        vcmo
component     vcso   v      v      v      -        vcso
stack         vcso   v      v      v      -        vcso
alone         vcso   -      -      -      -        vcso
snapshot      vc     -      -      -      -        vc
service_key   vc     -      -      -      -        -
"""
"""v: sees it · c: changes and deletes it · s: makes a snapshot of it · m: takes people out of it
· o: opens it to more people. `alone`: a component without project.
"""
HELD = """
#                      project component stack alone snapshot service_key
view_components        -       v         -     v     -        -
view_stacks            -       -         v     -     -        -
administer_projects    vcm     -         -     -     -        -
administer_components  -       vcs       -     vcs   -        -
administer_stacks      -       -         vcs   -     -        -
administer_snapshots   -       -         -     -     vc       -
approve_registrations  -       -         -     -     -        -
"""
"""The same of a stranger who was given one permission."""
ROWS = [line.split() for line in TABLE.strip().splitlines()[1:]]


@pytest.fixture
def things(alice: Person, bob: Person) -> dict[str, Any]:
    project = Project.objects.create(owner=alice, label="Herbarium")
    Membership.objects.create(project=project, person=bob)
    for role in (Membership.Role.MANAGE, Membership.Role.READ):
        member = Person.objects.create_user(str(role))
        Membership.objects.create(project=project, person=member, role=role)
    shared = {"owner": alice, "project": project}
    component = Component.objects.create(kind="sql_database", label="Notes", name="ws_a", **shared)
    return {
        "project": project,
        "component": component,
        "stack": Stack.objects.create(label="All", name="st-a", **shared),
        "alone": Component.objects.create(
            owner=alice, kind="sql_database", label="Mine", name="ws_b"
        ),
        "snapshot": Snapshot.objects.create(owner=alice, label="Monday", component=component),
        "service_key": ServiceKey.objects.create(
            owner=alice, label="SQL", system="sql_server", account="alice", secret=Secret("s")
        ),
    }


def may(person: Person, thing: Any) -> str:
    letters = "v" if policy.may_view(person, thing) else ""
    letters += "c" if policy.may_change(person, thing) else ""
    if isinstance(thing, Project):
        letters += "m" if policy.may_manage_members(person, thing) else ""
    if isinstance(thing, Component | Stack):
        letters += "s" if policy.may_snapshot(person, thing) else ""
    if isinstance(thing, Project | Component | Stack):
        letters += "o" if policy.may_open(person, thing) else ""
    return letters or "-"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_who_may_what(
    row: list[str],
    things: dict[str, Any],
    alice: Person,
    bob: Person,
    charlie: Person,
    ada: Person,
) -> None:
    name, *wished = row
    manager, reader = (Person.objects.get(username=name) for name in ("manage", "read"))
    got = [may(person, things[name]) for person in (alice, manager, bob, reader, charlie, ada)]
    assert got == wished


@pytest.mark.parametrize("row", HELD.strip().splitlines()[1:], ids=lambda row: row.split()[0])
def test_a_permission_lets_do_what_it_says_until_it_ends(
    row: str, things: dict[str, Any], charlie: Person
) -> None:
    name, *wished = row.split()
    given = Permission.objects.create(person=charlie, name=name)
    assert [may(charlie, thing) for thing in things.values()] == wished
    nothing = ["-"] * len(wished)
    charlie.limited_to = ()  # a token that may do no more than a user may
    assert [may(charlie, thing) for thing in things.values()] == nothing
    charlie.limited_to, charlie.state = None, Person.State.SUSPENDED
    assert [may(charlie, thing) for thing in things.values()] == nothing
    charlie.state = Person.State.ACTIVE
    given.until = timezone.now() + timedelta(hours=1)
    given.save()
    assert permissions.has(charlie, name)
    given.until = timezone.now() - timedelta(seconds=1)
    given.save()
    assert not permissions.has(charlie, name)
    assert [may(charlie, thing) for thing in things.values()] == nothing


def test_snapshots_are_made_of_what_one_sees(things: dict[str, Any], charlie: Person) -> None:
    for name in ("administer_snapshots", "view_components"):
        Permission.objects.create(person=charlie, name=name)
    assert may(charlie, things["component"]) == "vs"
    assert may(charlie, things["stack"]) == "-"


@pytest.mark.parametrize("state", [Person.State.SUSPENDED, Person.State.LEAVING])
def test_who_is_not_active_may_nothing(things: dict[str, Any], alice: Person, state: str) -> None:
    alice.state = state
    assert {may(alice, thing) for thing in things.values()} == {"-"}


def test_what_is_used_follows_from_all_memberships(
    things: dict[str, Any], alice: Person, bob: Person, charlie: Person
) -> None:
    component, kind = things["component"], Component.Kind.SQL_DATABASE
    assert policy.levels(bob, kind) == {}  # not made yet
    component.state = Component.State.READY
    component.save()
    assert [*policy.levels(bob, kind)] == [component]
    assert policy.level(bob, component) == "write"
    reader, manager = (Person.objects.get(username=name) for name in ("read", "manage"))
    assert (policy.level(reader, component), policy.level(manager, component)) == ("read", "write")
    assert policy.levels(reader, kind) == {component: "read"}
    project = component.project
    held = [policy.ontology_permission(one, project) for one in (alice, manager, bob, reader)]
    assert held == ["MANAGE", "EDIT", "EDIT", "VIEW"]
    assert policy.levels(alice, kind) == {}  # the owner's own
    assert policy.levels(charlie, kind) == {}
    Person.objects.filter(id=alice.id).update(state=Person.State.LEAVING)
    assert policy.levels(bob, kind) == {}
    assert policy.ontology_permission(bob, Project.objects.get()) == ""
