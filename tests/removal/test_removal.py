"""A whole removal through the engine: order, waiting, refusal, the missing link, skipping, and what
stays afterwards.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.fake_world.leaving import SUB, alice_with_everything
from tests.fake_world.people import make_person
from tests.fake_world.world import World
from workspace_manager.contract.errors import ConnectorError, Denied, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import actions, pause
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import (
    Account,
    AuditEntry,
    Component,
    Person,
    Plan,
    PlanStep,
    Project,
    SystemStatus,
    Tombstone,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alice(world: World) -> Person:
    return alice_with_everything(world)


def begin(name: str, world: World) -> Plan:
    plan = draft_removal(name, actor="root-admin", systems=world.systems())
    run(plan.id, world.systems(), kinds=PLAN_KINDS)  # the preview's looks
    plan.refresh_from_db()
    return approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())


def go(plan: Plan, world: World, *, turns: int = 10) -> Plan:
    """Run until done, or until nothing is due for a while; waits are skipped, not slept."""
    for _ in range(turns):
        plan.refresh_from_db()
        if plan.state == Plan.State.DONE:
            break
        PlanStep.objects.filter(plan=plan).exclude(next_try_at=None).update(
            next_try_at=timezone.now()
        )
        Plan.objects.filter(id=plan.id).exclude(due_at=None).update(
            due_at=timezone.now() - timedelta(seconds=1)
        )
        run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    return plan


def recheck_now(plan: Plan, world: World) -> None:
    """What a token that was out may have brought back is looked for."""
    plan.rechecks.update(due_at=timezone.now() - timedelta(seconds=1))
    run(plan.rechecks.get().id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()


def states(plan: Plan) -> dict[int, str]:
    return dict(plan.steps.values_list("n", "state"))


def broken(error: type[ConnectorError], **extra: float) -> Callable[[str], ConnectorError]:
    return lambda verb: error(
        quote_words("down"),
        kind="x",
        doing=quote_words(verb),
        advice=quote_words("look at it"),
        **extra,
    )


def test_everything_of_the_person_goes_in_order(alice: Person, world: World) -> None:
    plan = go(begin("alice", world), world)
    assert plan.state == Plan.State.DONE
    assert set(states(plan).values()) <= {"done", "already_gone"}
    assert [t for t in world.things if "alice" in t or SUB in t] == [
        "notebook_hub.container:jupyter-alice"
    ]
    assert world.things["notebook_hub.container:jupyter-alice"] == {"running": False}
    kinds = [write.split()[1].split(":")[0] for write in world.writes]
    first = {kind: kinds.index(kind) for kind in dict.fromkeys(kinds)}
    assert (
        first["notebook_hub.container"]
        < first["identity_provider.user"]
        < first["drive.app_password"]
    )
    gone = [write.split()[1].split(":")[0] for write in world.writes if write.startswith("remove")]
    deleted = {kind: gone.index(kind) for kind in dict.fromkeys(gone)}
    assert kinds.index("identity_provider.attributes") > first["drive.account"]
    assert deleted["drive.account"] < deleted["identity_provider.user"] < deleted["sql_server.user"]
    assert deleted["sql_server.user"] < deleted["sql_server.database"]
    assert all(step.evidence or step.reason for step in view_plan(plan).steps)


def test_records_go_and_a_tombstone_stays(alice: Person, world: World) -> None:
    plan = go(begin("alice", world), world)
    assert not Person.objects.filter(username="alice").exists()
    assert not Component.objects.exists()
    assert not Project.objects.filter(ontology_mark="mark-alice").exists()
    tombstone = Tombstone.objects.get()
    assert tombstone.username == "alice"
    assert tombstone.sub == SUB
    assert {
        "system": "sql_server",
        "kind": "sql_server.user",
        "name": "alice",
    } in tombstone.accounts
    assert not Account.objects.filter(username="alice").exists()
    assert AuditEntry.objects.filter(event="removal:finished", subject="alice").exists()
    assert plan.recheck_state == "pending"
    assert plan.recheck_due_at is not None


def test_the_late_look_removes_what_a_token_brought_back(alice: Person, world: World) -> None:
    plan = go(begin("alice", world), world)
    world.things[f"drive.account:{SUB}"] = {"exists": True}
    recheck_now(plan, world)
    assert plan.recheck_state == "removed"
    assert f"drive.account:{SUB}" not in world.things


def test_the_late_look_finds_nothing(alice: Person, world: World) -> None:
    plan = go(begin("alice", world), world)
    recheck_now(plan, world)
    assert plan.recheck_state == "clean"
    assert plan.rechecks.get().due_at is None


NEEDING = {
    "identity_provider": {2, 3, 4},
    "drive": {3, 4},
    "sql_server": {5, 7},
    "triplestore": {6, 7},
    "ontology_editor": {7},
    "notebook_hub": {1},
}


@pytest.mark.parametrize("system", NEEDING)
def test_with_one_system_down_the_rest_is_done_and_it_finishes_by_itself(
    alice: Person, world: World, system: str
) -> None:
    world.broken[system] = broken(Unavailable)
    plan = go(begin("alice", world), world, turns=3)
    assert plan.state == Plan.State.WAITING
    ended = {n for n, state in states(plan).items() if state in PlanStep.ENDED}
    assert ended == set(range(1, 8)) - NEEDING[system] - (
        {4} if system == "notebook_hub" else set()
    )
    waiting = [step for step in view_plan(plan).steps if step.state == "waiting"]
    assert waiting
    assert all(step.reason and step.advice and step.next_try_at for step in waiting)
    world.broken.clear()
    assert go(plan, world).state == Plan.State.DONE
    assert len(world.writes) == len(set(world.writes))


def test_a_refusal_is_stuck_at_once_and_pauses_the_system(alice: Person, world: World) -> None:
    tries: list[str] = []

    def refuse(verb: str) -> ConnectorError:
        tries.append(verb)
        return Denied(
            quote_words("wrong password"),
            kind="sql_server.user",
            doing=quote_words(verb),
            advice=quote_words("change it"),
        )

    world.broken["sql_server"] = refuse
    plan = begin("alice", world)
    assert (
        SystemStatus.objects.filter(paused=True).count() == 0
    )  # a look at the preview pauses nothing
    tries.clear()
    plan = go(plan, world, turns=4)
    assert plan.state == Plan.State.STUCK
    assert tries == ["plan", "prove_credential"]
    assert SystemStatus.objects.get(system="sql_server").paused
    world.broken.clear()
    assert go(plan, world, turns=2).state == Plan.State.STUCK
    pause.resume("sql_server", actor="root-admin")
    assert go(plan, world).state == Plan.State.DONE


def test_not_found_is_no_success_without_proven_rights(alice: Person, world: World) -> None:
    del world.things["triplestore.user:alice"]
    world.broken["triplestore"] = broken(Denied)
    world.unproven.add("triplestore")
    plan = go(begin("alice", world), world, turns=2)
    assert states(plan)[6] == "stuck"


def test_without_account_link_steps_2_to_4_are_skipped(world: World) -> None:
    make_person("root-admin", sub="admin-sub", role="administrator")
    person = make_person("edsger")
    Account.objects.create(
        system="identity_provider",
        kind="identity_provider.user",
        name="some-sub",
        username="edsger",
        person=person,
    )
    plan = go(begin("edsger", world), world)
    assert plan.state == Plan.State.DONE
    assert [states(plan)[n] for n in (2, 3, 4)] == ["skipped"] * 3
    said = "edsger has no account link and never signed in through the identity provider"
    assert all(said in str(step.reason) for step in plan.steps.filter(n__in=[2, 3, 4]))
    assert any("some-sub" in text for text in view_plan(plan).by_hand)
    assert not Person.objects.filter(username="edsger").exists()


def test_a_plan_that_shrank_runs(alice: Person, world: World) -> None:
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    Component.objects.filter(kind="triplestore_repository").delete()
    approved = approve_removal(
        plan.id, digest=plan.digest, actor="root-admin", systems=world.systems()
    )
    assert approved.state == Plan.State.RUNNING
    assert approved.digest == plan.digest


def test_approving_twice_is_harmless_and_another_digest_is_refused(
    alice: Person, world: World
) -> None:
    plan = begin("alice", world)
    assert (
        approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems()).id
        == plan.id
    )
    with pytest.raises(Refused):
        approve_removal(plan.id, digest="other", actor="root-admin", systems=world.systems())


def test_you_cannot_remove_yourself_or_the_last_administrator(alice: Person, world: World) -> None:
    with pytest.raises(Refused, match="cannot remove your own account"):
        draft_removal("root-admin", actor="root-admin", systems=world.systems())
    with pytest.raises(Refused, match="last active administrator"):
        draft_removal("root-admin", actor="somebody", systems=world.systems())


def test_a_skipped_step_lets_the_plan_end_and_is_listed_by_hand(
    alice: Person, world: World
) -> None:
    world.broken["drive"] = broken(Unavailable)
    plan = go(begin("alice", world), world, turns=2)
    actions.skip(plan, 3, actor="root-admin", reason="the drive is gone for good")
    plan = go(plan, world)
    assert plan.state == Plan.State.DONE
    assert any("Step 3 was skipped" in text for text in view_plan(plan).by_hand)


def test_what_a_skipped_step_had_done_before_is_not_said_to_be_left(
    alice: Person, world: World
) -> None:
    plan = go(begin("alice", world), world)
    step = plan.steps.get(n=3)
    Plan.objects.filter(id=plan.id).update(state=Plan.State.WAITING)
    PlanStep.objects.filter(id=step.id).update(state=PlanStep.State.WAITING)
    left = step.changes.get(kind="identity_provider.attributes")
    step.changes.filter(id=left.id).update(state="pending")
    actions.skip(plan, 3, actor="root-admin", reason="the drive is gone for good")
    [text] = [text for text in view_plan(plan).by_hand if "Step 3 was skipped" in text]
    assert text.endswith(f": {left.name}.")


def test_the_fence_is_raised_again_when_somebody_lifts_it(alice: Person, world: World) -> None:
    world.broken["drive"] = broken(Unavailable)
    plan = go(begin("alice", world), world, turns=2)
    world.things[f"identity_provider.user:{SUB}"]["enabled"] = True
    plan = go(plan, world, turns=1)
    assert world.things[f"identity_provider.user:{SUB}"]["enabled"] is False
    assert any("sign-in block was restored" in str(text) for text in plan.findings)
