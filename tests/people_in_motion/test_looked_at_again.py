"""Rows that were read before a call are looked at again where they are written: somebody confirms,
decides or loses a right in the middle.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.people_in_motion.people import ROOT, administrator, register
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.people import (
    admit,
    announcements,
    approve,
    confirm_email,
    names_free,
    permissions,
    unlinked_sign_ins,
)
from workspace_manager.people.admit import Claims
from workspace_manager.records.models import Person, Plan, Registration, UnapprovedSignIn

pytestmark = pytest.mark.django_db
DECIDES = "approve_registrations"


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Let something happen when the user was made, and before that is written."""

    def set_(do: Callable[[], object]) -> None:
        real = approve._create

        def create(*given: Any) -> Any:
            made = real(*given)
            do()
            return made

        monkeypatch.setattr(approve, "_create", create)

    return set_


def link(registration: Registration) -> str:
    Registration.objects.filter(id=registration.id).update(
        confirmation=confirm_email._digest("the link"),
        confirmation_until=registration.created_at + timedelta(days=9),
    )
    return "the link"


def test_an_address_that_is_confirmed_while_its_approval_runs_is_confirmed_there(
    world: WorldWithIdentities, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    row = register("alice")
    clear = link(row)
    meanwhile(lambda: confirm_email.confirm(clear))
    approve.approve(row.id, actor=ROOT, systems=world.systems())
    work(world)
    (user,) = world.users("alice").values()
    assert user["email_verified"] is True


def test_an_address_that_was_confirmed_before_is_told_once(world: WorldWithIdentities) -> None:
    row = register("alice")
    assert confirm_email.confirm(link(row))
    approve.approve(row.id, actor=ROOT, systems=world.systems())
    assert not Plan.objects.exists()
    (user,) = world.users("alice").values()
    assert user["email_verified"] is True


def loses_the_permission() -> None:
    permissions.let_have("dora", {}, actor=ROOT)


def is_suspended() -> None:
    Person.objects.filter(username="dora").update(state=Person.State.SUSPENDED)


def an_administrator_is_announced() -> None:
    announcements.announce("alice", sub="", email="", until="", actor=ROOT)


@pytest.mark.parametrize(
    "happens", [loses_the_permission, is_suspended, an_administrator_is_announced]
)
def test_who_may_not_decide_any_more_approves_nobody(
    happens: Callable[[], None],
    world: WorldWithIdentities,
    meanwhile: Callable[[Callable[[], object]], None],
) -> None:
    Person.objects.create_user("dora")
    permissions.let_have("dora", {DECIDES: None}, actor=ROOT)
    row = register("alice")
    meanwhile(happens)
    with pytest.raises(Refused):
        approve.approve(row.id, actor="dora", systems=world.systems())
    row.refresh_from_db()
    assert (row.status, row.claimed_until, row.sub) == ("pending", None, "")
    assert row.password_hash is not None
    undoing = Plan.objects.get()
    with pytest.raises(Refused, match="is being deleted"):
        approve.approve(row.id, actor=ROOT, systems=world.systems())
    Plan.objects.filter(id=undoing.id).update(due_at=row.created_at)
    work(world)
    assert world.users("alice") == {}, "nobody approved the user that was made"
    approve.approve(row.id, actor=ROOT, systems=world.systems())
    assert len(world.users("alice")) == 1


def test_a_name_that_no_system_was_asked_about_is_not_adopted(
    world: WorldWithIdentities, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account knocks under another name while the systems are asked about the first."""

    def knock(name: str) -> None:
        with pytest.raises(Forbidden):
            admit.admit(Claims("s1", name, "m@example.org"), admit_unregistered=False)

    real = names_free.refuse

    def ask(*given: Any, **more: Any) -> None:
        real(*given, **more)
        knock("mallory.two")

    knock("mallory")
    monkeypatch.setattr(names_free, "refuse", ask)
    stranger = UnapprovedSignIn.objects.get()
    with pytest.raises(Refused, match=r"This account is now called mallory\.two"):
        unlinked_sign_ins.approve_existing(stranger.id, actor=ROOT, systems=world.systems())
    assert not Registration.objects.exists()
