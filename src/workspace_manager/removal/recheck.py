"""The late look: what a token that was still out when the fence rose may have brought back at the drive.

An access token stays good at the drive until it expires, and bearer auto-provisioning makes a deleted account again, empty. So a
finished plan is looked at once more, after the longest lifespan such a token can have, counted from the fence (without one: from the
end of the identity).
"""

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from workspace_manager.contract.connector import CallPolicy, Outcome, Result
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.core import audit
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.locks import lock
from workspace_manager.engine import pause as pausing
from workspace_manager.engine.change import satisfied
from workspace_manager.engine.lease import Claim
from workspace_manager.engine.plan_run import Turn
from workspace_manager.engine.retry import next_try
from workspace_manager.engine.rows import change_of
from workspace_manager.records.models import Person, Plan, PlanChange, PlanStep, Registration
from workspace_manager.removal.sign_in_block import END

NOTEBOOK = "notebook_hub.container"
KINDS = ("drive.account", NOTEBOOK)
"""What a credential that is already out could bring back: the drive account by a token, the notebook by a hub cookie."""
LONGEST_LIFESPAN_S = 3600
"""Taken when the identity provider could not be asked: generous, since too early would miss something."""
MARGIN_S = 5
OPEN = ("pending", "stuck")
LEFT_OUT = "Nothing was looked at: the steps that this look is about were skipped by hand."
NOTHING_KNOWN = "Nothing could come back: neither a drive account nor a notebook is recorded."
WAITS = CallPolicy()
STUCK_WAITS = CallPolicy(first_wait_s=60, longest_wait_s=3600)
"""Nobody waits for a late look, and nobody presses a button for it: one that could not look is made again, by itself."""


def plan_it(turn: Turn) -> None:
    """Write down when the late look is due, as soon as no new token is given out."""
    plan = turn.plan
    if plan.kind != "removal" or plan.late_look_due_at:
        return
    since = plan.fenced_at or _without_fence(turn)
    if since is None:
        return
    try:
        lifespan = turn.systems.identity_provider().token_lifespan()
    except ConnectorError:
        lifespan = LONGEST_LIFESPAN_S
    plan.late_look_due_at = since + timedelta(seconds=lifespan + MARGIN_S)
    plan.late_look_state = "pending"
    with turn.claim.writing():
        Plan.objects.filter(id=plan.id).update(
            late_look_due_at=plan.late_look_due_at, late_look_state=plan.late_look_state
        )


def _without_fence(turn: Turn) -> datetime | None:
    """Where the fence is switched off or was left out by hand, tokens were given out until the step of the identity ended."""
    ended = turn.plan.steps.filter(name=END, state__in=PlanStep.ENDED).exists()
    return database_now() if turn.document.sub and ended else None


def take(mine: Claim, plan: Plan, systems: ConnectedSystems) -> None:
    """Look at each account again and remove what came back. Waits while a system is down; says so when it cannot look, and looks again."""
    if plan.late_look_state not in OPEN:
        with mine.writing():
            Plan.objects.filter(id=plan.id).update(due_at=None)
        return
    rows, left = _looked_at(plan)
    texts = [] if rows else [LEFT_OUT if left else NOTHING_KNOWN]
    state = "skipped" if left and not rows else "clean"
    for row in rows:
        change = change_of(row)
        try:
            text = _take_one(mine, plan, systems, row)
        except Unavailable as error:
            _wait(mine, plan, error)
            return
        except ConnectorError as error:
            text, state = f"{error.detail}. {error.advice}".strip(), "stuck"
            if isinstance(error, Denied):
                pausing.pause(change.system, actor=audit.MANAGER, reason=error.detail)
        if text not in texts:
            texts.append(text)
    if state == "clean" and any(_came_back(row) in plan.findings for row in rows):
        state = "removed"
    attempts, due = plan.late_look_attempts + 1, None
    if state == "stuck":
        due = next_try(database_now(), attempts=attempts, policy=STUCK_WAITS)
    with mine.writing():
        Plan.objects.filter(id=plan.id).update(
            late_look_state=state,
            late_look_text=" ".join(texts),
            late_look_attempts=attempts,
            due_at=due,
        )


