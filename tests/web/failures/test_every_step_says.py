"""Failures of every kind in every step: page, command line and API say what happened, since when,
when it goes on and what to do.

Every kind of failure meets every kind of step in the engine itself; what is shown is read as people
and programs read it.
"""

import html
import re
from typing import Any

import pytest
from click.testing import CliRunner

from tests.fake_world.world import World
from tests.test_stable_names import STEPS
from tests.visitors import Visitor
from tests.web.failures.kinds import FAILURES, KIND_OF_STEP, broken, plan_of
from workspace_manager.cli.__main__ import main
from workspace_manager.cli.local_time import local
from workspace_manager.engine import pause as pausing
from workspace_manager.engine.run import run
from workspace_manager.engine.waits import NOT_BY_ITSELF, WHEN_BACK, WHEN_RESUMED
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Person, Plan

STUCK = {"denied", "not found", "conflict", "invalid"}


def test_every_step_there_is_has_a_kind() -> None:
    assert set(KIND_OF_STEP) == STEPS


def failing_plan(name: str, person: Person, world: World) -> Plan:
    plan = plan_of(name, person)
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    return plan


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("name", KIND_OF_STEP)
@pytest.mark.one_in(10)
def test_every_failure_in_every_step_explains_itself(
    name: str, failure: str, as_administrator: Visitor, alice: Person
) -> None:
    step = explained(failing_plan(name, alice, broken(FAILURES[failure])), as_administrator)
    assert step["state"] == ("stuck" if failure in STUCK else "waiting")
    assert "a failure of the kind" in step["reason"]


@pytest.mark.parametrize("name", KIND_OF_STEP)
@pytest.mark.one_in(3)
def test_what_is_held_says_what_holds_it(
    name: str, as_administrator: Visitor, alice: Person
) -> None:
    """A system that is paused, a person who is suspended, a system that is not set up any more."""
    system = KIND_OF_STEP[name].partition(".")[0]
    pausing.pause(system, actor="ada", reason="being moved")
    step = explained(failing_plan(name, alice, World()), as_administrator)
    assert (step["state"], step["again"]) == ("waiting", WHEN_RESUMED.english)
    assert "being moved" in step["reason"]
    pausing.resume(system, actor="ada")
    Plan.objects.all().delete()
    world = World()
    systems = world.systems()
    del systems.by_name[system]  # type: ignore[attr-defined]
    plan = plan_of(name, alice)
    run(plan.id, systems, kinds=PLAN_KINDS)
    step = explained(plan, as_administrator)
    assert (step["state"], step["again"]) == ("stuck", NOT_BY_ITSELF.english)
    assert "not configured" in step["reason"]


def test_what_is_given_to_somebody_suspended_waits_for_the_end_of_it(
    as_administrator: Visitor, alice: Person
) -> None:
    Person.objects.filter(id=alice.id).update(state=Person.State.SUSPENDED)
    step = explained(failing_plan("create_database", alice, World()), as_administrator)
    assert (step["state"], step["again"]) == ("waiting", WHEN_BACK.english)
    assert "suspended" in step["reason"]


def explained(plan: Plan, visitor: Visitor) -> dict[str, Any]:
    """The one step of a plan, after page, command line and API were seen to say the same
    about it.
    """
    document = visitor.ask("GET", f"/plans/{plan.id}").json()
    step: dict[str, Any]
    (step,) = document["steps"]
    page = on_the_page(visitor, plan)
    terminal = CliRunner().invoke(main, ["plans", "show", str(plan.id)])
    assert terminal.exit_code == 0, terminal.output
    assert step["reason"]
    assert step["advice"]
    assert step["since"]
    assert step["attempts"] >= 1
    assert bool(step["next_try_at"]) != bool(step["again"])
    assert plan_state(plan) == document["state"] == step["state"]
    for text in (step["reason"], step["advice"], step["again"]):
        assert text in terminal.output
        assert text[1:] in page
    for moment in filter(None, (step["since"], step["next_try_at"])):
        assert local(moment) in terminal.output
        assert moment[:19] in page
    assert f"since {step['since'][:19]}" in page
    assert "What to do:" in page
    assert "What to do:" in terminal.output
    return step


def plan_state(plan: Plan) -> str:
    plan.refresh_from_db()
    return str(plan.state)


def on_the_page(visitor: Visitor, plan: Plan) -> str:
    """The step on its page, as text; of times what programs read of them."""
    page = visitor.get(f"/manage/plans/{plan.id}").content.decode()
    (part,) = re.findall(r'<li class="step [^>]*id="step-1">.*?</div></li>', page, re.DOTALL)
    part = re.sub(r'<time datetime="([^"]*)"[^>]*>', r" \1 ", part)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part)).split())
