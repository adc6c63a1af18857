"""A name that comes back inherits nothing, and no old plan touches whoever has it now."""

from datetime import timedelta
from functools import partial

import pytest
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import let_time_pass, work
from tests.people_in_motion.people import (
    ROOT,
    administrator,
    approve_registration,
    claims,
    come_in,
    make,
    register,
    remove,
    settle_person,
)
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.engine import actions
from workspace_manager.engine.run import run
from workspace_manager.people import admit as first_login
from workspace_manager.people import approve, roles, suspend, unlinked_sign_ins
from workspace_manager.people.withdraw import withdraw
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import (
    Account,
    Person,
    Plan,
    Registration,
    Tombstone,
    UnapprovedSignIn,
)

pytestmark = pytest.mark.django_db(transaction=True)
NOTEBOOK = "notebook_hub.container:jupyter-alice"


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


def release() -> None:
    Tombstone.objects.update(released_at=timezone.now(), released_by=ROOT)


def away(world: WorldWithIdentities) -> Plan:
    """alice came, worked, and left; only her late look waits."""
    alice = settle_person("alice", world)
    make(alice, "sql_database", world)
    make(alice, "triplestore_repository", world)
    world.things[NOTEBOOK] = {"running": True}
    work(world)
    plan = remove("alice", world)
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert plan.recheck_state == "pending"
    return plan


def test_the_name_is_kept_with_the_reason_and_registering_says_nothing(
    world: WorldWithIdentities,
) -> None:
    plan = away(world)
    row = register("alice")  # the door answers everybody the same; the row waits
    said = r"A former person with the name alice left on .* is reserved until .*Release it first"
    with pytest.raises(Refused, match=said):
        approve.approve(row.id, actor=ROOT, systems=world.systems())
    row.refresh_from_db()
    assert (row.status, row.claimed_until) == (Registration.Status.PENDING, None)
    assert "left on" in str(row.last_failure)
    tombstone = Tombstone.objects.get()
    assert tombstone.plan == plan.id
    assert {"triplestore.user", "sql_server.user", "identity_provider.user"} <= {
        account["kind"] for account in tombstone.accounts
    }
    Tombstone.objects.update(expires_at=timezone.now() - timedelta(days=1))
    world.things.pop(NOTEBOOK)
    assert approve.approve(row.id, actor=ROOT, systems=world.systems()).sub != tombstone.sub


@pytest.mark.parametrize("left", [NOTEBOOK, "volume:alice"])
def test_a_container_or_volume_of_the_name_is_inherited_by_nobody(
    world: WorldWithIdentities, left: str
) -> None:
    away(world)
    world.things.pop(NOTEBOOK)
    world.things[left] = {"running": False}
    release()
    row = register("alice")
    with pytest.raises(Refused, match="Data of a former alice still exists:"):
        approve.approve(row.id, actor=ROOT, systems=world.systems())
    assert not world.users("alice")
    world.things.pop(left)
    approve.approve(row.id, actor=ROOT, systems=world.systems())


def test_who_cannot_be_asked_counts_as_something_only_for_a_name_that_somebody_had(
    world: WorldWithIdentities,
) -> None:
    world.broken["notebook_hub"] = lambda verb: Unavailable(
        quote_words("down"), kind="notebook_hub", doing=quote_words(verb)
    )
    approve_registration("bob", world)
    world.broken.clear()
    away(world)
    release()
    world.things.pop(NOTEBOOK)
    world.broken["notebook_hub"] = lambda verb: Unavailable(
        quote_words("down"), kind="notebook_hub", doing=quote_words(verb)
    )
    with pytest.raises(Unavailable):
        approve.approve(register("alice").id, actor=ROOT, systems=world.systems())
    assert Registration.objects.get(username="alice").status == Registration.Status.PENDING


def test_the_newcomer_has_nothing_of_the_old_one(world: WorldWithIdentities) -> None:
    away(world)
    release()
    world.things.pop(NOTEBOOK)
    roles.make_administrator("alice", actor=ROOT)  # announced for whoever bears the name now
    roles.make_user("alice", actor=ROOT)
    person = come_in("alice", approve_registration("alice", world).sub, world)
    assert person.role == Person.Role.USER
    assert {account.kind for account in Account.objects.filter(person=person)} == {
        "identity_provider.user",
        "ontology_editor.user",
    }
    assert not person.components.exists()
    assert not person.service_keys.exists()
    assert not person.memberships.exists()
    assert [n for n in world.named("alice") if not n.startswith("ontology_editor.project")] == []


