"""The preview of a suspension, or of its end: what it shuts or gives back, and what continues
meanwhile.

Nothing is stored and no system is called: targets come from records and derived names.
"""

from typing import Annotated

from pydantic import JsonValue

from workspace_manager.access import tokens
from workspace_manager.contract.connector import FrozenModel
from workspace_manager.contract.member_description import SystemName, UserName, Uuid, When, describe
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.timestamps import in_utc
from workspace_manager.core.views import as_text
from workspace_manager.engine.extras import MessageView, all_said, message_view
from workspace_manager.engine.plan import PlannedChange, PlannedStep
from workspace_manager.engine.rows import called
from workspace_manager.people.suspend import (
    RESUMPTION,
    SUSPENSION,
    resumption,
    set_terms,
    suspension,
)
from workspace_manager.people.suspension_terms import UNCHANGED, Terms
from workspace_manager.records.models import Person, Plan, Suspension


class ChangePreview(FrozenModel):
    """One thing in one system, and its desired state."""

    kind: Annotated[str, describe("Which kind of thing it is.", "drive.user")]
    id: Annotated[str, describe("What it is called, for people.", "anna")]
    target: Annotated[dict[str, str], describe("By what the system knows it.", {"user_id": "anna"})]
    action: Annotated[str, describe("`apply` or `remove`.", "apply")]
    after: Annotated[JsonValue, describe("How it shall be; null: not there.", {"enabled": False})]


class StepPreview(FrozenModel):
    """One step; `skip` says why it has nothing to do."""

    n: Annotated[int, describe("The number of the step.", 2)]
    name: Annotated[str, describe("What the step is called.", "shut_drive")]
    label: Annotated[
        str,
        describe("What people call it.", "Delete accounts: forge"),
    ] = ""
    label_message: MessageView | None = None
    system: Annotated[SystemName, describe("The system it is about.")]
    needs: Annotated[
        tuple[int, ...], describe("Numbers of the steps that have to end before.", [1])
    ]
    skip: Annotated[
        str,
        describe("Why nothing is to do there; empty where something is.", "There is no account."),
    ]
    skip_message: MessageView | None = None
    changes: Annotated[tuple[ChangePreview, ...], describe("What it does, thing by thing.")]


class SuspensionView(FrozenModel):
    """The effects of suspending this person, or of resuming a suspended person."""

    person: Annotated[UserName, describe("Whom it is about.")]
    state: Annotated[str, describe("How the person stands now.", "active")]
    kind: Annotated[
        str, describe("`suspension`, or `resumption` of somebody who is suspended.", "suspension")
    ]
    since: Annotated[When | None, describe("Since when the person is suspended.")] = None
    until: Annotated[When | None, describe("When it ends by itself.")] = None
    reason: Annotated[
        str, describe("Why, in the words of the person who ordered it.", "Exchange semester")
    ] = ""
    by: Annotated[str, describe("Who ordered it; empty before.", "ada")] = ""
    plan: Annotated[Uuid | None, describe("The newest plan that blocked or restored access.")] = (
        None
    )
    api_tokens: Annotated[int, describe("How many API tokens end for good.", 1)] = 0
    steps: Annotated[tuple[StepPreview, ...], describe("What is done, step by step.")]
    by_hand: Annotated[
        tuple[str, ...], describe("What is left to a person.", ["Take the key card back."])
    ]
    by_hand_messages: tuple[MessageView, ...]
    remarks: Annotated[
        tuple[str, ...], describe("What goes on meanwhile.", ["Running queries of others go on."])
    ]
    remarks_messages: tuple[MessageView, ...]


def suspension_view(
    username: str, systems: ConnectedSystems, *, actor: str, terms: Terms = UNCHANGED
) -> SuspensionView:
    """Return the suspension that an order with these terms would make. Raises
    Person.DoesNotExist.
    """
    person = Person.objects.get(username=username)
    row = Suspension.objects.filter(person=person).first()
    suspended = person.state == Person.State.SUSPENDED
    proposed = set_terms(Suspension(person=person), terms, actor)
    document = resumption(person, systems) if suspended else suspension(person, systems, proposed)
    kinds = [SUSPENSION.name, RESUMPTION.name]
    latest = Plan.objects.filter(subject=str(person.id), kind__in=kinds).order_by("-created_at")
    plan = latest.values_list("id", flat=True).first()
    return SuspensionView(
        person=person.username,
        state=person.state,
        kind=document.kind,
        since=in_utc(row.since) if row else None,
        until=in_utc(row.until) if row else None,
        reason=row.reason if row else "",
        by=row.by if row else "",
        plan=str(plan) if plan else None,
        api_tokens=tokens.valid_tokens(person).count(),
        steps=tuple(_step(step) for step in document.steps),
        by_hand=tuple(map(as_text, document.by_hand)),
        by_hand_messages=all_said(document.by_hand),
        remarks=tuple(map(as_text, document.remarks)),
        remarks_messages=all_said(document.remarks),
    )


def _step(step: PlannedStep) -> StepPreview:
    return StepPreview(
        n=step.n,
        name=step.name,
        label=as_text(step.label),
        label_message=message_view(step.label),
        system=step.system,
        needs=step.needs,
        skip=as_text(step.skip),
        skip_message=message_view(step.skip),
        changes=tuple(_change(planned) for planned in step.changes),
    )


def _change(planned: PlannedChange) -> ChangePreview:
    change = planned.change
    return ChangePreview(
        kind=change.kind,
        id=called(planned),
        target=change.target,
        action="remove" if change.after is None else "apply",
        after=change.after,
    )
