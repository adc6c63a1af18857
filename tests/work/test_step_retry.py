"""The owner of a component or a stack has it tried again, and can do nothing else with the plan."""

import pytest

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.people import here, make_person
from tests.fake_world.templates import make_stack_request, offer_template, with_drive
from tests.fake_world.work import work, work_now
from tests.people_in_motion.test_leaving import down
from tests.visitors import BACKEND, Visitor
from tests.work.test_stacks import broken
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.pause import pause, resume
from workspace_manager.people import suspend
from workspace_manager.records.models import (
    AuditEntry,
    Component,
    Person,
    Plan,
    PlanStep,
    Stack,
    SystemStatus,
)
from workspace_manager.work import components, stacks, step_retry

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> WorldWithIdentities:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return WorldWithIdentities()


@pytest.fixture
def alice(world: WorldWithIdentities) -> Person:
    return with_drive(here(world, "alice"))


def ordered(world: WorldWithIdentities, owner: Person) -> Component:
    made, _ = components.create(
        owner, kind="sql_database", label="Notes", project=None, systems=world.systems()
    )
    return made


def signed_in(person: Person) -> Visitor:
    visitor = Visitor(person)
    visitor.force_login(person, backend=BACKEND)
    return visitor


def page(person: Person, address: str) -> str:
    return str(signed_in(person).get(address).content.decode())


def test_a_stack_that_is_stuck_is_finished_by_its_owner(
    alice: Person, world: WorldWithIdentities
) -> None:
    """By the page of a part as well: it is made as one."""
    offer_template(world)
    world.broken["triplestore"] = broken
    stack, plan = stacks.create(
        alice, label="Ferns", project=None, wanted=make_stack_request(), systems=world.systems()
    )
    work(world)
    stack.refresh_from_db()
    assert stack.state == Stack.State.FAILED
    part = stack.parts.get(kind="triplestore_repository")
    assert step_retry.retry(part, actor="alice").id == plan.id
    work(world)
    del world.broken["triplestore"]
    assert "Try again now" in page(alice, f"/stacks/{stack.id}")
    answer = signed_in(alice).ask("POST", f"/stacks/{stack.id}/retry")
    assert (answer.status_code, answer.json()["plan"]) == (202, str(plan.id))
    work(world)
    stack.refresh_from_db()
    assert stack.state == Stack.State.READY
    assert not PlanStep.objects.filter(plan=plan, state__in=["skipped", "by_hand"]).exists()
    assert AuditEntry.objects.filter(event="step:retried", actor="alice").exists()
    with pytest.raises(Refused, match="No step of “Ferns” is stuck"):
        step_retry.retry(stack, actor="alice")


def test_a_deletion_that_waits_is_tried_at_once(alice: Person, world: WorldWithIdentities) -> None:
    component = ordered(world, alice)
    work(world)
    world.broken["sql_server"] = down
    components.delete(component, actor="alice", systems=world.systems())
    work_now(world)
    world.broken.clear()
    work_now(world)
    assert Component.objects.exists(), "the next try is later"
    step_retry.retry(component, actor="alice")
    work_now(world)
    assert not Component.objects.exists()


def test_what_a_try_does_not_end_is_not_tried(alice: Person, world: WorldWithIdentities) -> None:
    """A paused system is called by nobody, and somebody who is suspended is given nothing."""
    component = ordered(world, alice)
    pause("sql_server", actor="root-admin", reason=quote_words("repairs"))
    work_now(world)
    with pytest.raises(Refused, match=r"does not help now: .*paused") as refused:
        step_retry.retry(component, actor="alice")
    assert refused.value.plan == str(Plan.objects.get(kind="component.create").id)
    assert SystemStatus.objects.get(system="sql_server").paused
    assert "Try again now" not in page(alice, f"/components/{component.id}")
    resume("sql_server", actor="root-admin")
    suspend.suspend("alice", actor="root-admin", systems=world.systems())
    work(world)
    with pytest.raises(Refused, match="suspended"):
        step_retry.retry(component, actor="root-admin")


def test_a_call_that_may_be_under_way_is_waited_for(
    alice: Person, world: WorldWithIdentities
) -> None:
    world.slow.add(("sql_server.database", "apply"))
    component = ordered(world, alice)
    work_now(world)
    components.delete(component, actor="alice", systems=world.systems())
    work_now(world)
    with pytest.raises(Refused, match="may still be running there"):
        step_retry.retry(component, actor="alice")