def test_what_somebody_skipped_is_not_taken_over(world: WorldWithIdentities) -> None:
    """Step 5 was skipped, so an SQL user of that name is left: the newcomer's database does not
    take it over.
    """
    alice = settle_person("alice", world)
    make(alice, "sql_database", world)
    work(world)
    world.broken["sql_server"] = lambda verb: Unavailable(
        quote_words("down"), kind="sql_server", doing=quote_words(verb)
    )
    plan = remove("alice", world)
    work(world, turns=2)
    actions.skip(plan, 5, actor=ROOT, reason="gone for good")
    work(world, turns=2)
    actions.skip(plan, 7, actor=ROOT, reason="gone for good")
    work(world, turns=2)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    world.broken.clear()
    release()
    newcomer = come_in("alice", approve_registration("alice", world).sub, world)
    make(newcomer, "sql_database", world)
    before = len(world.writes)
    work(world)
    creation = Plan.objects.get(kind="component.create", subject=str(newcomer.id))
    assert creation.state == Plan.State.STUCK
    assert "was not created by the manager" in str(creation.steps.get(n=1).reason)
    assert not [w for w in world.writes[before:] if "sql_server.user" in w]


def test_an_old_late_look_leaves_the_newcomers_notebook_alone(world: WorldWithIdentities) -> None:
    plan = away(world)
    release()
    world.things.pop(NOTEBOOK)
    old = plan.document["sub"]
    come_in("alice", approve_registration("alice", world).sub, world)
    world.things[NOTEBOOK] = {"running": True}
    world.things[f"drive.account:{old}"] = {"exists": True}  # a token brought it back
    work(world, late_looks=True)
    plan.refresh_from_db()
    assert plan.recheck_state == "removed"
    assert f"drive.account:{old}" not in world.things
    assert world.things[NOTEBOOK] == {"running": True}
    assert "now belongs to somebody else." in view_plan(plan).late_look.text


