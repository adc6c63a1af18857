"""The late look after a removal: what counts as having come back."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.fake_world.leaving import SUB, alice_with_everything, approved_removal
from tests.fake_world.refusing import RefusingWorld
from tests.fake_world.world import FakeConnector, Killed, World
from workspace_manager.contract.connector import ALREADY, Change, Facts, Outcome, Result, Target
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.engine import actions, invariants, pause
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import Plan, PlanStep
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.removal.sign_in_block import USER

pytestmark = pytest.mark.django_db(transaction=True)
NOTEBOOK = "notebook_hub.container:jupyter-alice"


class GoneWhenStopped(FakeConnector):
    """The notebooks of a hub that keeps no stopped container: a look then finds none, as the real
    connector says it.
    """

    def plan(self, target: Target, want: Facts | None) -> Change:
        change = super().plan(target, want)
        there = self.world.things.get(NOTEBOOK, {}).get("running")
        return change.model_copy(update={"before": {"running": True} if there else None})

    def apply(self, change: Change) -> Outcome:
        return super().apply(change) if NOTEBOOK in self.world.things else ALREADY

    def verify(self, change: Change) -> Any:
        there = self.world.things.get(NOTEBOOK, {}).get("running")
        return None if there else FakeConnector(self.world, self.kind).verify(change)


class LeftByHand(FakeConnector):
    """Accounts of another backend of the drive: only a person can delete them."""

    def remove(self, change: Change) -> Outcome:
        return Outcome(result=Result.CHANGED, by_hand=(quote_words("Delete it there."),))

    def verify(self, change: Change) -> Any:
        return FakeConnector(self.world, "nothing.at_all").verify(change)


class HubWorld(World):
    by_hand = False

    def __init__(self) -> None:
        super().__init__()
        self.called: list[tuple[str, str]] = []

    def call(self, system: str, verb: str) -> None:
        self.called.append((system, verb))

    def connector(self, kind: str) -> FakeConnector:
        if self.by_hand and kind == "drive.account":
            return LeftByHand(self, kind)
        made = GoneWhenStopped if kind == "notebook_hub.container" else FakeConnector
        return made(self, kind)


@pytest.mark.parametrize(("back", "state"), [(False, "clean"), (True, "removed")])
def test_a_container_that_is_gone_did_not_come_back(back: bool, state: str) -> None:
    world = HubWorld()
    plan = removed(world)
    if back:
        world.things[NOTEBOOK] = {"running": True}
    look_again(plan, world)
    assert plan.recheck_state == state
    assert not world.things.get(NOTEBOOK, {}).get("running")


@pytest.mark.parametrize("trouble", [Invalid, Denied])
def test_a_late_look_that_could_not_look_is_made_again(trouble: type[ConnectorError]) -> None:
    """A login page in place of an answer must not leave what came back where it is."""
    world = HubWorld()
    plan = removed(world)
    world.things[f"drive.account:{SUB}"] = {"exists": True}

    def refuse(verb: str) -> ConnectorError:
        return trouble(
            quote_words("no"),
            kind="drive.account",
            doing=quote_words(verb),
            advice=quote_words("look"),
        )

    world.broken["drive"] = refuse
    look_again(plan, world)
    assert plan.recheck_state == "stuck"
    due = recheck_of(plan).due_at
    if trouble is Invalid:
        assert due is not None
        assert timezone.now() < due < timezone.now() + timedelta(hours=1)
    if trouble is Denied:  # nobody hammers with a refused password
        assert "drive" in pause.paused_systems()
        world.broken.clear()
        called = list(world.called)
        look_again(plan, world)
        assert plan.recheck_state == "pending"
        assert ("drive", "plan") not in world.called[len(called) :]
        pause.resume("drive", actor="root-admin")
        assert recheck_of(plan).due_at is not None
    world.broken.clear()
    look_again(plan, world)
    assert plan.recheck_state == "removed"
    assert recheck_of(plan).due_at is None
    assert f"drive.account:{SUB}" not in world.things


def test_while_new_tokens_may_be_given_out_no_late_look_shows_the_end_of_tokens() -> None:
    """Neither the fence nor the end of the identity was seen: a person left both out."""
    world = HubWorld()
    world.broken["identity_provider"] = lambda verb: Invalid(
        quote_words("no"), kind="identity_provider.user", doing=quote_words(verb)
    )
    plan = removed(world, skipped=[2, 4])
    look_again(plan, world)
    assert plan.recheck_state == "clean"
    kept = {entry.credential: entry for entry in view_plan(plan).end_of_access}
    assert kept["access_token"].state == "not_shown"
    assert kept["access_token"].text == kept["password"].text != ""


def removed(world: World, *, skipped: Sequence[int] = ()) -> Plan:
    """A removal that is done, after these steps were tried in vain and skipped; what was broken is
    whole again.
    """
    alice_with_everything(world)
    world.things.pop(NOTEBOOK, None)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    for n in skipped:
        actions.skip(plan, n, actor="root-admin", reason="It stays.")
    world.broken.clear()
    for step in plan.steps.filter(state="stuck"):
        actions.retry(plan, step.n, actor="root-admin")
    for _ in range(3):
        run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    return plan


def recheck_of(plan: Plan) -> Plan:
    return plan.rechecks.get()


def let_come(plan: Plan) -> None:
    past = timezone.now() - timedelta(seconds=1)
    plan.rechecks.update(due_at=past)
    PlanStep.objects.filter(plan__belongs_to=plan).exclude(next_try_at=None).update(
        next_try_at=past
    )


def look_again(plan: Plan, world: World) -> None:
    """The time has come."""
    let_come(plan)
    run(recheck_of(plan).id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()


def test_what_was_skipped_stays_after_the_late_look_too() -> None:
    """Somebody decided that the drive account stays: nothing takes that back an hour later."""
    world = HubWorld()
    world.broken["drive"] = lambda verb: Invalid(
        quote_words("no"), kind="drive.account", doing=quote_words(verb)
    )
    plan = removed(world, skipped=[3])
    world.broken.clear()
    look_again(plan, world)
    assert world.things[f"drive.account:{SUB}"] == {"exists": True}
    assert not [write for write in world.writes if "drive.account" in write]
    assert recheck_of(plan).due_at is None


def test_a_system_that_is_not_configured_any_more_is_not_called_clean() -> None:
    world = HubWorld()
    plan = removed(world)
    let_come(plan)
    systems = world.systems()
    left = {name: system for name, system in systems.by_name.items() if name != "drive"}
    run(recheck_of(plan).id, replace(systems, by_name=left), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert plan.recheck_state == "stuck"
    assert recheck_of(plan).due_at is not None
    look_again(plan, world)
    assert plan.recheck_state == "clean"


def test_without_a_fence_the_late_look_is_counted_from_the_end_of_the_identity() -> None:
    """The provider refuses to disable the user, and deletes it: tokens may be out all the same."""
    world = RefusingWorld()
    plan = removed(world)
    assert invariants.standing_since(plan, USER) is None
    assert plan.recheck_due_at is not None
    assert plan.recheck_state == "pending"
    world.things[f"drive.account:{SUB}"] = {"exists": True}
    look_again(plan, world)
    assert plan.recheck_state == "removed"


def test_a_fence_that_was_lifted_puts_the_late_look_off() -> None:
    """Whoever was let in again meanwhile may have got a token that lives longer."""
    world = HubWorld()
    alice_with_everything(world)
    world.broken["drive"] = lambda verb: Unavailable(
        quote_words("down"), kind="drive.account", doing=quote_words(verb)
    )
    plan = approved_removal(world)
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    past = timezone.now() - timedelta(hours=2)
    plan.refresh_from_db()
    past_doors = [
        {**one, "since": past.isoformat()} if one["change"]["kind"] == USER else one
        for one in plan.invariants
    ]
    Plan.objects.filter(id=plan.id).update(
        invariants=past_doors,
        recheck_due_at=past,
        due_at=timezone.now() - timedelta(seconds=1),
    )
    world.things[f"identity_provider.user:{SUB}"]["enabled"] = True
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert world.things[f"identity_provider.user:{SUB}"]["enabled"] is False
    since = invariants.standing_since(plan, USER)
    assert since is not None
    assert since > past + timedelta(hours=1)
    assert plan.recheck_due_at is not None
    assert plan.recheck_due_at > since


def proof(plan: Plan) -> list[str]:
    """What the plan says about what came back, on every door."""
    return [text for text in view_plan(plan).findings if "again" in text]


def test_what_was_removed_is_said_when_the_rest_of_the_look_had_to_wait() -> None:
    world = HubWorld()
    plan = removed(world)
    world.things[NOTEBOOK] = {"running": True}
    world.broken["drive"] = lambda verb: Unavailable(
        quote_words("down"), kind="drive.account", doing=quote_words(verb)
    )
    look_again(plan, world)
    assert plan.recheck_state == "pending"
    assert not world.things[NOTEBOOK]["running"]
    world.broken.clear()
    look_again(plan, world)
    assert plan.recheck_state == "removed"
    [said] = proof(plan)
    assert "jupyter-alice" in said


@pytest.mark.parametrize("tick", [1, 2])
def test_what_was_removed_is_said_when_its_worker_was_killed(tick: int) -> None:
    """Right before the call's effect, and right after it."""
    world = HubWorld()
    plan = removed(world)
    world.things[f"drive.account:{SUB}"] = {"exists": True}
    world.kill_at = world.ticks + tick
    let_come(plan)
    with pytest.raises(Killed):
        run(recheck_of(plan).id, world.systems(), kinds=PLAN_KINDS)
    look_again(plan, world)
    assert plan.recheck_state == "removed"
    [said] = proof(plan)
    assert SUB in said


