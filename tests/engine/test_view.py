"""A plan is one model for every door, and what is said in it stands twice: in English, and by
code.
"""

import json

import pytest
from click.testing import CliRunner
from django.test import Client

from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.world import World
from tests.visitors import BACKEND
from workspace_manager.cli.plans import plans
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.engine.run import run
from workspace_manager.engine.view import PlanView
from workspace_manager.plan_kinds import PLAN_KINDS, PlanPreviewView, view_plan
from workspace_manager.records.models import Person, Plan

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def plan(world: World) -> Plan:
    """A removal of which a part waits for a system that is down."""
    alice_with_everything(world)
    plan = approved_removal(world)
    world.broken["sql_server"] = lambda verb: Unavailable(
        quote_words("down"), kind="sql_server.user", doing=quote_words(verb)
    )
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    return plan


def test_rest_and_command_line_show_the_model_itself(plan: Plan, client: Client) -> None:
    view = view_plan(plan).model_dump(mode="json")
    client.force_login(Person.objects.get(username="root-admin"), backend=BACKEND)
    answer = client.get(f"/api/v1/plans/{plan.id}").json()
    assert (answer.pop("transferable"), answer.pop("since_preview")) == ([], None)
    assert answer == view
    typed = CliRunner().invoke(plans, ["show", str(plan.id), "--json"])
    printed = json.loads(typed.stdout)
    assert (printed.pop("transferable"), printed.pop("since_preview")) == ([], None)
    assert printed == view


def test_rest_answers_the_model_and_what_a_draft_is_looked_at_for() -> None:
    besides = PlanPreviewView.model_fields.keys() - PlanView.model_fields.keys()
    assert besides == {"transferable", "since_preview"}


def test_what_is_said_stands_beside_its_english_by_code_and_parameters(plan: Plan) -> None:
    view = view_plan(plan).model_dump(mode="json")
    waits = next(step for step in view["steps"] if step["reason"].startswith("Waiting for step"))
    assert waits["reason_message"]["code"] == "engine.waits_for"
    assert waits["reason_message"]["params"].keys() == {"steps"}
    assert waits["advice_message"] is None
    for step in view["steps"]:
        for part in (step, *step["evidence"], *step["changes"]):
            said = {name: text for name, text in part.items() if f"{name}_message" in part}
            assert said
            for name, text in said.items():
                message = part[f"{name}_message"]
                assert (message is None) == (text == "")
                assert message is None or message.keys() == {"code", "params"}
