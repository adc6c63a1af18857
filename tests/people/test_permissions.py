"""Giving single people more than everybody may: by whom, until when, and what it never reaches."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from tests.clock import just_over
from workspace_manager.access import permissions as counting
from workspace_manager.access import tokens
from workspace_manager.contract.secret import Secret
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.people import announcements, approve, permissions, roles, who_decides
from workspace_manager.records.models import (
    Announcement,
    AuditEntry,
    Permission,
    Person,
    Registration,
)

DECIDE = Permission.Name.APPROVE_REGISTRATIONS
VIEW = Permission.Name.VIEW_COMPONENTS


def names(person: Person) -> list[str]:
    return [row.name for row in permissions.held_permissions(person)]


def events(person: Person) -> list[tuple[str, str, str]]:
    rows = AuditEntry.objects.filter(event__startswith="permission:", subject=person.username)
    return [(row.event, row.actor, row.details["permission"]) for row in rows.order_by("id")]


def test_what_is_given_counts_until_it_ends_or_is_taken(ada: Person, bob: Person) -> None:
    soon = timezone.now() + timedelta(hours=1)
    permissions.let_have("bob", {VIEW: soon, DECIDE: None}, actor="ada")
    permissions.let_have("bob", {VIEW: soon, DECIDE: None}, actor="ada")  # again changes nothing
    assert names(bob) == [DECIDE, VIEW]
    permissions.change("bob", give={"view_stacks": None}, take=[DECIDE], actor="ada")
    assert names(bob) == [VIEW, "view_stacks"]
    Permission.objects.filter(name=VIEW).update(until=just_over())
    assert names(bob) == ["view_stacks"]
    assert not counting.has(bob, VIEW)
    permissions.forget_ended()
    permissions.forget_ended()
    assert Permission.objects.count() == 1
    assert events(bob) == [
        ("permission:given", "ada", DECIDE),
        ("permission:given", "ada", VIEW),
        ("permission:taken", "ada", DECIDE),
        ("permission:given", "ada", "view_stacks"),
        ("permission:ended", "manager", VIEW),
    ]


def test_only_administrators_give_and_not_to_themselves(
    ada: Person, alice: Person, bob: Person
) -> None:
    permissions.let_have("bob", dict.fromkeys(permissions.NAMES), actor="ada")
    for whom, actor in (("bob", "bob"), ("alice", "bob"), ("ada", "ada"), ("bob", "alice")):
        with pytest.raises(Refused):
            permissions.let_have(whom, {VIEW: None}, actor=actor)
    assert names(alice) == names(ada) == []
    Person.objects.filter(id=alice.id).update(state=Person.State.LEAVING)
    with pytest.raises(Refused):
        permissions.let_have("alice", {VIEW: None}, actor="ada")
    wrong: list[dict[str, datetime | None]] = [{"rule_all": None}, {VIEW: timezone.now()}]
    for wanted in wrong:
        with pytest.raises(BadInput):
            permissions.let_have("bob", wanted, actor="ada")
    with pytest.raises(BadInput):
        permissions.change("bob", give={VIEW: None}, take=[VIEW], actor="ada")
    assert names(bob) == sorted(permissions.NAMES)  # what was refused changed nothing
    bob.delete()
    assert not Permission.objects.exists()


def test_a_registration_is_decided_by_who_may_and_an_announced_one_by_administrators(
    ada: Person, bob: Person
) -> None:
    asked = Registration.objects.create(username="erin", password_hash=Secret("h"))
    with pytest.raises(Refused, match="may no longer decide about registrations"):
        approve.reject(asked.id, actor="bob", reason="no room")
    Permission.objects.create(person=bob, name=DECIDE)
    roles.make_administrator("erin", actor="ada")
    for decide in (
        lambda: approve.reject(asked.id, actor="bob", reason="no room"),
        lambda: who_decides.refuse_undeciding("bob", asked),
    ):
        with pytest.raises(Refused, match="was announced as an administrator"):
            decide()
    who_decides.refuse_undeciding("ada", asked)
    Announcement.objects.all().delete()
    assert approve.reject(asked.id, actor="bob", reason="no room").decided_by == "bob"
    assert not announcements.find_announcement("erin")


def test_a_token_of_a_holder_does_what_its_scope_says_and_does_not_grow(
    ada: Person, bob: Person
) -> None:
    with pytest.raises(BadInput):
        tokens.create(bob, name="x", actor="bob", scope="administration")
    Permission.objects.create(person=bob, name=VIEW)
    with pytest.raises(BadInput):
        tokens.create(bob, name="x", actor="bob", scope="operation")
    assert tokens.widest_scope(bob) == "administration"
    _, clear = tokens.create(bob, name="x", actor="bob", scope="administration")
    own, _ = tokens.create(bob, name="y", actor="bob")
    assert tokens.find_token(clear)
    roles.make_administrator("bob", actor="ada")
    assert tokens.find_token(clear) is None
    assert [token.id for token in tokens.valid_tokens(bob)] == [own.id]
