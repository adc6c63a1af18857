"""No plan gives anything to somebody whom the identity provider does not let in; what takes goes
on.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from workspace_manager.access import provider_state
from workspace_manager.contract.errors import ConnectorError, Denied, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.engine import actions
from workspace_manager.engine import pause as pausing
from workspace_manager.engine.run import run
from workspace_manager.people import suspend
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Component, Person, Plan, PlanStep, ProviderState
from workspace_manager.work import components

pytestmark = pytest.mark.django_db(transaction=True)
SUB = "sub-of-mira"
USER = f"identity_provider.user:{SUB}"


@pytest.fixture
def mira(world: World) -> Person:
    make_person("root-admin", role="administrator")
    world.things[USER] = {"enabled": True, "sessions": 0}
    return make_person("mira", sub=SUB)


def asked_for(person: Person, world: World) -> Plan:
    return components.create(
        person, kind="sql_database", label="Notes", project=None, systems=world.systems()
    )[1]


def first_step(plan: Plan) -> PlanStep:
    return plan.steps.get(n=1)


def find_sql_writes(world: World) -> list[str]:
    return [text for text in world.writes if "sql_server" in text]


def minutes_pass(minutes: float) -> None:
    ProviderState.objects.update(answered_at=timezone.now() - timedelta(minutes=minutes))


def broken(world: World, error: type[ConnectorError]) -> None:
    world.broken["identity_provider"] = lambda verb: error(
        quote_words("broken"), kind="identity_provider.user", doing=quote_words(verb)
    )


def test_who_is_disabled_there_is_given_nothing_until_enabled(world: World, mira: Person) -> None:
    world.things[USER]["enabled"] = False
    plan = asked_for(mira, world)
    work(world, turns=3)
    step = first_step(plan)
    assert (step.state, find_sql_writes(world)) == (PlanStep.State.WAITING, [])
    assert "mira is disabled at the identity provider" in str(step.reason)
    assert step.next_try_at is not None
    world.things[USER]["enabled"] = True
    work(world)
    assert Component.objects.get().state == Component.State.READY


def test_who_is_being_let_in_again_by_us_is_asked_for_soon(world: World, mira: Person) -> None:
    plan = asked_for(mira, world)
    suspend.suspend("mira", actor="root-admin", systems=world.systems())
    work(world, turns=3)
    assert not world.things[USER]["enabled"]
    suspend.resume("mira", actor="root-admin", systems=world.systems())
    # Of the two plans the creation may be taken up first: the account there is still disabled.
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    step = first_step(plan)
    assert "mira is disabled at the identity provider" in str(step.reason)
    assert step.next_try_at is not None
    assert step.next_try_at < timezone.now() + timedelta(seconds=20)
    work(world)
    assert Component.objects.get().state == Component.State.READY


def test_who_is_deleted_there_is_given_nothing_and_a_person_decides(
    world: World, mira: Person
) -> None:
    world.things[USER] = {"gone": True}
    plan = asked_for(mira, world)
    work(world, turns=3)
    step = first_step(plan)
    assert (step.state, find_sql_writes(world)) == (PlanStep.State.STUCK, [])
    assert "no longer exists at the identity provider" in str(step.reason)
    assert "Remove the person here" in str(step.advice)
    assert Person.objects.get(username="mira").state == Person.State.ACTIVE


def test_an_answer_of_four_minutes_ago_is_good_and_one_of_six_is_not(
    world: World, mira: Person
) -> None:
    provider_state.note(SUB, provider_state.State.ENABLED)
    minutes_pass(4)
    world.things[USER]["enabled"] = False
    asked_for(mira, world)
    work(world)
    assert Component.objects.get().state == Component.State.READY
    minutes_pass(6)
    later = asked_for(mira, world)
    before = find_sql_writes(world)
    work(world, turns=3)
    assert first_step(later).state == PlanStep.State.WAITING
    assert find_sql_writes(world) == before


@pytest.mark.parametrize("error", [Unavailable, Denied])
def test_who_cannot_be_asked_for_waits_and_pauses_no_other_system(
    world: World, mira: Person, error: type[ConnectorError]
) -> None:
    plan = asked_for(mira, world)
    broken(world, error)
    work(world, turns=3)
    step = first_step(plan)
    assert (step.state, find_sql_writes(world)) == (PlanStep.State.WAITING, [])
    assert "sql_server" not in pausing.paused_systems()
    world.broken.clear()
    work(world)
    assert Component.objects.get().state == Component.State.READY


def test_one_that_is_paused_is_not_asked(
    world: World, mira: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = asked_for(mira, world)
    pausing.pause("identity_provider", actor="root-admin", reason="a move")

    def asked(*_: Any) -> None:
        raise AssertionError("it was asked")

    monkeypatch.setattr(provider_state, "ask", asked)
    work(world, turns=3)
    step = first_step(plan)
    assert step.state == PlanStep.State.WAITING
    assert "a move" in str(step.reason)
    monkeypatch.undo()
    pausing.resume("identity_provider", actor="root-admin")
    work(world)
    assert Component.objects.get().state == Component.State.READY


def test_a_removal_of_who_is_disabled_or_gone_there_goes_on(world: World) -> None:
    alice_with_everything(world)
    plan = approved_removal(world)
    provider_state.note(plan.subject, provider_state.State.GONE)
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not ProviderState.objects.filter(sub="sub-of-alice").exists()


def test_letting_somebody_back_in_is_not_kept_from_it_by_our_own_lock(
    world: World, mira: Person
) -> None:
    asked_for(mira, world)
    work(world)
    suspend.suspend("mira", actor="root-admin", systems=world.systems())
    work(world)
    assert world.things[USER]["enabled"] is False
    provider_state.ask(SUB, world.systems())
    plan = suspend.resume("mira", actor="root-admin", systems=world.systems())
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert world.things[USER]["enabled"] is True
    assert not world.things["sql_server.user:mira"].get("locked")


def test_a_step_that_a_person_retries_asks_again(world: World, mira: Person) -> None:
    world.things[USER] = {"gone": True}
    plan = asked_for(mira, world)
    work(world, turns=3)
    world.things[USER] = {"enabled": True}
    actions.retry(plan, 1, actor="root-admin")
    work(world)
    assert Component.objects.get().state == Component.State.READY