def test_the_late_look_waits_while_the_name_is_being_given(world: WorldWithIdentities) -> None:
    plan = away(world)
    release()
    world.things.pop(NOTEBOOK)
    row = register("alice")
    Registration.objects.filter(id=row.id).update(
        claimed_until=timezone.now() + timedelta(seconds=50)
    )
    world.things[NOTEBOOK] = {"running": True}
    let_time_pass()
    run(plan.rechecks.get().id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert plan.recheck_state == "pending"
    assert world.things[NOTEBOOK] == {"running": True}


def test_an_old_plan_that_waits_never_acts_on_the_newcomer(world: WorldWithIdentities) -> None:
    """A plan that was forgotten (restored from a backup, say) and names a person who is gone does
    nothing at all.
    """
    alice = settle_person("alice", world)
    make(alice, "triplestore_repository", world)
    world.broken["triplestore"] = lambda verb: Unavailable(
        quote_words("down"), kind="triplestore", doing=quote_words(verb)
    )
    work(world, turns=2)
    creation = Plan.objects.get(kind="component.create")
    suspension = suspend.suspend("alice", actor=ROOT, systems=world.systems())
    world.broken.clear()
    plan = remove("alice", world)
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    release()
    newcomer = come_in("alice", approve_registration("alice", world).sub, world)
    make(newcomer, "triplestore_repository", world)
    make(newcomer, "sql_database", world)
    work(world)
    before = dict(world.things)
    for old in (creation, suspension):
        Plan.objects.filter(id=old.id).update(
            state=Plan.State.RUNNING, due_at=timezone.now() - timedelta(hours=1)
        )
    work(world)
    assert world.things == before
    for old in (creation, suspension):
        old.refresh_from_db()
        assert old.state == Plan.State.STUCK


def test_who_was_removed_is_not_let_in_again(world: WorldWithIdentities) -> None:
    plan = away(world)
    for name, sub in (
        ("alice", plan.document["sub"]),
        ("alice", "another"),
        ("al", plan.document["sub"]),
    ):
        with pytest.raises(Forbidden, match="has ended"):
            first_login.admit(claims(name, sub), admit_unregistered=True)
    for entry in UnapprovedSignIn.objects.all():
        for repair in (
            partial(unlinked_sign_ins.approve_existing, systems=world.systems()),
            partial(unlinked_sign_ins.relink, systems=world.systems()),
        ):
            with pytest.raises(Refused):
                repair(entry.id, actor=ROOT)
    assert not Person.objects.exclude(username=ROOT).exists()


# --- after withdrawal, rejection, expiry ----------------------------------------------------------


def withdrawn(row: Registration, world: WorldWithIdentities) -> Plan:
    plan = withdraw(row.id, actor=ROOT, systems=world.systems())
    work(world)
    plan.refresh_from_db()
    return plan


def test_registering_again_after_each_end(world: WorldWithIdentities) -> None:
    first = approve_registration("alice", world)
    assert withdrawn(first, world).state == Plan.State.DONE
    assert not world.users("alice")
    second = register("alice")
    approve.reject(second.id, actor=ROOT, reason="no room")
    third = register("alice")
    Registration.objects.filter(id=third.id).update(status=Registration.Status.EXPIRED)
    last = approve_registration("alice", world)
    assert list(world.users("alice")) == [last.sub]
    assert last.sub != first.sub
    with pytest.raises(Refused):
        withdraw(first.id, actor=ROOT, systems=world.systems())


def test_a_withdrawal_asks_every_system_that_the_approval_opened(
    world: WorldWithIdentities,
) -> None:
    """Nobody came here, and somebody was at the drive all the same."""
    row = approve_registration("alice", world)
    world.things[f"drive.account:{row.sub}"] = {"exists": True, "enabled": True}
    plan = withdrawn(row, world)
    assert [step.name for step in plan.steps.all()] == [
        *("stop_notebook", "resolve_identity", "remove_drive_account", "remove_identity"),
        *("drop_sql_users", "remove_triplestore_user", "delete_records"),
    ]
    assert not world.named(row.sub)
    assert {one.credential: one.state for one in view_plan(plan).end_of_access}[
        "password"
    ] == "ended"
    row.refresh_from_db()
    assert (row.status, row.username) == (Registration.Status.WITHDRAWN, "alice")
    assert not Tombstone.objects.exists()
    assert not Person.objects.filter(username="alice").exists()


def test_a_withdrawal_removes_whoever_signed_in(world: WorldWithIdentities) -> None:
    row = approve_registration("alice", world)
    come_in("alice", row.sub, world)
    assert withdrawn(row, world).state == Plan.State.DONE
    assert not world.users("alice")
    assert Tombstone.objects.get().username == "alice"


def test_an_approval_of_another_account_removes_nobody(world: WorldWithIdentities) -> None:
    """The name is somebody's who was linked to another account since."""
    row = approve_registration("alice", world)
    come_in("alice", row.sub, world)
    SocialAccount.objects.update(uid="another")
    with pytest.raises(Refused, match="Remove the person instead"):
        withdraw(row.id, actor=ROOT, systems=world.systems())
    assert Person.objects.get(username="alice").state == Person.State.ACTIVE
    row.refresh_from_db()
    assert row.status == Registration.Status.APPROVED


def test_nobody_enters_with_an_approval_that_is_being_withdrawn(world: WorldWithIdentities) -> None:
    row = approve_registration("alice", world)
    plan = withdraw(row.id, actor=ROOT, systems=world.systems())
    with pytest.raises(Forbidden, match="has ended"):
        come_in("alice", row.sub, world)
    with pytest.raises(Refused):
        withdraw(row.id, actor=ROOT, systems=world.systems())
    with pytest.raises(Refused):
        approve.approve(register("alice").id, actor=ROOT, systems=world.systems())
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not Person.objects.filter(username="alice").exists()


def test_a_withdrawal_waits_for_a_system_that_is_down(world: WorldWithIdentities) -> None:
    row = approve_registration("alice", world)
    world.broken["identity_provider"] = lambda verb: Unavailable(
        quote_words("down"), kind="x", doing=quote_words(verb)
    )
    plan = withdrawn(row, world)
    assert plan.state == Plan.State.WAITING
    with pytest.raises(Forbidden):
        come_in("alice", row.sub, world)
    world.broken.clear()
    let_time_pass()
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not world.users("alice")


def test_a_rejection_after_an_approval_that_timed_out_leaves_no_user(
    world: WorldWithIdentities,
) -> None:
    """The call was sent, nobody knows its end, and the administrator decides otherwise: what
    appears late is removed by its mark.
    """
    row = register("alice")
    world.slow.add(("identity_provider.user", "apply"))
    with pytest.raises(Unavailable):
        approve.approve(row.id, actor=ROOT, systems=world.systems())
    world.slow.clear()
    approve.reject(row.id, actor=ROOT, reason="no")
    world.effects_come()
    assert world.users("alice")
    undo = Plan.objects.get(kind="approval.undo")
    assert undo.due_at is not None
    assert undo.due_at > timezone.now()
    work(world)
    undo.refresh_from_db()
    assert undo.state == Plan.State.DONE
    assert not world.users("alice")
    foreign = register("carol")
    approve.reject(foreign.id, actor=ROOT, reason="no")
    assert not Plan.objects.filter(kind="approval.undo", person="carol").exists()
