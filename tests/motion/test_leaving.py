"""Leaving wins: whatever else is being made for somebody, from the approval on nothing is given, and what appears late is removed."""

import pytest
from django.utils import timezone

from tests.fake_world.work import let_time_pass, work, work_now
from tests.motion.people import ROOT, administrator, approved, come_in, make, remove, settled
from tests.motion.town import Town
from workspace_manager.contract.errors import Unavailable
from workspace_manager.core.refusal import Refused
from workspace_manager.people import confirm_email, suspend, tokens
from workspace_manager.plan_kinds import shown
from workspace_manager.records.models import (
    Component,
    Membership,
    Person,
    Plan,
    PlanChange,
    PlanStep,
    Project,
    VaultEntry,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work import components, memberships, projects

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def town() -> Town:
    administrator()
    return Town()


def down(verb: str) -> Unavailable:
    return Unavailable("down", kind="sql_server.user", doing=verb, advice="wait")


def test_leaving_while_a_creation_is_stuck_on_a_dead_system(town: Town) -> None:
    alice = settled("alice", town)
    town.broken["sql_server"] = down
    make(alice, "sql_database", town)
    work(town, turns=2)
    creation = Plan.objects.get(kind="component.create")
    assert creation.state == Plan.State.WAITING
    plan = remove("alice", town)
    creation.refresh_from_db()
    assert creation.state == Plan.State.SUPERSEDED
    assert creation.due_at is None
    assert not VaultEntry.objects.filter(plan=creation).exists()
    work(town, turns=3)
    plan.refresh_from_db()
    assert plan.state == Plan.State.WAITING
    assert not town.users("alice")  # nothing that does not need the dead system waits for it
    town.broken.clear()
    work(town)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not town.named("alice")
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
    town: Town, component: str, kind: str, waits: set[int]
) -> None:
    """A call was sent, nobody knows its end, and its effect comes after the removal began: only what it touches waits for it."""
    alice = settled("alice", town)
    town.slow.add((kind, "apply"))
    made = make(alice, component, town)
    work_now(town)
    assert PlanChange.objects.get(kind=kind, state=PlanChange.State.RUNNING).sent_at
    plan = remove("alice", town)
    town.slow.clear()
    held = plan.steps.filter(cause="under_way")
    assert {step.n for step in held} == waits
    assert all(step.next_try_at and step.next_try_at > timezone.now() for step in held)
    assert all("still be under way" in step.reason for step in held)
    work_now(town)
    ended = set(plan.steps.filter(state__in=PlanStep.ENDED).values_list("n", flat=True))
    assert not ended & waits
    if waits != {3}:
        assert ended >= {1, 2, 3, 4}  # the fence does not wait for a database
    town.effects_come()
    work(town)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not town.named("alice")
    assert not town.named(made.name)


