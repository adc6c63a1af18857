"""A plan as people and programs see it: one model for page, REST and command line (shape:
docs/reference/plans).

What is said stands twice: in English, as it always did, and beside it as `…_message` with code and
parameters, so that a page or a program can say it in another language. Nothing here knows a kind of
plan: what a kind shows besides comes as `Extras`.
"""

from collections.abc import Iterable

from pydantic import JsonValue

from workspace_manager.contract.connector import Change, Evidence, Frozen
from workspace_manager.contract.message import Message, Words
from workspace_manager.contract.messages import joined
from workspace_manager.core.connected_systems import label_of
from workspace_manager.core.timestamps import in_utc
from workspace_manager.engine import actions
from workspace_manager.engine.extras import (
    CredentialView,
    Extras,
    LateLookView,
    Said,
    all_said,
    english,
    said,
)
from workspace_manager.engine.messages import message
from workspace_manager.records.models import Plan, PlanChange, PlanStep

NOT_BY_ITSELF = message("again.not_by_itself")
WHEN_RESUMED = message("again.when_resumed")
WHEN_BACK = message("again.when_back")


class EvidenceView(Frozen):
    """What a fresh look showed."""

    system: str
    method: str
    at: str
    text: str
    text_message: Said | None = None
    kind: str = ""
    """Which kind of thing was looked at; "" for the proof of our own rights."""


class ChangeView(Frozen):
    """One thing in one system: what is to be done with it, and how it was when it was last looked
    at.
    """

    kind: str
    id: str
    target: dict[str, str]
    action: str
    """`apply` or `remove`."""
    before: JsonValue
    after: JsonValue
    state: str
    reason: str = ""
    reason_message: Said | None = None
    added: bool = False
    """Made by the person after the plan was shown: it was not in the preview."""


class StepView(Frozen):
    """One step, why it stands where it stands, and what shows that it is done."""

    n: int
    name: str
    system: str
    state: str
    needs: tuple[int, ...]
    reason: str
    reason_message: Said | None = None
    attempts: int
    since: str | None
    next_try_at: str | None
    again: str
    again_message: Said | None = None
    advice: str
    advice_message: Said | None = None
    evidence: tuple[EvidenceView, ...]
    changes: tuple[ChangeView, ...]


class PlanView(Frozen):
    """A plan. `digest` is opaque: echo it when you approve what you were shown."""

    id: str
    kind: str
    person: str
    state: str
    """`draft`, `running`, `waiting`, `stuck`, `done`, `stale` or `superseded`."""
    digest: str
    created_at: str | None
    created_by: str
    approved_at: str | None
    approved_by: str
    finished_at: str | None
    late_look: LateLookView
    end_of_access: tuple[CredentialView, ...]
    by_hand: tuple[str, ...]
    by_hand_messages: tuple[Said, ...]
    findings: tuple[str, ...]
    findings_messages: tuple[Said, ...]
    remarks: tuple[str, ...]
    remarks_messages: tuple[Said, ...]
    steps: tuple[StepView, ...]


def plan_view(plan: Plan, steps: list[PlanStep], extras: Extras) -> PlanView:
    """Everything about one plan; no secret is in it, since none is in the rows. `steps`: with their
    changes, in order.
    """
    by_hand = [*actions.by_hand_texts(plan, steps), *extras.by_hand]
    return PlanView(
        id=str(plan.id),
        kind=plan.kind,
        person=plan.person,
        state=plan.state,
        digest=plan.digest,
        created_at=in_utc(plan.created_at),
        created_by=plan.created_by,
        approved_at=in_utc(plan.approved_at),
        approved_by=plan.approved_by,
        finished_at=in_utc(plan.finished_at),
        late_look=extras.late_look,
        end_of_access=extras.end_of_access,
        by_hand=_english(by_hand),
        by_hand_messages=all_said(by_hand),
        findings=_english(plan.findings),
        findings_messages=all_said(plan.findings),
        remarks=_english(plan.remarks),
        remarks_messages=all_said(plan.remarks),
        steps=tuple(_step(step, steps, _added(plan)) for step in steps),
    )


def _english(several: Iterable[Words]) -> tuple[str, ...]:
    return tuple(english(words) for words in several)


def _added(plan: Plan) -> frozenset[tuple[int, int]]:
    return frozenset((one["n"], one["position"]) for one in plan.added)


def _step(step: PlanStep, steps: list[PlanStep], added: frozenset[tuple[int, int]]) -> StepView:
    reason = step.reason or _waits_for(step, steps)
    again = _again(step)
    return StepView(
        n=step.n,
        name=step.name,
        system=step.system,
        state=step.state,
        needs=tuple(step.needs),
        reason=english(reason),
        reason_message=said(reason),
        attempts=step.attempts,
        since=in_utc(step.since),
        next_try_at=in_utc(step.next_try_at),
        again=english(again),
        again_message=said(again),
        advice=english(step.advice),
        advice_message=said(step.advice),
        evidence=tuple(evidence_view(piece) for piece in step.evidence),
        changes=tuple(
            _change(row, added=(step.n, row.position) in added) for row in step.changes.all()
        ),
    )


def evidence_view(piece: dict[str, JsonValue]) -> EvidenceView:
    """One piece as a step keeps it: the evidence, and which kind of thing it is of."""
    kind = str(piece.get("kind", ""))
    found = Evidence.model_validate(
        {name: value for name, value in piece.items() if name != "kind"}
    )
    words = found.message or found.text
    return EvidenceView(
        system=found.system,
        method=found.method,
        at=found.at,
        text=english(words),
        text_message=said(words),
        kind=kind,
    )


def _again(step: PlanStep) -> Message | None:
    """When a step is tried again for which no time is set."""
    if step.state == PlanStep.State.STUCK and not step.next_try_at:
        return NOT_BY_ITSELF
    if step.state != PlanStep.State.WAITING or step.next_try_at:
        return None
    return WHEN_BACK if step.cause == "suspended" else WHEN_RESUMED


def _waits_for(step: PlanStep, steps: list[PlanStep]) -> Message | None:
    """What a step that has not begun waits for."""
    if step.state != PlanStep.State.PENDING or not step.needs:
        return None
    open_steps = [s for s in steps if s.n in step.needs and s.state not in PlanStep.ENDED]
    if not open_steps:
        return None
    named = [message("step", n=s.n, system=label_of(s.system)) for s in open_steps]
    return message("waits_for", steps=joined(named, by=", "))


def _change(row: PlanChange, *, added: bool) -> ChangeView:
    change = Change.model_validate(row.change)
    return ChangeView(
        kind=row.kind,
        id=row.name,
        target=dict(change.target),
        action="remove" if change.after is None else "apply",
        before=change.before,
        after=change.after,
        state=row.state,
        reason=english(row.reason),
        reason_message=said(row.reason),
        added=added,
    )
