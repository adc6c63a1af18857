"""A plan runs as it was approved: the stored text, less what had gone by then. Anything else runs
nothing.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.world import World
from workspace_manager.engine.plan import digest_of
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import Component, Plan, PlanChange
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def removal(world: World) -> Plan:
    alice_with_everything(world)
    return approved_removal(world)


def run_it(plan: Plan, world: World) -> None:
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()


def another_target(plan: Plan) -> None:
    row = PlanChange.objects.get(step__plan=plan, kind="sql_server.user")
    row.change = {**row.change, "target": {"user": "bob"}}
    row.save()


def another_wish(plan: Plan) -> None:
    row = PlanChange.objects.get(step__plan=plan, kind="sql_server.user")
    row.change = {**row.change, "after": {"exists": True}}
    row.save()


def one_more(plan: Plan) -> None:
    row = PlanChange.objects.get(step__plan=plan, kind="triplestore.user")
    row.pk, row.position = None, 9
    row.save()


def one_less(plan: Plan) -> None:
    PlanChange.objects.get(step__plan=plan, kind="sql_server.user").delete()


def no_needs(plan: Plan) -> None:
    plan.steps.filter(n=4).update(needs=[])


def another_text(plan: Plan) -> None:
    text = plan.document_text.replace("alice", "mallory")
    Plan.objects.filter(id=plan.id).update(document_text=text)


@pytest.mark.parametrize(
    "tamper", [another_target, another_wish, one_more, one_less, no_needs, another_text]
)
def test_a_plan_that_is_not_the_approved_one_runs_nothing_and_says_so(
    world: World, removal: Plan, tamper: Callable[[Plan], None]
) -> None:
    tamper(removal)
    run_it(removal, world)
    assert removal.state == Plan.State.STUCK
    assert world.writes == []
    open_steps = [step for step in view_plan(removal).steps if step.state != "skipped"]
    assert {step.state for step in open_steps} == {"stuck"}
    assert all(
        ("the plan that would run is not the plan that was approved") in step.reason
        for step in open_steps
    )
    assert all(step.advice for step in open_steps)


def test_a_text_that_another_version_wrote_is_still_the_approved_one(
    world: World, removal: Plan
) -> None:
    """With a member this version does not know, and in an order it would not write."""
    document: dict[str, Any] = {"of_another_version": 1, **json.loads(removal.document_text)}
    document["steps"][0]["unknown"] = ["x"]
    text = json.dumps(document, indent=1)
    Plan.objects.filter(id=removal.id).update(document_text=text, digest=digest_of(text))
    run_it(removal, world)
    assert removal.state == Plan.State.DONE


def test_what_had_gone_stands_beside_the_approved_text_and_its_digest(world: World) -> None:
    alice_with_everything(world)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    text, digest = plan.document_text, plan.digest
    Component.objects.filter(kind="triplestore_repository").delete()
    approve_removal(plan.id, digest=digest, actor="root-admin", systems=world.systems())
    plan.refresh_from_db()
    assert (plan.document_text, plan.digest) == (text, digest)
    assert digest_of(plan.document_text) == plan.digest
    assert plan.removed
    assert plan.added == []
    run_it(plan, world)
    assert plan.state == Plan.State.DONE
    assert not [write for write in world.writes if "triplestore.repository" in write]


def test_what_was_said_to_have_gone_and_is_there_runs_nothing(world: World, removal: Plan) -> None:
    Plan.objects.filter(id=removal.id).update(removed=[{"n": 5, "position": 0}])
    run_it(removal, world)
    assert removal.state == Plan.State.STUCK
    assert world.writes == []


@pytest.mark.parametrize("forgotten", [True, False])
def test_what_was_added_runs_as_it_was_written_down_beside_the_approved(
    world: World, forgotten: bool
) -> None:
    alice = alice_with_everything(world)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    Component.objects.create(owner=alice, kind="sql_database", label="New", name="ws_new")
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    plan.refresh_from_db()
    assert [one["what"]["kind"] for one in plan.added] == [
        "sql_server.database",
        "records.component",
    ]
    if forgotten:
        Plan.objects.filter(id=plan.id).update(added=plan.added[:1])
    run_it(plan, world)
    assert plan.state == (Plan.State.STUCK if forgotten else Plan.State.DONE)
    assert bool(world.writes) is not forgotten
