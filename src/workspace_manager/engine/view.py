"""A plan as people and programs see it: one model for page, REST and command line (shape:
docs/reference/plans).

What is said stands twice: in the language of whoever reads, and beside it as `…_message` with code
and parameters, so that a program can say it in another. Nothing here knows a kind of
plan: what a kind shows besides comes as `Extras`.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import JsonValue

from workspace_manager.contract.connector import Change, Evidence, FrozenModel
from workspace_manager.contract.member_description import SystemName, UserName, Uuid, When, describe
from workspace_manager.contract.message import Message
from workspace_manager.core.plan_names import label_of_step
from workspace_manager.core.timestamps import in_utc
from workspace_manager.core.views import as_text
from workspace_manager.engine import actions, headline
from workspace_manager.engine.extras import (
    CredentialView,
    HeadlineView,
    LateLookView,
    LeftAccountView,
    MessageView,
    NotedView,
    PlanExtras,
    all_said,
    message_view,
)
from workspace_manager.engine.waits import tried_again, waits_for
from workspace_manager.records.models import Plan, PlanChange, PlanStep


class EvidenceView(FrozenModel):
    """The result of a fresh look."""

    system: Annotated[SystemName, describe("The system that was looked at.")]
    method: Annotated[str, describe("How it was looked.", "GET")]
    at: Annotated[When, describe("When it was looked.")]
    text: Annotated[str, describe("What the look showed.", "There is no user anna.")]
    text_message: MessageView | None = None
    kind: Annotated[
        str,
        describe(
            "Which kind of thing was looked at; empty for the proof of our own rights.",
            "drive.user",
        ),
    ] = ""


class ChangeView(FrozenModel):
    """One thing in one system: what is to be done with it, and how it was when it was last looked
    at.
    """

    kind: Annotated[str, describe("Which kind of thing it is.", "drive.user")]
    id: Annotated[str, describe("What it is called, for people.", "anna")]
    target: Annotated[dict[str, str], describe("By what the system knows it.", {"user_id": "anna"})]
    action: Annotated[str, describe("`apply` or `remove`.", "remove")]
    before: Annotated[
        JsonValue, describe("How it was when it was last looked at.", {"enabled": True})
    ]
    after: Annotated[JsonValue, describe("How it shall be; null: not there.", None)]
    state: Annotated[
        str, describe("`pending`, `running`, `done`, `already`, `by_hand` or `left_alone`.", "done")
    ]
    reason: Annotated[str, describe("Why it stands so.", "It was gone already.")] = ""
    reason_message: MessageView | None = None
    added: Annotated[
        bool,
        describe("Whether the person made it after the plan was shown: it was not in the preview."),
    ] = False


class StepView(FrozenModel):
    """One step, why it stands where it stands, and what shows that it is done."""

    n: Annotated[int, describe("The number of the step, as in its address.", 3)]
    name: Annotated[str, describe("What the step is called.", "remove_drive_account")]
    label: Annotated[
        str,
        describe(
            "What people call it; empty for one that nobody here knows.", "Delete accounts: forge"
        ),
    ] = ""
    label_message: MessageView | None = None
    system: Annotated[SystemName, describe("The system it is about.")]
    state: Annotated[
        str,
        describe(
            "`pending`, `running`, `waiting`, `stuck`; ended: `done`, `already_gone`, `skipped`, "
            "`by_hand`.",
            "done",
        ),
    ]
    needs: Annotated[
        tuple[int, ...], describe("Numbers of the steps that have to end before.", [1, 2])
    ]
    reason: Annotated[str, describe("Why it stands where it stands.", "The drive does not answer.")]
    reason_message: MessageView | None = None
    attempts: Annotated[int, describe("How often it was tried.", 1)]
    since: Annotated[When | None, describe("Since when it stands so.")]
    next_try_at: Annotated[When | None, describe("When it is tried again.")]
    again: Annotated[
        str,
        describe("When it is tried again, if no time is set.", "when the system is called again"),
    ]
    again_message: MessageView | None = None
    advice: Annotated[str, describe("What a person can do.", "Start the drive.")]
    advice_message: MessageView | None = None
    evidence: Annotated[tuple[EvidenceView, ...], describe("What fresh looks showed.")]
    changes: Annotated[tuple[ChangeView, ...], describe("What it does, thing by thing.")]


class PlanView(FrozenModel):
    """A plan. `digest` is opaque: echo it when you approve what you were shown."""

    id: Annotated[Uuid, describe("The id of the plan.")]
    kind: Annotated[str, describe("What kind of plan it is.", "removal")]
    person: Annotated[UserName, describe("Whom it is about.")]
    state: Annotated[
        str,
        describe(
            "`draft`, `running`, `waiting`, `stuck`, `done`, `stale` or `superseded`.", "running"
        ),
    ]
    headline: Annotated[HeadlineView, describe("How it stands, in one sentence.")]
    digest: Annotated[
        str, describe("Opaque: echo it when you approve what you were shown.", "5f2d6f0c9a0e")
    ]
    created_at: Annotated[When | None, describe("When it was made.")]
    created_by: Annotated[UserName, describe("Who ordered it.")]
    ends_at: Annotated[
        When | None, describe("Until when a draft can be approved; null where it has no end.")
    ] = None
    approved_at: Annotated[When | None, describe("When it was approved.")]
    approved_by: Annotated[UserName, describe("Who approved it; empty before.")]
    finished_at: Annotated[When | None, describe("When its last step ended.")]
    noted: Annotated[NotedView, describe("Whether it is as it was noted when it ended.")]
    late_look: Annotated[
        LateLookView, describe("The look after the last token has expired; of a removal.")
    ]
    end_of_access: Annotated[
        tuple[CredentialView, ...],
        describe("Each credential, and what shows that it no longer works."),
    ]
    left_account: Annotated[
        LeftAccountView | None,
        describe("An account that the removal did not touch and that is still open."),
    ] = None
    by_hand: Annotated[
        tuple[str, ...], describe("What is left to a person.", ["Take the key card back."])
    ]
    by_hand_messages: tuple[MessageView, ...]
    findings: Annotated[
        tuple[str, ...],
        describe(
            "What was found besides while it ran.", ["bela had put a component into the project."]
        ),
    ]
    findings_messages: tuple[MessageView, ...]
    remarks: Annotated[
        tuple[str, ...],
        describe(
            "What the reader of the preview has to know.",
            ["Files of others in shared folders stay."],
        ),
    ]
    remarks_messages: tuple[MessageView, ...]
    steps: Annotated[tuple[StepView, ...], describe("Its steps, in order.")]


def plan_view(plan: Plan, steps: list[PlanStep], extras: PlanExtras, noted: NotedView) -> PlanView:
    """Everything about one plan; no secret is in it, since none is in the rows. `steps`: with their
    changes, in order.
    """
    by_hand = [*actions.by_hand_texts(plan, steps), *extras.by_hand]
    found = [*plan.findings, *_done_besides(steps)]
    return PlanView(
        id=str(plan.id),
        kind=plan.kind,
        person=plan.person,
        state=plan.state,
        headline=extras.headline or headline.plain_headline(plan, steps),
        digest=plan.digest,
        created_at=in_utc(plan.created_at),
        created_by=plan.created_by,
        ends_at=in_utc(extras.ends_at),
        approved_at=in_utc(plan.approved_at),
        approved_by=plan.approved_by,
        finished_at=in_utc(plan.finished_at),
        noted=noted,
        late_look=extras.late_look,
        end_of_access=extras.end_of_access,
        left_account=extras.left_account,
        by_hand=tuple(map(as_text, by_hand)),
        by_hand_messages=all_said(by_hand),
        findings=tuple(map(as_text, found)),
        findings_messages=all_said(found),
        remarks=tuple(map(as_text, plan.remarks)),
        remarks_messages=all_said(plan.remarks),
        steps=tuple(_step(step, steps, plan) for step in steps),
    )


def _done_besides(steps: Iterable[PlanStep]) -> Iterator[Message]:
    """Further effects in other systems of what was changed."""
    for step in steps:
        for row in step.changes.all():
            for said_of_it in (row.outcome or {}).get("also", ()):
                yield Message.model_validate(said_of_it)


def step_label(step: PlanStep, plan: Plan) -> Message | None:
    """The label of the step when the plan was shown, else its label now."""
    shown = (one.get("label") for one in plan.document["steps"] if one["name"] == step.name)
    label = next((Message.model_validate(label) for label in shown if label), None)
    return label or label_of_step(step.name, step.system)


def _step(step: PlanStep, steps: list[PlanStep], plan: Plan) -> StepView:
    added = {(one["n"], one["position"]) for one in plan.added}
    label = step_label(step, plan)
    reason = step.reason or waits_for(step, steps)
    again = tried_again(step)
    return StepView(
        n=step.n,
        name=step.name,
        label=as_text(label),
        label_message=message_view(label),
        system=step.system,
        state=step.state,
        needs=tuple(step.needs),
        reason=as_text(reason),
        reason_message=message_view(reason),
        attempts=step.attempts,
        since=in_utc(step.since),
        next_try_at=in_utc(step.next_try_at),
        again=as_text(again),
        again_message=message_view(again),
        advice=as_text(step.advice),
        advice_message=message_view(step.advice),
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
        text=as_text(words),
        text_message=message_view(words),
        kind=kind,
    )


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
        reason=as_text(row.reason),
        reason_message=message_view(row.reason),
        added=added,
    )
