"""A suspension to look at before it is ordered, and while it lasts: what it shuts or what its end
gives back, and what goes on meanwhile.

Nothing is stored and no system is called: targets come from records and derived names.
"""

from pydantic import JsonValue

from workspace_manager.contract.connector import Frozen
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.timestamps import in_utc
from workspace_manager.engine.extras import Said, all_said, english, said
from workspace_manager.engine.plan import PlannedChange, PlannedStep
from workspace_manager.people import tokens
from workspace_manager.people.suspend import RESUMPTION, SUSPENSION, resumption, suspension
from workspace_manager.records.models import Person, Plan, Suspension


class ChangePreview(Frozen):
    """One thing in one system, and how it shall be."""

    kind: str
    id: str
    target: dict[str, str]
    action: str
    """`apply` or `remove`."""
    after: JsonValue


class StepPreview(Frozen):
    """One step; `skip` says why nothing is to do there."""

    n: int
    name: str
    system: str
    needs: tuple[int, ...]
    skip: str
    skip_message: Said | None = None
    changes: tuple[ChangePreview, ...]


class SuspensionView(Frozen):
    """What suspending this person does, or, of somebody who is suspended, what letting back in
    does.
    """

    person: str
    state: str
    kind: str
    """`suspension`, or `resumption` of somebody who is suspended."""
    since: str | None = None
    until: str | None = None
    reason: str = ""
    by: str = ""
    plan: str | None = None
    """The newest plan that shut or opened something."""
    api_tokens: int = 0
    """How many end for good."""
    steps: tuple[StepPreview, ...]
    by_hand: tuple[str, ...]
    by_hand_messages: tuple[Said, ...]
    remarks: tuple[str, ...]
    remarks_messages: tuple[Said, ...]


def suspension_view(username: str, systems: ConnectedSystems, *, actor: str) -> SuspensionView:
    """Raises Person.DoesNotExist."""
    person = Person.objects.get(username=username)
    row = Suspension.objects.filter(person=person).first()
    suspended = person.state == Person.State.SUSPENDED
    terms = row or Suspension(person=person, by=actor)
    document = resumption(person, systems) if suspended else suspension(person, systems, terms)
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
        api_tokens=tokens.standing(person).count(),
        steps=tuple(_step(step) for step in document.steps),
        by_hand=tuple(map(english, document.by_hand)),
        by_hand_messages=all_said(document.by_hand),
        remarks=tuple(map(english, document.remarks)),
        remarks_messages=all_said(document.remarks),
    )


def _step(step: PlannedStep) -> StepPreview:
    return StepPreview(
        n=step.n,
        name=step.name,
        system=step.system,
        needs=step.needs,
        skip=english(step.skip),
        skip_message=said(step.skip),
        changes=tuple(_change(planned) for planned in step.changes),
    )


def _change(planned: PlannedChange) -> ChangePreview:
    change = planned.change
    return ChangePreview(
        kind=change.kind,
        id=planned.name or next(iter(change.target.values()), ""),
        target=change.target,
        action="remove" if change.after is None else "apply",
        after=change.after,
    )
