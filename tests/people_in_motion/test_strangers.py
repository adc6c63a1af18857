"""Strangers at the door: a page that says what to do, an entry with a repair, never a silent second
account.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.db import connection

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.people_in_motion.people import (
    ROOT,
    administrator,
    approve_registration,
    claims,
    come_in,
    remove,
    settle_person,
)
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.people import admit as first_login
from workspace_manager.people import unlinked_sign_ins
from workspace_manager.people.admit import Claims
from workspace_manager.people.withdraw import withdraw
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import (
    Account,
    Person,
    Registration,
    Tombstone,
    UnapprovedSignIn,
)
from workspace_manager.removal.capture import capture
from workspace_manager.removal.step3_remove_drive_account import step

KIND = "identity_provider.user"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


def knock(name: str, sub: str, email: str = "", *, everybody: bool = False) -> str:
    """What the page says to somebody who is not let in."""
    coming = Claims(sub, name, email or f"{name}@example.org", email_confirmed=True)
    with pytest.raises(Forbidden) as no:
        first_login.admit(coming, admit_unregistered=everybody)
    return no.value.reason


def entry() -> UnapprovedSignIn:
    return UnapprovedSignIn.objects.get()


def test_nobody_approved_this_one(world: WorldWithIdentities) -> None:
    for _ in range(3):
        assert "nobody has approved it" in knock("mallory", "m1")
    assert (entry().why, entry().times, entry().state) == ("not approved", 3, "open")
    assert not Person.objects.filter(username="mallory").exists()
    unlinked_sign_ins.approve_existing(entry().id, actor=ROOT, systems=world.systems())
    assert come_in("mallory", "m1", world).username == "mallory"


def test_a_known_name_with_another_sub_is_relinked_by_an_administrator_alone(
    world: WorldWithIdentities,
) -> None:
    alice = settle_person("alice", world)
    old = str(SocialAccount.objects.get().uid)
    assert "belongs to another account" in knock("alice", "new-sub", everybody=True)
    assert entry().why == unlinked_sign_ins.RefusalReason.OTHER_SUB
    with pytest.raises(Refused, match="already belongs to somebody here"):
        unlinked_sign_ins.approve_existing(entry().id, actor=ROOT, systems=world.systems())
    unlinked_sign_ins.relink(entry().id, actor=ROOT, systems=world.systems())
    assert first_login.admit(claims("alice", "new-sub"), admit_unregistered=False) == alice
    assert Person.objects.filter(username="alice").count() == 1
    # The old account is out, and a removal knows what it may have left at the drive.
    assert "belongs to another account" in knock("alice", old)
    captured = capture(alice, world.systems())
    assert captured.former_subs == (old,)
    targets = [p.change.target for p in step(captured).changes if p.change.kind == "drive.account"]
    assert {target["sub"] for target in targets} == {"new-sub", old}


def test_the_same_address_under_another_name_makes_no_second_account(
    world: WorldWithIdentities,
) -> None:
    alice = settle_person("alice", world)
    for everybody in (False, True):
        said = knock("alice2", "new-sub", "Alice@Example.org", everybody=everybody)
        assert (
            "Your e-mail address already belongs to somebody in this workspace who has another "
            "account."
        ) in said
    assert entry().why == unlinked_sign_ins.RefusalReason.SAME_EMAIL
    assert Person.objects.count() == 2
    assert unlinked_sign_ins.relink(entry().id, actor=ROOT, systems=world.systems()) == alice
    assert SocialAccount.objects.get(user=alice).uid == "new-sub"


def test_an_address_of_two_people_is_nobodys_to_relink(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    Person.objects.filter(username=ROOT).update(email="alice@example.org", email_confirmed=True)
    knock("alice2", "new-sub", "alice@example.org")
    with pytest.raises(Refused, match="Nobody here has the name alice2"):
        unlinked_sign_ins.relink(entry().id, actor=ROOT, systems=world.systems())
    unlinked_sign_ins.refuse(entry().id, actor=ROOT)
    knock("alice2", "new-sub", "alice@example.org")
    assert entry().state == UnapprovedSignIn.State.REFUSED  # settled stays settled


def test_an_approved_account_under_another_name_is_shown_to_an_administrator(
    world: WorldWithIdentities,
) -> None:
    """Renamed in the identity provider between approval and first sign-in: the name was not the one
    that was approved.
    """
    row = approve_registration("alice", world)
    assert "nobody has approved" in knock("alicia", row.sub)
    unlinked_sign_ins.approve_existing(entry().id, actor=ROOT, systems=world.systems())
    assert come_in("alicia", row.sub, world).username == "alicia"
    row.refresh_from_db()
    assert row.status == Registration.Status.WITHDRAWN
    assert Account.objects.get(kind="identity_provider.user", gone_at=None).username == "alicia"


def test_a_disabled_link_opens_nothing_and_says_why(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    sub = str(SocialAccount.objects.get().uid)
    for state, said in (
        ("leaving", "has ended"),
        ("suspended", ("Your access to this workspace is suspended.")),
    ):
        assert not UnapprovedSignIn.objects.exists()
        Person.objects.filter(id=alice.id).update(state=state)
        assert said in knock("alice", sub)
        assert "administrator" in knock("alice", sub)
    for repair in (
        partial(unlinked_sign_ins.approve_existing, systems=world.systems()),
        partial(unlinked_sign_ins.relink, systems=world.systems()),
    ):
        with pytest.raises(Refused):
            repair(entry().id, actor=ROOT)


@pytest.mark.parametrize(("name", "sub"), [("", "s"), ("a\nb", "s"), ("x" * 300, "s"), ("bob", "")])
def test_who_has_no_usable_name_is_nobody(world: WorldWithIdentities, name: str, sub: str) -> None:
    assert ("Your account at the identity provider has no usable user name.") in knock(
        name, sub, "x@example.org", everybody=True
    )
    assert not Person.objects.exclude(username=ROOT).exists()


def test_one_account_is_never_two_people(world: WorldWithIdentities) -> None:
    alice, bob = settle_person("alice", world), settle_person("bob", world)
    sub = str(SocialAccount.objects.get(user=bob).uid)
    stranger = UnapprovedSignIn.objects.create(
        sub=sub, username="alice", why=unlinked_sign_ins.RefusalReason.OTHER_SUB
    )
    with pytest.raises(Refused, match="This account is already linked to bob"):
        unlinked_sign_ins.relink(stranger.id, actor=ROOT, systems=world.systems())
    other = UnapprovedSignIn.objects.create(sub=sub + "x", username="carol", why="not approved")
    SocialAccount.objects.filter(user=bob).delete()
    with pytest.raises(Refused, match="This account is recorded for bob"):
        unlinked_sign_ins.relink(stranger.id, actor=ROOT, systems=world.systems())
    unlinked_sign_ins.approve_existing(other.id, actor=ROOT, systems=world.systems())
    assert SocialAccount.objects.get(user=alice).uid != sub


def test_nothing_is_linked_to_who_is_out_or_leaving(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    knock("alice", "new-sub")
    remove("alice", world)
    with pytest.raises(Refused, match=r"alice is being removed\. Nothing is linked"):
        unlinked_sign_ins.relink(entry().id, actor=ROOT, systems=world.systems())
    with pytest.raises(Refused):
        unlinked_sign_ins.approve_existing(entry().id, actor=ROOT, systems=world.systems())


def test_who_was_adopted_and_withdrawn_stands_at_the_door_again(world: WorldWithIdentities) -> None:
    knock("mallory", "m1")
    world.things["identity_provider.user:m1"] = {
        "username": "mallory",
        "sub": "m1",
        "enabled": True,
    }
    row = unlinked_sign_ins.approve_existing(entry().id, actor=ROOT, systems=world.systems())
    withdraw(row.id, actor=ROOT, systems=world.systems())
    work(world)
    (user,) = world.users("mallory").values()  # it was not ours to delete
    assert user["enabled"] is False
    knock("mallory", "m1")
    assert entry().state == UnapprovedSignIn.State.OPEN


@pytest.mark.parametrize("known", [False, True], ids=["new", "known without link"])
def test_the_same_sign_in_in_another_window_may_come_first_at_any_moment(
    world: WorldWithIdentities, known: bool
) -> None:
    """The door asks several questions one after the other; whatever the other window wrote between
    them, this one is let in too.
    """
    for moment in range(1, 9):
        name = f"alice{moment}"
        sub = approve_registration(name, world).sub
        if known:
            Person.objects.create_user(name, email=f"{name}@example.org")
        with connection.execute_wrapper(_other_window(moment, name, sub, world)):
            person = come_in(name, sub, world)
        assert person.username == name
        assert SocialAccount.objects.filter(user=person).count() == 1
    assert not UnapprovedSignIn.objects.exists()


def _other_window(
    moment: int, name: str, sub: str, world: WorldWithIdentities
) -> Callable[..., Any]:
    asked: list[str] = []

    def wrapper(execute: Any, sql: str, *rest: Any) -> Any:
        if not connection.in_atomic_block:
            asked.append(sql)
            if len(asked) == moment:
                come_in(name, sub, world)
        return execute(sql, *rest)

    return wrapper


def test_an_account_that_an_approval_recorded_is_known_before_anybody_signed_in_with_it(
    world: WorldWithIdentities,
) -> None:
    row = approve_registration("alice", world)
    Person.objects.create_user("alice", email="alice@example.org")
    plan = remove("alice", world)
    assert any(
        f"account {row.sub} at the identity provider was created when alice was approved" in text
        for text in view_plan(plan).by_hand
    )
    work(world)
    kept = Tombstone.objects.get().accounts
    assert {"system": "identity_provider", "kind": KIND, "name": row.sub} in kept
    assert not Account.objects.filter(username="alice").exists()
