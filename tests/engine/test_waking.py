"""A plan that waits is woken whenever the thing that it waits for comes; an ended one is not."""

from typing import Any

import pytest
from django.db import connection

from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.people import make_person
from tests.fake_world.world import World
from workspace_manager.contract.errors import Denied, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.engine import pause as pausing
from workspace_manager.engine import run as engine
from workspace_manager.engine.run import run
from workspace_manager.people import suspend
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Person, Plan, PlanStep
from workspace_manager.work import components

pytestmark = pytest.mark.django_db(transaction=True)


def just_before_it_is_written(monkeypatch: pytest.MonkeyPatch, name: str, done: Any) -> None:
    """Do something once, between a step's trouble and the writing down of it."""
    write, left = engine._write_failures, [name]

    def wrapped(running: Any, step: PlanStep, failures: Any) -> None:
        if step.name in left:
            left.clear()
            done()
        write(running, step, failures)

    monkeypatch.setattr(engine, "_write_failures", wrapped)


def test_a_system_that_is_resumed_while_a_step_finds_it_paused_wakes_that_step(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice_with_everything(world)
    plan = approved_removal(world)
    pausing.pause("sql_server", actor="root-admin", reason="a move")
    just_before_it_is_written(
        monkeypatch, "drop_sql_users", lambda: pausing.resume("sql_server", actor="root-admin")
    )
    for _ in range(3):
        run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE


def test_somebody_let_back_in_while_a_step_finds_the_suspension_wakes_that_step(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_person("root-admin", role="administrator")
    mira = make_person("mira", sub="sub-of-mira")
    plan = components.create(
        mira, kind="sql_database", label="Notes", project=None, systems=world.systems()
    )[1]
    Person.objects.filter(id=mira.id).update(state=Person.State.SUSPENDED)
    just_before_it_is_written(
        monkeypatch,
        "create_sql_user",
        lambda: suspend.resume("mira", actor="root-admin", systems=world.systems()),
    )
    for _ in range(3):
        run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert plan.due_at is not None or plan.state == Plan.State.DONE
    assert not plan.steps.filter(cause="suspended").exists()


def test_a_step_that_a_person_ends_while_its_system_is_resumed_stays_ended(world: World) -> None:
    alice_with_everything(world)
    plan = approved_removal(world)
    world.broken["sql_server"] = lambda verb: Unavailable(
        quote_words("down"), kind="sql_server.user", doing=quote_words(verb)
    )
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    step = plan.steps.get(name="drop_sql_users")
    assert step.state == PlanStep.State.WAITING

    def skipped_meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("UPDATE") and "records_planstep" in sql and not ended:
            ended.append(step.n)
            PlanStep.objects.filter(id=step.id).update(state=PlanStep.State.SKIPPED)
        return execute(sql, *rest)

    ended: list[int] = []
    with connection.execute_wrapper(skipped_meanwhile):
        pausing.make_plans_due("sql_server")
    step.refresh_from_db()
    assert ended
    assert step.state == PlanStep.State.SKIPPED


def test_a_resumed_system_brings_no_late_look_forward(world: World) -> None:
    """A plan that was closed meanwhile is due for its late look, and not a moment earlier."""
    alice_with_everything(world)
    plan = approved_removal(world)
    world.broken["sql_server"] = lambda verb: Denied(
        quote_words("no"), kind="sql_server.user", doing=quote_words(verb)
    )
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    Plan.objects.filter(id=plan.id).update(due_at=None)

    def closed_meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("SELECT") and 'FROM "records_plan"' in sql and not closed:
            closed.append(True)
            Plan.objects.filter(id=plan.id).update(state=Plan.State.DONE)
        return execute(sql, *rest)

    closed: list[bool] = []
    with connection.execute_wrapper(closed_meanwhile):
        pausing.make_plans_due("sql_server")
    plan.refresh_from_db()
    assert closed
    assert plan.due_at is None
    assert plan.steps.filter(state="stuck").exists(), "nor is a step of it touched"