def test_what_came_back_and_is_left_by_hand_was_not_removed() -> None:
    world = HubWorld()
    plan = removed(world)
    world.things[f"drive.account:{SUB}"] = {"exists": True}
    world.by_hand = True
    look_again(plan, world)
    assert plan.recheck_state == "clean"
    assert proof(plan) == []


def test_a_late_look_that_looked_at_nothing_says_so() -> None:
    """Each step it is about was skipped by a person: nothing was seen, so nothing is
    called clean.
    """
    world = HubWorld()
    for system in ("notebook_hub", "drive", "identity_provider"):
        world.broken[system] = lambda verb: Invalid(
            quote_words("no"), kind="x.y", doing=quote_words(verb)
        )
    plan = removed(world, skipped=[1, 3, 4])
    look_again(plan, world)
    assert plan.recheck_state == "skipped"
    assert "Not checked." in view_plan(plan).late_look.text
    assert recheck_of(plan).due_at is None
    kept = {entry.credential: entry for entry in view_plan(plan).end_of_access}
    assert kept["access_token"].state == "not_shown"


def test_later_rechecks_are_made_when_the_deployment_says_so(settings: Any) -> None:
    """The first is shown as the late look; what a later one finds is said as well."""
    settings.RECHECK_AGAIN_HOURS = [24.0]
    world = HubWorld()
    plan = removed(world)
    first, later = plan.rechecks.order_by("due_at")
    assert first.due_at
    assert later.due_at
    assert later.due_at - first.due_at == timedelta(hours=24)
    let_come(plan)
    run(first.id, world.systems(), kinds=PLAN_KINDS)
    world.things[f"drive.account:{SUB}"] = {"exists": True}
    run(later.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert plan.recheck_state == "clean"
    assert f"drive.account:{SUB}" not in world.things
    [said] = proof(plan)
    assert SUB in said


def test_a_recheck_is_about_nobody() -> None:
    """Its person is gone: neither its plan nor a change of it may be taken for one of
    a person's.
    """
    recheck = recheck_of(removed(HubWorld()))
    assert recheck.subject == ""
    changes = [row.change for step in recheck.steps.all() for row in step.changes.all()]
    assert changes
    assert {change["subject"] for change in changes} == {""}
