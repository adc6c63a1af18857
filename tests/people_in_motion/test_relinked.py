"""Somebody whose user was made again in the identity provider: what an older registration still has
to say is said of the account they have now, and only of the address that was confirmed.
"""

import secrets

import pytest

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.people_in_motion.people import ROOT, administrator, approve_registration, claims, come_in
from tests.people_in_motion.test_leaving import down
from workspace_manager.people import admit as first_login
from workspace_manager.people import confirm_email, unlinked_sign_ins
from workspace_manager.people.confirm_email import CONFIRMATION
from workspace_manager.records.models import Person, Plan, Registration, UnapprovedSignIn

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "99999999-0000-4000-8000-000000000001"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> WorldWithIdentities:
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _size: "the link")
    administrator()
    return WorldWithIdentities()


def here(world: WorldWithIdentities) -> Registration:
    """Alice is approved and came in; the link to her address is out."""
    registration = approve_registration("alice", world)
    confirm_email.send_again(registration.id, actor=ROOT)
    come_in("alice", registration.sub, world)
    work(world)
    return registration


def made_again(world: WorldWithIdentities, old: str, email: str = "alice@example.org") -> None:
    """Her user is deleted and made again, and an administrator relinks her."""
    user = world.things.pop(f"identity_provider.user:{old}")
    user = {**user, "sub": NEW, "email": email, "email_verified": False}
    world.things[f"identity_provider.user:{NEW}"] = user
    with pytest.raises(first_login.NotAdmitted):
        first_login.admit(claims("alice", NEW), admit_unregistered=False)
    unlinked_sign_ins.relink(
        UnapprovedSignIn.objects.get(sub=NEW).id, actor=ROOT, systems=world.systems()
    )


def telling() -> list[Plan]:
    return list(Plan.objects.filter(kind=CONFIRMATION.name).exclude(state="superseded"))


def test_the_link_of_an_older_registration_speaks_of_the_account_of_now(
    world: WorldWithIdentities,
) -> None:
    old = here(world).sub
    made_again(world, old)
    assert confirm_email.confirm("the link")
    work(world)
    (plan,) = telling()
    assert plan.subject == str(Person.objects.get(username="alice").id)
    assert plan.document["sub"] == NEW
    assert plan.state == Plan.State.DONE
    assert world.users("alice")[NEW]["email_verified"] is True


def test_what_was_waiting_to_be_told_when_she_was_relinked_moves_along(
    world: WorldWithIdentities,
) -> None:
    old = here(world).sub
    assert confirm_email.confirm("the link")
    world.broken["identity_provider"] = down
    work(world, turns=2)
    world.broken.clear()
    made_again(world, old)
    work(world)
    (plan,) = telling()
    assert (plan.document["sub"], plan.state) == (NEW, Plan.State.DONE)
    assert world.users("alice")[NEW]["email_verified"] is True


def test_another_address_is_confirmed_by_nobodys_link(world: WorldWithIdentities) -> None:
    old = here(world).sub
    made_again(world, old, email="alice@elsewhere.example")
    Person.objects.filter(username="alice").update(email="alice@elsewhere.example")
    assert confirm_email.confirm("the link")
    work(world)
    assert telling() == []
    assert Registration.objects.get(username="alice").email_confirmed
    assert world.users("alice")[NEW]["email_verified"] is False


def test_an_address_that_was_changed_there_meanwhile_is_not_confirmed(
    world: WorldWithIdentities,
) -> None:
    """Nobody here knows of it before the next sign-in: the look just before shows it."""
    old = here(world).sub
    world.things[f"identity_provider.user:{old}"]["email"] = "the-boss@example.org"
    assert confirm_email.confirm("the link")
    work(world)
    (plan,) = telling()
    assert plan.state == Plan.State.STUCK
    assert world.users("alice")[old]["email_verified"] is False
