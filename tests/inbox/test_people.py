"""Items of those who decide about people, and of everybody in their own things: an item is there
while it is so, and gone when it has ended.
"""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.utils import timezone

from tests.clock import just_over
from tests.inbox.reading import the_one, waits
from tests.web.pages import scenes
from workspace_manager.access import tokens
from workspace_manager.core.address_owners import Address
from workspace_manager.notices import choices
from workspace_manager.notices.audience import may_be_told
from workspace_manager.notices.choices import How
from workspace_manager.people import approve, end_dates, permissions, roles, unlinked_sign_ins
from workspace_manager.records.models import (
    ApiToken,
    Component,
    Membership,
    Permission,
    Person,
    Plan,
    Project,
    Registration,
    Stack,
    UnapprovedSignIn,
)
from workspace_manager.work import invitations, memberships

pytestmark = pytest.mark.django_db
DECIDE = Permission.Name.APPROVE_REGISTRATIONS


def test_a_registration_until_it_is_decided(ada: Person, bob: Person) -> None:
    row = Registration.objects.create(username="dora", email="dora@example.org")
    item = the_one(ada, "registration")
    assert item.what.english == "dora wants to join."
    assert item.why is not None
    assert item.why.english == "The e-mail address is not confirmed yet."
    assert not waits(bob, "registration")
    permissions.let_have("bob", {DECIDE: None}, actor="ada")
    assert the_one(bob, "registration").key == item.key
    bob.limited_to = ()
    assert not waits(bob, "registration")
    approve.reject(row.id, actor="ada", reason="no room")
    assert not waits(ada, "registration")


def test_somebody_at_the_door_until_it_is_decided(ada: Person, bob: Person) -> None:
    why = unlinked_sign_ins.RefusalReason.NOT_APPROVED
    unlinked_sign_ins.record_refusal(
        sub="s", username="fay", address=Address("", confirmed=False), why=why
    )
    item = the_one(ada, "stranger")
    assert item.why is not None
    assert item.why.english == "Nobody approved this account."
    permissions.let_have("bob", {DECIDE: None}, actor="ada")
    assert not waits(bob, "stranger")  # whoever decides about registrations decides nothing here
    unlinked_sign_ins.refuse(UnapprovedSignIn.objects.get().id, actor="ada")
    assert not waits(ada, "stranger")


def test_an_announced_administrator_once_here_until_confirmed(ada: Person) -> None:
    roles.make_administrator("nina", actor="ada")
    roles.make_administrator("emil", email="emil@example.org", actor="ada")
    assert not waits(ada, "announced")
    for name in ("nina", "emil"):  # emil came with another address: nobody can confirm that
        Person.objects.create_user(name)
    assert the_one(ada, "announced").what.english.startswith(
        "nina was announced as an administrator and has signed in."
    )
    roles.confirm("nina", actor="ada")
    assert not waits(ada, "announced")


def test_a_permission_that_ends_soon_for_who_has_it_and_who_gives_it(
    ada: Person, bob: Person, charlie: Person
) -> None:
    soon, late = (timezone.now() + timedelta(days=days) for days in (10, 20))
    permissions.let_have("bob", {DECIDE: soon, "view_stacks": late}, actor="ada")
    item = the_one(ada, "permission")
    assert item.action.address == "/manage/people/bob/permissions"
    assert item.why is not None
    assert item.why.english.endswith("(granted by ada)")
    assert the_one(bob, "own_permission").subject == item.subject
    assert not waits(bob, "permission")
    assert not waits(charlie, "own_permission")
    permissions.change("bob", give={DECIDE: late}, actor="ada")
    assert not waits(ada, "permission")
    assert not waits(bob, "own_permission")
    assert len(waits(bob, "own_permission", after=timedelta(days=7))) == 2


def test_a_token_that_ends_soon(alice: Person, bob: Person) -> None:
    end = timezone.now() + timedelta(days=60)
    token, _ = tokens.create(alice, name="laptop", actor="alice", until=end)
    assert not waits(alice, "token", after=timedelta(days=45))
    item = the_one(alice, "token", after=timedelta(days=47))
    assert "“laptop”" in item.what.english
    assert not waits(bob, "token", after=timedelta(days=47))
    tokens.revoke(token, actor="alice")
    assert not waits(alice, "token", after=timedelta(days=47))


