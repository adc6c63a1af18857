"""A plan that nobody approved is looked at and never carried out, whatever becomes of it while a
worker holds it.
"""

import uuid

import pytest

from tests.fake_world.people import make_person, settle_in
from tests.fake_world.world import World
from workspace_manager.core.refusal import Refused
from workspace_manager.core.states import state_of
from workspace_manager.engine import run as engine
from workspace_manager.engine.lease import Lease, LeaseLost, claim
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Person, Plan
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

pytestmark = pytest.mark.django_db
SUB = "sub-of-alan"


@pytest.fixture
def draft(world: World) -> Plan:
    make_person("ada", role="administrator")
    alan = make_person("alan", sub=SUB)
    settle_in(alan, SUB, world)
    return draft_removal("alan", actor="ada", systems=world.systems())


def test_a_draft_that_becomes_stale_in_a_workers_hands_is_not_carried_out(
    world: World, draft: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def claimed_just_before(plan_id: uuid.UUID) -> Lease | None:
        mine = claim(plan_id)
        draft_removal("alan", actor="ada", systems=world.systems())
        return mine

    monkeypatch.setattr(engine, "claim", claimed_just_before)
    engine.run(draft.id, world.systems(), kinds=PLAN_KINDS)
    draft.refresh_from_db()
    assert draft.state == Plan.State.STALE
    assert world.writes == []
    assert Person.objects.get(username="alan").state == Person.State.ACTIVE


@pytest.mark.parametrize("state", [Plan.State.STALE, Plan.State.SUPERSEDED])
def test_nobody_writes_to_a_plan_that_is_over(draft: Plan, state: str) -> None:
    mine = claim(draft.id)
    assert mine is not None
    Plan.objects.filter(id=draft.id).update(state=state)
    with pytest.raises(LeaseLost), mine.writing():
        pass


@pytest.mark.parametrize("state", [Plan.State.STALE, Plan.State.SUPERSEDED])
def test_nobody_approves_a_plan_that_is_over(world: World, draft: Plan, state: str) -> None:
    Plan.objects.filter(id=draft.id).update(state=state)
    with pytest.raises(Refused, match=f"{state_of(state).english}. Create a new one"):
        approve_removal(draft.id, digest=draft.digest, actor="ada", systems=world.systems())
    draft.refresh_from_db()
    assert draft.state == state
    assert Person.objects.get(username="alan").state == Person.State.ACTIVE


def test_the_newer_preview_of_another_administrator_is_named(world: World, draft: Plan) -> None:
    newer = draft_removal("alan", actor="ada", systems=world.systems())
    with pytest.raises(Refused, match="newer preview of the removal of alan") as refused:
        approve_removal(draft.id, digest=draft.digest, actor="ada", systems=world.systems())
    assert refused.value.plan == str(newer.id)


def test_the_removal_that_another_administrator_confirmed_is_named(
    world: World, draft: Plan
) -> None:
    """Nobody is asked for another preview of somebody who is leaving, or has left."""
    newer = draft_removal("alan", actor="ada", systems=world.systems())
    approve_removal(newer.id, digest=newer.digest, actor="ada", systems=world.systems())
    with pytest.raises(Refused, match="already being removed") as refused:
        approve_removal(draft.id, digest=draft.digest, actor="ada", systems=world.systems())
    assert refused.value.plan == str(newer.id)
    engine.run(newer.id, world.systems(), kinds=PLAN_KINDS)
    with pytest.raises(Refused, match="no longer here"):
        approve_removal(draft.id, digest=draft.digest, actor="ada", systems=world.systems())
