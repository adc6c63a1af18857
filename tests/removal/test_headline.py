"""The headline of a removal that has ended: never green while something is known to be open,
and the account that was left is removed by a further plan.
"""

import pytest
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.people_in_motion.people import (
    ROOT,
    administrator,
    approve_registration,
    remove,
    settle_person,
)
from workspace_manager.core.refusal import Refused
from workspace_manager.inbox import plan_items
from workspace_manager.plan_kinds import view_plan, view_plans
from workspace_manager.records.models import Account, Mail, Person, Plan, Tombstone
from workspace_manager.removal import left_account
from workspace_manager.removal.draft import draft_removal

pytestmark = pytest.mark.django_db(transaction=True)
USER = "identity_provider.user"


@pytest.fixture
def world() -> WorldWithIdentities:
    root = administrator()
    Person.objects.filter(id=root.id).update(email="root@example.org", email_confirmed=True)
    return WorldWithIdentities()


def imported(world: WorldWithIdentities) -> str:
    """Somebody taken over from an older system: approved, known here, never signed in. The account
    at the identity provider is enabled. Gives its id.
    """
    sub = approve_registration("edsger", world).sub
    person = make_person("edsger")
    Account.objects.filter(kind=USER, name=sub).update(person=person)
    return sub


def removed(world: WorldWithIdentities, name: str = "edsger") -> Plan:
    plan = remove(name, world)
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    return plan


def test_an_account_that_no_step_touched_is_open_and_said_so(world: WorldWithIdentities) -> None:
    sub = imported(world)
    plan = removed(world)
    assert world.users("edsger")[sub]["enabled"]
    view = view_plan(plan)
    assert view.headline.state == "open"
    assert "edsger is removed, but still has access to the identity provider" in view.headline.text
    line = next(one for one in view.end_of_access if one.credential == "left_account")
    assert (line.state, sub in line.text) == ("open", True)
    assert view.left_account
    assert view.left_account.offered
    assert view_plans([plan])[0].headline == view.headline


def test_nothing_is_said_to_have_stayed_away_where_nobody_looked(
    world: WorldWithIdentities,
) -> None:
    imported(world)
    view = view_plan(removed(world))
    assert (view.late_look.state, "Not checked" in view.late_look.text) == ("skipped", True)
    token = next(one for one in view.end_of_access if one.credential == "access_token")
    assert token.state != "ended"


def test_the_letter_and_the_inbox_say_the_same(world: WorldWithIdentities) -> None:
    imported(world)
    plan = removed(world)
    letter = Mail.objects.get(kind="removal_finished")
    assert "is removed, but something remains" in letter.subject
    assert view_plan(plan).headline.text in letter.text
    assert "still has access to the identity provider" in letter.text
    root = Person.objects.get(username=ROOT)
    source = next(one for one in plan_items.SOURCES if one.kind == "left_by_hand")
    rows = source.waiting(root, timezone.now())
    assert rows is not None
    (item,) = source.items(rows, [str(plan.id)])
    assert item.what.english == view_plan(plan).headline.text


def test_the_letter_says_in_german_what_is_open(world: WorldWithIdentities) -> None:
    Person.objects.filter(username=ROOT).update(locale="de")
    imported(world)
    removed(world)
    text = Mail.objects.get(kind="removal_finished").text
    assert "edsger ist entfernt, hat aber noch Zugang: Anmeldedienst." in text


def test_a_further_plan_removes_what_bears_our_mark_and_the_headline_follows(
    world: WorldWithIdentities,
) -> None:
    sub = imported(world)
    removal = removed(world)
    further = left_account.draft_left(removal, actor=ROOT, systems=world.systems())
    assert world.users("edsger")
    left_account.approve_left(further, digest=further.digest, actor=ROOT)
    assert view_plan(removal).headline.state == "not_shown"
    line = next(one for one in view_plan(removal).end_of_access if one.credential == "left_account")
    assert line.state == "pending"
    work(world)
    further.refresh_from_db()
    assert (further.state, further.person) == (Plan.State.DONE, "edsger")
    assert not world.users("edsger")
    assert f"delete edsger {sub}" in world.writes
    assert further.rechecks.exists()
    work(world, late_looks=True)
    view = view_plan(removal)
    assert view.left_account is None
    assert view.headline.state == "done", view.headline.text
    assert {one.state for one in view.end_of_access} <= {"ended", "absent", "nothing"}


def test_a_user_without_our_mark_stays(world: WorldWithIdentities) -> None:
    sub = imported(world)
    removal = removed(world)
    further = left_account.draft_left(removal, actor=ROOT, systems=world.systems())
    world.users("edsger")[sub]["mark"] = "of somebody else"
    left_account.approve_left(further, digest=further.digest, actor=ROOT)
    work(world)
    further.refresh_from_db()
    assert further.state == Plan.State.STUCK
    assert world.users("edsger")


def test_an_account_that_existed_before_is_open_and_nothing_is_offered(
    world: WorldWithIdentities,
) -> None:
    person = make_person("edsger")
    Account.objects.create(
        system="identity_provider", kind=USER, name="sub-1", username="edsger", person=person
    )
    plan = removed(world)
    view = view_plan(plan)
    assert view.headline.state == "open"
    assert view.left_account
    assert not view.left_account.offered
    with pytest.raises(Refused, match="This removal left nothing that carries the manager’s mark"):
        left_account.draft_left(plan, actor=ROOT, systems=world.systems())


def test_an_account_that_somebody_got_since_keeps_no_removal_open(
    world: WorldWithIdentities,
) -> None:
    sub = imported(world)
    plan = removed(world)
    further = left_account.draft_left(plan, actor=ROOT, systems=world.systems())
    Tombstone.objects.all().delete()
    SocialAccount.objects.create(
        user=make_person("newcomer"), provider="identity_provider", uid=sub
    )
    view = view_plan(plan)
    assert (view.left_account, view.headline.state) == (None, "not_shown")
    with pytest.raises(Refused):
        left_account.approve_left(further, digest=further.digest, actor=ROOT)
    assert world.users("edsger")[sub]["enabled"]


def test_who_is_out_is_said_to_be_out_once_the_last_token_has_ended(
    world: WorldWithIdentities,
) -> None:
    settle_person("alice", world)
    plan = removed(world, "alice")
    assert view_plan(plan).headline.state == "until"
    work(world, late_looks=True)
    plan.refresh_from_db()
    view = view_plan(plan)
    assert (view.headline.state, view.headline.text) == (
        "done",
        "alice is removed. All 7 steps have ended and are verified.",
    )


def test_the_preview_says_it_before(world: WorldWithIdentities) -> None:
    sub = imported(world)
    plan = draft_removal("edsger", actor=ROOT, systems=world.systems())
    assert any(sub in text and "stays open there" in text for text in view_plan(plan).by_hand)