def test_a_short_token_after_half_its_time(alice: Person) -> None:
    end = timezone.now() + timedelta(days=4)
    tokens.create(alice, name="course", actor="alice", until=end)
    assert not waits(alice, "token", after=timedelta(days=1))
    assert the_one(alice, "token", after=timedelta(days=3))
    ApiToken.objects.update(expires_at=just_over())
    assert not waits(alice, "token")


def test_a_request_for_who_decides_who_is_in(alice: Person, bob: Person, charlie: Person) -> None:
    project = Project.objects.create(owner=alice, label="Herbarium")
    member = Membership.objects.create(project=project, person=bob)
    asked = memberships.ask(project, charlie)
    item = the_one(alice, "request")
    assert item.what.english == "Charlie wants to join “Herbarium”."
    assert item.action.address == f"/projects/{project.id}#people-here"
    assert not waits(bob, "request")
    assert not waits(charlie, "request")
    Membership.objects.filter(id=member.id).update(role="manage")
    assert the_one(bob, "request").key == item.key
    memberships.reject(asked.id, actor="alice")
    assert not waits(alice, "request")


def test_an_invitation_until_it_is_answered(alice: Person, bob: Person) -> None:
    project = Project.objects.create(owner=alice, label="Herbarium")
    invited = invitations.invite(project, by=alice, username="bob")
    assert the_one(bob, "invitation").what.english == "Alice invites you to “Herbarium”."
    assert not waits(alice, "invitation")
    invitations.decline(invited.id, bob)
    assert not waits(bob, "invitation")


def test_what_could_not_be_made_or_deleted(alice: Person, bob: Person) -> None:
    made = scenes.database(alice, "Index", state="failed")
    item = the_one(alice, "component_failed")
    assert item.what.english == "“Index” could not be created."
    assert item.action.address == f"/components/{made.id}"
    assert not waits(bob, "component_failed")
    Component.objects.update(state="deleting")
    assert not waits(alice, "component_failed")
    plan = Plan.objects.create(
        kind="component.delete", state="stuck", subject=str(alice.id), about=str(made.id)
    )
    since = timezone.now() - timedelta(minutes=4)
    plan.steps.create(
        n=1, name="drop_database", system="sql_server", state="stuck", reason="no", since=since
    )
    Component.objects.update(created_at=since - timedelta(days=700))
    item = the_one(alice, "component_failed")
    assert item.since == since, "not since it was asked for"
    assert item.what.english == "“Index” could not be deleted."
    assert str(item.why) == "no"
    Component.objects.all().delete()
    assert not waits(alice, "component_failed")


def test_of_a_stack_the_stack_and_not_its_parts(alice: Person) -> None:
    stack = Stack.objects.create(owner=alice, label="All", name="st-all", state="failed")
    part = scenes.database(alice, "Index", state="failed")
    Component.objects.filter(id=part.id).update(stack=stack)
    assert the_one(alice, "stack_failed").action.address == f"/stacks/{stack.id}"
    assert not waits(alice, "component_failed")
    plan = Plan.objects.create(kind="stack.create", state="stuck", about=str(stack.id))
    step = plan.steps.create(n=1, name="x", system="sql_server", state="stuck")
    assert the_one(alice, "stack_failed").since == step.since > stack.created_at
    Stack.objects.update(state="ready")
    assert not waits(alice, "stack_failed")


def test_an_account_that_ends_until_another_day_is_set(ada: Person, bob: Person) -> None:
    last = end_dates.today() + timedelta(days=20)
    end_dates.set_end("bob", last, actor="ada")
    mine = the_one(bob, "own_account")
    assert str(last) in mine.what.english
    assert mine.since == max(
        datetime.combine(last - timedelta(days=30), time(), UTC), bob.created_at
    )
    assert not waits(ada, "account"), "not yet"
    assert not waits(ada, "own_account")
    end_dates.set_end("bob", last - timedelta(days=10), actor="ada")
    theirs = the_one(ada, "account")
    assert theirs.action.address == "/manage/people/bob"
    assert not waits(bob, "account")
    assert choices.read_choices(ada)["account"] == How.NEVER, "a letter of its own says it"
    assert choices.read_choices(bob)["own_account"] == How.DAILY
    assert "own_account" in dict(may_be_told(timezone.now()))[bob]
    end_dates.set_end("bob", None, actor="ada")
    assert not waits(ada, "account")
    assert not waits(bob, "own_account")
