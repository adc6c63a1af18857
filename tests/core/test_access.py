"""The one policy: every visitor, every kind of thing, what may be seen, changed and copied.

See docs/explanation/permissions.md#the-policy.
"""

from typing import Any

import pytest

from workspace_manager.contract.secret import Secret
from workspace_manager.core import access
from workspace_manager.records.models import (
    Component,
    Membership,
    Person,
    Project,
    ServiceKey,
    Snapshot,
    Stack,
)

TABLE = """
#             owner  member stranger administrator
project       vc     v      -        vc
component     vcs    v      -        vcs
stack         vcs    v      -        vcs
alone         vcs    -      -        vcs
snapshot      vc     -      -        vc
service_key   vc     -      -        -
"""
"""v: sees it · c: changes and deletes it · s: makes a snapshot of it. `alone`: a component without
project.
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()[1:]]


@pytest.fixture
def things(alice: Person, bob: Person) -> dict[str, Any]:
    project = Project.objects.create(owner=alice, label="Herbarium")
    Membership.objects.create(project=project, person=bob)
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
    letters = "v" if access.may_view(person, thing) else ""
    letters += "c" if access.may_change(person, thing) else ""
    if isinstance(thing, Component | Stack):
        letters += "s" if access.may_snapshot(person, thing) else ""
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
    got = [may(person, things[name]) for person in (alice, bob, charlie, ada)]
    assert got == wished


@pytest.mark.parametrize("state", [Person.State.SUSPENDED, Person.State.LEAVING])
def test_who_is_not_active_may_nothing(things: dict[str, Any], alice: Person, state: str) -> None:
    alice.state = state
    assert {may(alice, thing) for thing in things.values()} == {"-"}


def test_what_is_used_follows_from_all_memberships(
    things: dict[str, Any], alice: Person, bob: Person, charlie: Person
) -> None:
    component, kind = things["component"], Component.Kind.SQL_DATABASE
    assert access.used_by(bob, kind) == []  # not made yet
    component.state = Component.State.READY
    component.save()
    assert access.used_by(bob, kind) == [component]
    assert access.used_by(alice, kind) == []  # the owner's own
    assert access.used_by(charlie, kind) == []
    Person.objects.filter(id=alice.id).update(state=Person.State.LEAVING)
    assert access.used_by(bob, kind) == []
    assert access.ontology_permission(bob, Project.objects.get()) == ""
