"""A refusal that concerns one thing makes that thing stuck, and the system goes on; only a refusal
of our credential itself pauses it. The same in every system, for every kind of change.
"""

from collections.abc import Mapping

import pytest

from tests.conformance.parts import PLACES as EVERYWHERE
from tests.fake_world.work import let_time_pass
from workspace_manager.contract.connector import System
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine import actions, pause
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.engine.run import run
from workspace_manager.people.undo_approval import UNDOING
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import AuditEntry, Plan, SystemStatus
from workspace_sandbox.conformance.case import needs
from workspace_sandbox.conformance.trial import Trial

pytestmark = pytest.mark.django_db(transaction=True)
PLACES = {place: cases for place, cases in EVERYWHERE.items() if not place.real}


def plan_for(trial: Trial) -> Plan:
    """A plan that does nothing but this one thing."""
    change = trial.unplanned()
    step = PlannedStep(
        n=1, name="delete_record", system=change.system, changes=(plan_change(change),)
    )
    document = PlanDocument(kind=UNDOING.name, person="alice", subject="", steps=(step,))
    return store(document, actor="ada", state=Plan.State.RUNNING)


def go_on(plan: Plan, systems: Mapping[str, System]) -> str:
    """Work on it; gives the state of its step."""
    let_time_pass(id=plan.id)
    run(plan.id, ConnectedSystems(by_name=systems, settings={}), kinds=PLAN_KINDS)
    return plan.steps.get().state


@needs("breakable")
@pytest.mark.one_in(6)
def test_one_thing_is_stuck_and_the_system_goes_on(trial: Trial) -> None:
    name = trial.place.system
    systems = {name: trial.system}
    for write in trial.writes:
        trial.another()
        trial.prepare()
        plan = plan_for(trial)
        with trial.fault("status", write, status=403) as hits:
            for _ in ("at first", "resumed by a person"):
                state = go_on(plan, systems)
                assert hits()
                assert state == "stuck" or trial.done
                assert not pause.paused_systems(), write
                pause.resume(name, actor="ada")
        if plan.steps.get().state == "stuck":  # not understood: a resume does not wake it
            actions.retry(plan, 1, actor="ada")
        assert go_on(plan, systems) == "done"
        assert trial.done
    assert not AuditEntry.objects.filter(event="system:paused").exists()


@needs("password")
@pytest.mark.one_in(3)
def test_our_credential_refused_pauses_the_system(trial: Trial) -> None:
    name = trial.place.system
    if trial.case.speaks_for_itself:
        return  # it is opened with a credential of its own; ours is proved with the rest
    trial.prepare()
    plan = plan_for(trial)
    assert go_on(plan, {name: trial.place.wrong_password()}) == "stuck"
    assert plan.steps.get().cause == "denied"
    assert list(pause.paused_systems()) == [name]
    assert go_on(plan, {name: trial.system}) == "stuck"
    pause.resume(name, actor="ada")
    assert go_on(plan, {name: trial.system}) == "done"
    assert not SystemStatus.objects.filter(paused=True).exists()
