"""The engine: takes every step that can go on, in order. Killed at any point, it ends in the same state.

A step that waits or is stuck holds up nothing that does not need it. No transaction is open during a call.
"""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine import pause
from workspace_manager.engine.change import act_on
from workspace_manager.engine.lease import LeaseLost, claim
from workspace_manager.engine.plan_run import Customs, PlanId, Trouble, Turn
from workspace_manager.engine.preview import look
from workspace_manager.engine.rows import empty_vault, read
from workspace_manager.records.models import Person, Plan, PlanChange, PlanStep
from workspace_manager.removal import recheck, sign_in_block


def run(plan_id: PlanId, systems: ConnectedSystems, *, followers: Mapping[str, Customs]) -> bool:
    """Do what is due of one plan; False when there was nothing to do or somebody else is at it.

    `followers`: by plan kind, what the stories add to the engine.
    """
    mine = claim(plan_id)
    if mine is None:
        return False
    try:
        plan = Plan.objects.get(id=mine.plan_id)
        if plan.state == Plan.State.DRAFT:
            look(mine, plan, systems)
        elif plan.state == Plan.State.DONE:
            recheck.take(mine, plan, systems)
        elif plan.state in Plan.OPEN:
            # Named, not "else": a draft that became stale after it was claimed was approved by nobody.
            _work(Turn(mine, plan, read(plan), systems, followers.get(plan.kind, Customs())))
    except LeaseLost:
        return False
    finally:
        mine.release()
    return True


def _work(turn: Turn) -> None:
    # Also first of all: a worker that raised the fence may have been killed before it wrote down since when it stands.
    _note_fence(turn)
    sign_in_block.keep(turn)
    recheck.plan_it(turn)
    for row in turn.steps():
        if _ready(turn, row):
            _work_on_step(turn, row)
            _note_fence(turn)
    _settle(turn)


def _note_fence(turn: Turn) -> None:
    sign_in_block.note(turn)
    recheck.plan_it(turn)


def _ready(turn: Turn, row: PlanStep) -> bool:
    if row.state in PlanStep.ENDED:
        return False
    if row.state == PlanStep.State.STUCK:
        return False
    if row.next_try_at and row.next_try_at > database_now():
        return False
    ended = {step.n for step in turn.steps() if step.state in PlanStep.ENDED}
    return set(row.needs) <= ended


def _work_on_step(turn: Turn, row: PlanStep) -> None:
    with turn.claim.writing():
        begun = (
            PlanStep.objects.filter(id=row.id)
            .exclude(state__in=PlanStep.ENDED)
            .update(
                state=PlanStep.State.RUNNING,
                since=timezone.now() if row.attempts == 0 else row.since,
            )
        )
    if not begun:
        return  # a person ended it just now
    troubles: list[Trouble] = []
    ended: set[int] = set()
    for change_row in row.changes.order_by("position"):
        if change_row.state in PlanChange.ENDED:
            ended.add(change_row.position)
            continue
        if not set(change_row.needs) <= ended:
            continue
        trouble = act_on(turn, row, change_row)
        if trouble is None:
            ended.add(change_row.position)
        else:
            troubles.append(trouble)
    _write_step(turn, row, troubles)


def _write_step(turn: Turn, row: PlanStep, troubles: list[Trouble]) -> None:
    row.refresh_from_db()
    if troubles:
        worst = next((t for t in troubles if t.stuck), troubles[0])
        waits = [t.next_try for t in troubles if t.next_try]
        row.state = PlanStep.State.STUCK if worst.stuck else PlanStep.State.WAITING
        row.reason, row.advice, row.cause = worst.error.detail, worst.error.advice, worst.cause
        row.next_try_at = min(waits) if waits else None
        if row.attempts == 0:
            row.since = timezone.now()
        row.attempts += 1
    elif row.state not in PlanStep.ENDED:
        row.state, row.next_try_at = _end_state(row), None
        row.advice = row.cause = ""
        row.reason = ""
        row.since = timezone.now()
    with turn.claim.writing():
        row.save()


def _end_state(row: PlanStep) -> str:
    states = set(row.changes.values_list("state", flat=True))
    if PlanChange.State.BY_HAND in states:
        return PlanStep.State.BY_HAND
    removals = [c for c in row.changes.all() if c.change["after"] is None]
    if states == {PlanChange.State.ALREADY} and removals:
        return PlanStep.State.ALREADY_GONE
    return PlanStep.State.DONE


def _settle(turn: Turn) -> None:
    """Write the plan's state and when to look again; the last step's end closes the plan in the same transaction."""
    plan = turn.plan
    with transaction.atomic():
        if _held(turn, "paused"):
            pause.hold()
        with turn.claim.writing():
            _wake_what_may_go_on(turn)
            _close_or_put_off(turn, plan)


def _held(turn: Turn, cause: str) -> QuerySet[PlanStep]:
    """Steps that no time wakes, but somebody who lets them go on."""
    return turn.plan.steps.filter(
        state=PlanStep.State.WAITING, next_try_at=None, cause=cause
    ).order_by("n")


def _wake_what_may_go_on(turn: Turn) -> None:
    """A system may have been resumed, or the person let back in, before it was written down here that a step waits for that."""
    silent = tuple(f"{system}." for system in pause.paused())
    free = [
        step.id
        for step in _held(turn, "paused")
        if not any(
            row.kind.startswith(silent) for row in step.changes.exclude(state__in=PlanChange.ENDED)
        )
    ]
    # Only the plan of a person waits for that; the subject of another one is no person's id.
    shut_out = [step.id for step in _held(turn, "suspended")]
    if shut_out and not _suspended(turn.plan.subject):
        free += shut_out
    turn.plan.steps.filter(id__in=free).update(
        state=PlanStep.State.PENDING, cause="", reason="", advice=""
    )


def _suspended(person: str) -> bool:
    return Person.objects.filter(id=person, state=Person.State.SUSPENDED).exists()


def _close_or_put_off(turn: Turn, plan: Plan) -> None:
    # Read here: what a person does to a step meanwhile comes before or after, and is not overwritten.
    steps = turn.steps()
    states = {step.state for step in steps}
    plan.refresh_from_db()
    if states <= set(PlanStep.ENDED):
        plan.state, plan.finished_at = Plan.State.DONE, timezone.now()
        plan.due_at = plan.late_look_due_at
    else:
        plan.state, plan.due_at = _open_state(turn, steps)
    plan.save()
    turn.customs.follow(plan, turn.systems)
    if plan.state == Plan.State.DONE:
        empty_vault(plan)


def _open_state(turn: Turn, steps: list[PlanStep]) -> tuple[str, datetime | None]:
    states = {step.state for step in steps}
    waiting = [s.next_try_at for s in steps if s.state == PlanStep.State.WAITING and s.next_try_at]
    runnable = [
        s
        for s in steps
        if s.state in {PlanStep.State.PENDING, PlanStep.State.RUNNING} and _ready(turn, s)
    ]
    due = database_now() if runnable else min(waiting, default=None)
    if PlanStep.State.STUCK in states:
        return Plan.State.STUCK, due
    if PlanStep.State.WAITING in states:
        return Plan.State.WAITING, due
    return Plan.State.RUNNING, due
