"""Leaving wins: whatever else is being made for somebody, from the approval on nothing is given,
and what appears late is removed.
"""

import secrets
from collections.abc import Callable

import pytest
from django.utils import timezone

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import let_time_pass, work, work_now
from tests.people_in_motion.people import (
    ROOT,
    administrator,
    approve_registration,
    come_in,
    make,
    remove,
    settle_person,
)
from workspace_manager.access import tokens
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Refused
from workspace_manager.people import confirm_email, suspend
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import (
    Component,
    Membership,
    Plan,
    PlanChange,
    PlanStep,
    Project,
    VaultEntry,
)
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work import components, memberships, projects

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


def down(verb: str) -> Unavailable:
    return Unavailable(
        quote_words("down"),
        kind="sql_server.user",
        doing=quote_words(verb),
        advice=quote_words("wait"),
    )


def test_leaving_while_a_creation_is_stuck_on_a_dead_system(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    world.broken["sql_server"] = down
    make(alice, "sql_database", world)
    work(world, turns=2)
    creation = Plan.objects.get(kind="component.create")
    assert creation.state == Plan.State.WAITING
    plan = remove("alice", world)
    creation.refresh_from_db()
    assert creation.state == Plan.State.SUPERSEDED
    assert creation.due_at is None
    assert not VaultEntry.objects.filter(plan=creation).exists()
    work(world, turns=3)
    plan.refresh_from_db()
    assert plan.state == Plan.State.WAITING
    assert not world.users("alice")  # nothing that does not need the dead system waits for it
    world.broken.clear()
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not world.named("alice")
    assert not Component.objects.exists()
    creation.refresh_from_db()
    assert creation.state == Plan.State.SUPERSEDED


MIDDLE = [
    ("sql_database", "sql_server.user", {5}),
    ("sql_database", "sql_server.database", {7}),
    ("sql_database", "identity_provider.attributes", {3}),
    ("triplestore_repository", "triplestore.user", {6}),
    ("triplestore_repository", "triplestore.repository", {7}),
]


@pytest.mark.parametrize(("component", "kind", "waits"), MIDDLE)
def test_leaving_in_the_middle_of_a_call(
    world: WorldWithIdentities, component: str, kind: str, waits: set[int]
) -> None:
    """A call was sent, nobody knows its end, and its effect comes after the removal began: only
    what it touches waits for it.
    """
    alice = settle_person("alice", world)
    world.slow.add((kind, "apply"))
    made = make(alice, component, world)
    work_now(world)
    assert PlanChange.objects.get(kind=kind, state=PlanChange.State.RUNNING).sent_at
    plan = remove("alice", world)
    world.slow.clear()
    held = plan.steps.filter(cause="under_way")
    assert {step.n for step in held} == waits
    assert all(step.next_try_at and step.next_try_at > timezone.now() for step in held)
    assert all("may still be running there" in str(step.reason) for step in held)
    work_now(world)
    ended = set(plan.steps.filter(state__in=PlanStep.ENDED).values_list("n", flat=True))
    assert not ended & waits
    if waits != {3}:
        assert ended >= {1, 2, 3, 4}  # the fence does not wait for a database
    world.effects_come()
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not world.named("alice")
    assert not world.named(made.name)


def test_leaving_ends_what_was_begun_before_the_first_sign_in(
    world: WorldWithIdentities, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address was confirmed after the approval, and the identity provider was down: its plan is
    alice's since she came.
    """
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _size: "the link")
    registration = approve_registration("alice", world)
    confirm_email.send_again(registration.id, actor=ROOT)
    assert confirm_email.confirm("the link")
    alice = come_in("alice", registration.sub, world)
    world.broken["identity_provider"] = down
    work(world, turns=2)
    telling = Plan.objects.get(kind=confirm_email.CONFIRMATION.name, state=Plan.State.WAITING)
    assert telling.subject == str(alice.id)
    plan = remove("alice", world)
    assert not Plan.objects.filter(state__in=Plan.OPEN).exclude(id=plan.id).exists()
    world.broken.clear()
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not [write for write in world.writes if "email_verified" in write]


def test_a_worker_that_holds_a_superseded_plan_can_write_and_send_nothing(
    world: WorldWithIdentities,
) -> None:
    alice = settle_person("alice", world)
    make(alice, "sql_database", world)
    plans: list[Plan] = []

    def remove_meanwhile(system: str, verb: str) -> None:
        if system == "sql_server" and verb == "plan" and not plans:
            plans.append(remove("alice", world))

    world.call = remove_meanwhile  # type: ignore[method-assign]
    work(world)
    assert plans[0].steps.count() == 7
    assert not [write for write in world.writes if write.startswith("apply sql_server")]
    assert Plan.objects.get(kind="component.create").state == Plan.State.SUPERSEDED
    assert not world.named("alice")


def test_a_grant_from_another_person_s_plan_is_refused(world: WorldWithIdentities) -> None:
    """Whoever's plan it is: a change that gives a leaving person something is not sent, also when
    the approval comes in between.
    """
    alice, bob = settle_person("alice", world), settle_person("bob", world)
    project = Project.objects.get(owner=alice)
    make(alice, "sql_database", world, project=project)
    work(world)
    _, joining = memberships.add(project, bob, actor="alice", systems=world.systems())
    assert joining
    # The plan is made somebody else's, as a plan of the project's owner that names bob in a change
    # would be.
    Plan.objects.filter(id=joining.id).update(subject=str(alice.id), person="alice")
    looked: list[str] = []

    def remove_meanwhile(system: str, verb: str) -> None:
        if system == "ontology_editor" and verb == "plan" and not looked:
            looked.append(verb)
            remove("bob", world)

    world.call = remove_meanwhile  # type: ignore[method-assign]
    before = list(world.writes)
    work_now(world)
    work(world)
    gave = [w for w in world.writes[len(before) :] if w.startswith("apply") and "bob" in w]
    assert not [w for w in gave if "membership" in w or "grant" in w or "sql_server.user" in w]
    joining.refresh_from_db()
    assert joining.state == Plan.State.STUCK
    assert ("the person is being removed or gone and gets nothing new") in str(
        joining.steps.get(n=1).reason
    )
    assert not world.named("bob")


def test_a_grant_that_was_under_way_to_a_leaver_is_waited_for(world: WorldWithIdentities) -> None:
    alice, bob = settle_person("alice", world), settle_person("bob", world)
    project = Project.objects.get(owner=alice)
    world.slow.add(("ontology_editor.membership", "apply"))
    memberships.add(project, bob, actor="alice", systems=world.systems())
    work_now(world)
    plan = remove("bob", world)
    world.slow.clear()
    assert [step.n for step in plan.steps.filter(cause="under_way")] == [7]
    world.effects_come()
    work(world)
    assert not world.named("bob")


def test_nothing_new_is_begun_for_a_leaver(world: WorldWithIdentities) -> None:
    alice, bob = settle_person("alice", world), settle_person("bob", world)
    project = Project.objects.get(owner=alice)
    Membership.objects.create(project=project, person=bob)
    component = make(bob, "sql_database", world, project=project)
    work(world)
    remove("bob", world)
    begin: list[Callable[[], object]] = [
        lambda: make(bob, "sql_database", world),
        lambda: projects.make(bob, world.systems(), label="New"),
        lambda: tokens.create(bob, name="laptop", actor="bob"),
        lambda: memberships.ask(project, bob),
        lambda: memberships.add(project, bob, actor="alice", systems=world.systems()),
        lambda: memberships.end(project, bob, actor="bob", systems=world.systems()),
        lambda: components.delete(component, actor="bob", systems=world.systems()),
        lambda: suspend.suspend("bob", actor="root-admin", systems=world.systems()),
        lambda: suspend.resume("bob", actor="root-admin", systems=world.systems()),
        lambda: draft_removal("bob", actor="root-admin", systems=world.systems()),
    ]
    for attempt in begin:
        with pytest.raises(Refused):
            attempt()
    work(world)
    assert not world.named("bob")


def test_the_preview_says_who_loses_what(world: WorldWithIdentities) -> None:
    alice, bob, carol = (settle_person(name, world) for name in ("alice", "bob", "carol"))
    project = Project.objects.get(owner=alice)
    for member in (bob, carol):
        memberships.add(project, member, actor="alice", systems=world.systems())
    make(bob, "sql_database", world, project=project)
    work(world)
    remarks = " ".join(
        view_plan(draft_removal("alice", actor="root-admin", systems=world.systems())).remarks
    )
    assert "ends for its members: bob, carol" in remarks
    assert "“Notes” of bob stays but leaves the project “" in remarks
    own = " ".join(
        view_plan(draft_removal("bob", actor="root-admin", systems=world.systems())).remarks
    )
    assert f"bob leaves the project “{project.label}” of alice" in own
    assert "“Notes” is deleted." in own


def test_a_step_that_somebody_ends_while_the_worker_settles_ends_the_plan(
    world: WorldWithIdentities,
) -> None:
    settle_person("alice", world)
    world.broken["triplestore"] = down
    plan = remove("alice", world)
    work(world, turns=2)
    let_time_pass()
    assert plan.steps.get(n=6).state == PlanStep.State.WAITING
    world.broken.clear()
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