def test_leaving_ends_what_was_begun_before_the_first_sign_in(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address was confirmed after the approval, and the identity provider was down: its plan is alice's since she came."""
    monkeypatch.setattr(confirm_email.secrets, "token_urlsafe", lambda _size: "the link")
    registration = approved("alice", town)
    confirm_email.send_again(registration.id, actor=ROOT)
    assert confirm_email.confirm("the link")
    alice = come_in("alice", registration.sub, town)
    town.broken["identity_provider"] = down
    work(town, turns=2)
    telling = Plan.objects.get(kind=confirm_email.KIND, state=Plan.State.WAITING)
    assert telling.subject == str(alice.id)
    plan = remove("alice", town)
    assert not Plan.objects.filter(state__in=Plan.OPEN).exclude(id=plan.id).exists()
    town.broken.clear()
    work(town)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not [write for write in town.writes if "email_verified" in write]


def test_a_worker_that_holds_a_superseded_plan_can_write_and_send_nothing(town: Town) -> None:
    alice = settled("alice", town)
    make(alice, "sql_database", town)
    plans: list[Plan] = []

    def remove_meanwhile(system: str, verb: str) -> None:
        if system == "sql_server" and verb == "plan" and not plans:
            plans.append(remove("alice", town))

    town.call = remove_meanwhile  # type: ignore[method-assign]
    work(town)
    assert plans[0].steps.count() == 7
    assert not [write for write in town.writes if write.startswith("apply sql_server")]
    assert Plan.objects.get(kind="component.create").state == Plan.State.SUPERSEDED
    assert not town.named("alice")


def test_a_grant_from_another_person_s_plan_is_refused(town: Town) -> None:
    """Whoever's plan it is: a change that gives a leaving person something is not sent, also when the approval comes in between."""
    alice, bob = settled("alice", town), settled("bob", town)
    project = Project.objects.get(owner=alice)
    make(alice, "sql_database", town, project=project)
    work(town)
    _, joining = memberships.add(project, bob, actor="alice", systems=town.systems())
    assert joining
    # The plan is made somebody else's, as a plan of the project's owner that names bob in a change would be.
    Plan.objects.filter(id=joining.id).update(subject=str(alice.id), person="alice")
    looked: list[str] = []

    def remove_meanwhile(system: str, verb: str) -> None:
        if system == "ontology_editor" and verb == "plan" and not looked:
            looked.append(verb)
            remove("bob", town)

    town.call = remove_meanwhile  # type: ignore[method-assign]
    before = list(town.writes)
    work_now(town)
    work(town)
    gave = [w for w in town.writes[len(before) :] if w.startswith("apply") and "bob" in w]
    assert not [w for w in gave if "membership" in w or "grant" in w or "sql_server.user" in w]
    joining.refresh_from_db()
    assert joining.state == Plan.State.STUCK
    assert "leaving or gone" in joining.steps.get(n=1).reason
    assert not town.named("bob")


def test_a_grant_that_was_under_way_to_a_leaver_is_waited_for(town: Town) -> None:
    alice, bob = settled("alice", town), settled("bob", town)
    project = Project.objects.get(owner=alice)
    town.slow.add(("ontology_editor.membership", "apply"))
    memberships.add(project, bob, actor="alice", systems=town.systems())
    work_now(town)
    plan = remove("bob", town)
    town.slow.clear()
    assert [step.n for step in plan.steps.filter(cause="under_way")] == [7]
    town.effects_come()
    work(town)
    assert not town.named("bob")


def test_nothing_new_is_begun_for_a_leaver(town: Town) -> None:
    alice, bob = settled("alice", town), settled("bob", town)
    project = Project.objects.get(owner=alice)
    Membership.objects.create(project=project, person=bob)
    component = make(bob, "sql_database", town, project=project)
    work(town)
    remove("bob", town)
    begin = [
        lambda: make(bob, "sql_database", town),
        lambda: projects.make(bob, town.systems(), label="New"),
        lambda: tokens.create(bob, name="laptop", actor="bob"),
        lambda: memberships.ask(project, bob),
        lambda: memberships.add(project, bob, actor="alice", systems=town.systems()),
        lambda: memberships.end(project, bob, actor="bob", systems=town.systems()),
        lambda: components.delete(component, actor="bob", systems=town.systems()),
        lambda: suspend.suspend("bob", actor="root-admin", systems=town.systems()),
        lambda: suspend.resume("bob", actor="root-admin", systems=town.systems()),
        lambda: draft_removal("bob", actor="root-admin", systems=town.systems()),
    ]
    for attempt in begin:
        with pytest.raises(Refused):
            attempt()
    work(town)
    assert not town.named("bob")


def test_the_preview_says_who_loses_what(town: Town) -> None:
    alice, bob, carol = (settled(name, town) for name in ("alice", "bob", "carol"))
    project = Project.objects.get(owner=alice)
    for member in (bob, carol):
        memberships.add(project, member, actor="alice", systems=town.systems())
    make(bob, "sql_database", town, project=project)
    work(town)
    remarks = " ".join(
        shown(draft_removal("alice", actor="root-admin", systems=town.systems())).remarks
    )
    assert "ends for its members: bob, carol" in remarks
    assert "“Notes” of bob stays, but leaves project" in remarks
    own = " ".join(shown(draft_removal("bob", actor="root-admin", systems=town.systems())).remarks)
    assert f"bob leaves project “{project.label}” of alice" in own
    assert "“Notes” is deleted; it is shared in project" in own


def test_a_new_membership_makes_a_draft_stale(town: Town) -> None:
    alice, bob = settled("alice", town), settled("bob", town)
    plan = draft_removal("bob", actor="root-admin", systems=town.systems())
    memberships.add(Project.objects.get(owner=alice), bob, actor="alice", systems=town.systems())
    with pytest.raises(Refused, match="added since"):
        approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=town.systems())
    plan.refresh_from_db()
    assert plan.state == Plan.State.STALE
    assert Person.objects.get(username="bob").state == Person.State.ACTIVE


def test_a_step_that_somebody_ends_while_the_worker_settles_ends_the_plan(town: Town) -> None:
    settled("alice", town)
    town.broken["triplestore"] = down
    plan = remove("alice", town)
    work(town, turns=2)
    let_time_pass()
    assert plan.steps.get(n=6).state == PlanStep.State.WAITING
    town.broken.clear()
    work(town)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
