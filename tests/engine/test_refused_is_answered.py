"""A call that was refused is over: the next try does not wait for it."""

import pytest

from workspace_manager.contract.connector import (
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import ConnectorError, Invalid, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine import actions
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.engine.run import run
from workspace_manager.people.undo_approval import UNDOING
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Plan, PlanStep

pytestmark = pytest.mark.django_db(transaction=True)
KIND = "sql_server.user"


class Refusing:
    """A connector whose server refuses each creation."""

    kind = KIND
    calls = CallPolicy()

    def __init__(self, error: type[ConnectorError]) -> None:
        self.error = error
        self.sent = 0

    def plan(self, target: Target, want: Facts | None) -> Change:
        return Change(kind=KIND, subject="", target=dict(target), before=None, after=want)

    def apply(self, change: Change) -> Outcome:
        self.sent += 1
        raise self.error(
            quote_words("the password policy"), kind=KIND, doing=quote_words("creating")
        )

    remove = apply

    def verify(self, change: Change) -> Evidence | None:
        return None


class Server:
    name = "sql_server"

    def __init__(self, connector: Refusing) -> None:
        self.connectors = {KIND: connector}


def tried_twice(connector: Refusing) -> PlanStep:
    change = Change(kind=KIND, subject="", target={"user": "alice"}, after={"exists": True})
    step = PlannedStep(
        n=1, name="delete_record", system="sql_server", changes=(plan_change(change),)
    )
    document = PlanDocument(kind=UNDOING.name, person="alice", subject="", steps=(step,))
    plan = store(document, actor="ada", state=Plan.State.RUNNING)
    systems = ConnectedSystems(by_name={"sql_server": Server(connector)}, settings={})  # type: ignore[dict-item]
    run(plan.id, systems, kinds=PLAN_KINDS)
    actions.retry(plan, 1, actor="ada")
    run(plan.id, systems, kinds=PLAN_KINDS)
    return plan.steps.get()


def test_a_refusal_is_said_again_at_once() -> None:
    connector = Refusing(Invalid)
    step = tried_twice(connector)
    assert (step.state, connector.sent) == ("stuck", 2)
    assert "the password policy" in str(step.reason)


def test_what_nobody_answered_is_waited_for() -> None:
    connector = Refusing(Unavailable)
    step = tried_twice(connector)
    assert (step.state, connector.sent) == ("waiting", 1)
    assert "an earlier attempt may still be running there" in str(step.reason)