def _looked_at(plan: Plan) -> tuple[list[PlanChange], bool]:
    """What could come back, and whether a person decided to leave some of it as it is: that is not looked at."""
    rows = PlanChange.objects.filter(step__plan=plan, kind__in=KINDS)
    left = Q(step__state=PlanStep.State.SKIPPED) & ~Q(state__in=PlanChange.ENDED)
    by_hand = set(rows.filter(left).values_list("id", flat=True))
    return [row for row in rows if row.id not in by_hand], bool(by_hand)


def _take_one(mine: Claim, plan: Plan, systems: ConnectedSystems, row: PlanChange) -> str:
    """Look again at one thing. A notebook is known by its owner's name alone: once somebody else has the name, it is left alone."""
    if row.kind != NOTEBOOK:
        return _look_again(mine, plan, systems, row)
    with lock(being_looked_at(plan.person), token=mine.token) as held:
        if not held or _being_approved(plan.person):
            raise Unavailable(
                "the name is just being given to somebody",
                kind=row.kind,
                doing="looking again",
                retry_after=60,
            )
        if _newcomer(plan.person):
            return f"The name {plan.person} is somebody else’s now; their notebook was left alone."
        return _look_again(mine, plan, systems, row)


def being_looked_at(username: str) -> str:
    """The lock under which the late look stops what bears this name; an approval of the name waits for its end."""
    return f"late_look:{username}"


def _being_approved(username: str) -> bool:
    return Registration.objects.filter(
        username=username,
        status=Registration.Status.PENDING,
        claimed_until__gt=database_now(),
    ).exists()


def _newcomer(username: str) -> bool:
    """Whether the name was given out again: whoever left had no row any more when the plan was closed."""
    approved = Registration.objects.filter(
        username=username, status=Registration.Status.APPROVED
    ).exists()
    return approved or Person.objects.filter(username=username).exists()


def _look_again(mine: Claim, plan: Plan, systems: ConnectedSystems, row: PlanChange) -> str:
    change = change_of(row)
    connector = systems.connector(change.kind)
    if connector is None:
        raise Invalid(
            f"{change.kind} is not configured any more; nobody could look.",
            kind=change.kind,
            doing="looking again",
        )
    if change.system in pausing.paused():
        raise Unavailable(
            "the system is paused", kind=change.kind, doing="looking again", retry_after=60
        )
    fresh = connector.plan(change.target, change.after)
    outcome: Outcome | None = None
    if not satisfied(fresh.before, fresh.after):
        # Before the call: whoever is killed after it, or has to wait, could not say any more what it removed. A notebook whose
        # container is gone altogether is no stopped one, and nothing that came back either.
        came_back = isinstance(fresh.before, dict) or _came_back(row) in plan.findings
        _note(mine, plan, row, came_back=came_back)
        with mine.acting():
            outcome = connector.remove(fresh) if fresh.after is None else connector.apply(fresh)
        came_back = came_back or outcome.result is Result.CHANGED
        _note(mine, plan, row, came_back=came_back and not outcome.by_hand)
    if not (outcome and outcome.by_hand):
        systems.ready[change.system].prove_rights()
    evidence = connector.verify(fresh)
    if evidence is None:
        raise Unavailable("a fresh look still shows it", kind=change.kind, doing="looking again")
    return evidence.text


def _came_back(row: PlanChange) -> str:
    """What the plan says of something that came back, in whichever turn it was found: the last one alone would not know."""
    if row.kind == NOTEBOOK:
        return f"The notebook {row.name} was running again after the removal and is stopped again."
    return f"The account {row.name} came back after the removal and is removed again."


def _note(mine: Claim, plan: Plan, row: PlanChange, *, came_back: bool) -> None:
    """Write down whether this came back, and renew the lease."""
    text = _came_back(row)
    plan.findings = [found for found in plan.findings if found != text] + [text] * came_back
    with mine.writing():
        Plan.objects.filter(id=plan.id).update(findings=plan.findings)


def _wait(mine: Claim, plan: Plan, error: Unavailable) -> None:
    again = next_try(
        database_now(),
        attempts=plan.late_look_attempts + 1,
        policy=WAITS,
        retry_after=error.retry_after,
    )
    with mine.writing():
        Plan.objects.filter(id=plan.id).update(
            late_look_state="pending",
            late_look_attempts=plan.late_look_attempts + 1,
            late_look_text=f"Waiting: {error.detail}. Looked again at {timezone.now():%H:%M}.",
            due_at=again,
        )
