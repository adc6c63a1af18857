"""A snapshot of a stack comes back as a new stack: every part of it, before a program starts."""

import pytest

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.stack_of_all import HELD, NEEDS, held_by, part_of
from tests.snapshots.test_plans import Killed, stuck_or_waits, work_through
from tests.snapshots.test_stacks import content, stack, take
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Component, Person, Plan, Snapshot, Stack
from workspace_manager.snapshots import (
    creation,
    deletion,
    in_place_restoration,
    restoration,
    stack_restoration,
)
from workspace_manager.snapshots.stack_content import (
    StackFacts,
    StackPartFacts,
    stack_facts_of,
)
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.work import stacks, step_retry

__all__ = ["content", "stack"]

pytestmark = pytest.mark.django_db(transaction=True)


def restore(world: World, snapshot: Snapshot) -> Stack:
    stack, _ = stack_restoration.restore_as_new_stack(
        snapshot, label="Again", project=None, actor="alice", systems=world.systems()
    )
    work_through(world)
    stack.refresh_from_db()
    return stack


def test_it_comes_back_as_a_new_stack_of_new_parts(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    snapshot = take(world, stack)
    source.CONTENT[part_of(stack, "sql_database").address] = {}
    before = held_by(stack)
    again, plan = stack_restoration.restore_as_new_stack(
        snapshot, label="Again", project=None, actor="alice", systems=world.systems()
    )
    assert restoration.open_restores([snapshot]) == {snapshot.id: plan}
    assert {one.state for one in (again, *again.parts.all())} == {"creating"}
    for order in (
        lambda: restore(world, snapshot),
        lambda: deletion.delete(snapshot, actor="alice", systems=world.systems()),
    ):
        with pytest.raises(Refused, match="brought back") as refused:
            order()
        assert refused.value.plan == str(plan.id)
    work(world)
    again.refresh_from_db()
    assert stuck_or_waits() == []
    assert {one.state for one in (again, *again.parts.all())} == {"ready"}
    assert held_by(again) == HELD
    assert held_by(stack) == before
    user = part_of(again, "knowledge_stack")
    assert user.made_from["parameters"] == {"TITLE": "Ferns"}
    assert {str(key.component_id) for key in user.keys_used.all()} == {
        str(part_of(again, kind).id) for kind in ("sql_database", "triplestore_repository")
    }
    assert again.address == user.address != stack.address


def test_no_program_starts_before_everything_is_back(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    snapshot = take(world, stack)
    _, plan = stack_restoration.restore_as_new_stack(
        snapshot, label="", project=None, actor="alice", systems=world.systems()
    )
    steps = list(plan.steps.order_by("n"))
    loads = [step.n for step in steps if step.name == "restore_content"]
    [start] = [step for step in steps if step.name == "create_stack"]
    needs = {one["n"]: set(one["needs"]) for one in plan.document["steps"]}
    reached = set(needs[start.n])
    for n in sorted(reached, reverse=True):
        reached |= needs[n]
    assert len(loads) == len(HELD)
    assert needs[loads[-1]] >= set(loads[:-1])
    assert loads[-1] in {*reached, *(m for n in reached for m in needs[n])}


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_restore_that_was_killed_is_begun_anew(
    stack: Stack, world: World, snapshot_store: SnapshotStore, nth: int
) -> None:
    snapshot, seen = take(world, stack), []

    def kill(now: str) -> None:
        seen.append(now)
        if now == "restore" and seen.count("restore") == nth:
            raise Killed

    source.MEANWHILE.append(kill)
    again = restore(world, snapshot)
    assert seen.count("restore") == len(HELD) + 1
    assert stuck_or_waits() == []
    assert again.state == Stack.State.READY
    assert held_by(again) == HELD


def test_a_restore_is_stopped_by_the_deletion_of_what_it_makes(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    snapshot = take(world, stack)

    def fail(now: str) -> None:
        if now == "restore":
            raise Invalid(quote_words("no"), kind="snapshots.restored", doing=quote_words("x"))

    source.MEANWHILE.append(fail)
    again = restore(world, snapshot)
    assert again.state == Stack.State.FAILED
    assert step_retry.retryable_steps(again).exists()
    stacks.delete(again, actor="alice", systems=world.systems())
    work(world)
    assert list(Stack.objects.all()) == [stack]
    assert not Component.objects.exclude(stack=stack).exists()
    source.MEANWHILE.clear()
    assert held_by(restore(world, snapshot)) == HELD


def test_a_stack_of_no_programs_comes_back(
    owner: Person, world: World, snapshot_store: SnapshotStore, content: dict[str, source.Tables]
) -> None:
    stack, _ = stacks.create(
        owner, label="Ferns", project=None, wanted=None, systems=world.systems()
    )
    work(world)
    stack.refresh_from_db()
    for part in stack.parts.all():
        content[part.address] = dict(HELD[part.kind])
    snapshot = take(world, stack)
    stacks.delete(stack, actor="alice", systems=world.systems())
    work(world)
    again = restore(world, snapshot)
    assert held_by(again) == {kind: HELD[kind] for kind in NEEDS}


def test_what_cannot_be_made_again_is_refused(
    stack: Stack, world: World, snapshot_store: SnapshotStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = take(world, stack)
    parts = stack_facts_of(open_reader(snapshot).manifest).parts
    database = [one for one in parts if one.kind == "sql_database"]
    monkeypatch.setattr(
        "workspace_manager.snapshots.stack_restoration.stack_facts_of",
        lambda manifest: without(stack_facts_of(manifest), database),
    )
    with pytest.raises(Refused, match="sql_database"):
        restore(world, snapshot)
    assert Stack.objects.count() == 1


def without(facts: StackFacts, gone: list[StackPartFacts]) -> StackFacts:
    parts = tuple(one for one in facts.parts if one not in gone)
    return facts.model_copy(update={"parts": parts})


def test_a_part_that_is_restored_in_place_goes_with_its_stack(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    database = part_of(stack, "sql_database")
    before, _ = creation.create(database, actor="alice", systems=world.systems())
    work(world)
    before.refresh_from_db()
    _, _, plan = in_place_restoration.restore_in_place(
        before, actor="alice", systems=world.systems()
    )
    stacks.delete(stack, actor="alice", systems=world.systems())
    plan.refresh_from_db()
    assert plan.state == Plan.State.SUPERSEDED
    work(world)
    assert not Stack.objects.exists()
