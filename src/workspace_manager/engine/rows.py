"""The journal: a plan's rows. What stands here happened; what does not is looked at again."""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.secret import Secret, SecretRef
from workspace_manager.core.account_link import account_name
from workspace_manager.core.clock import database_now
from workspace_manager.core.wake import notify_worker
from workspace_manager.engine import doors
from workspace_manager.engine.plan import (
    PlanDocument,
    PlannedChange,
    PlannedStep,
    digest_of,
    essence,
    parsed,
)
from workspace_manager.records.models import Plan, PlanChange, PlanStep, VaultEntry


class Vault:
    """Secrets of a plan that is being made: each has its place before the plan has its row."""

    def __init__(self) -> None:
        self.entries: dict[uuid.UUID, Secret] = {}

    def keep(self, secret: Secret) -> SecretRef:
        """Where the secret will be once the plan is stored."""
        place = uuid.uuid4()
        self.entries[place] = secret
        return f"vault/{place}"


def store(
    document: PlanDocument,
    *,
    actor: str,
    state: str = Plan.State.DRAFT,
    due_at: datetime | None = None,
    vault: Vault | None = None,
    belongs_to: Plan | None = None,
) -> Plan:
    """Write a plan, its steps and its secrets down. Due at once unless `due_at` says later.

    It is as old as the database's clock says: by that it is seen when a draft ends, and how long
    one that looks after another waits where the clock was turned back.
    """
    text, stored = document.canonical(), database_now()
    with transaction.atomic():
        plan = Plan.objects.create(
            kind=document.kind,
            person=document.person,
            subject=document.subject,
            about=document.about,
            state=state,
            document_text=text,
            digest=digest_of(text),
            by_hand=[quote_words(text) for text in document.by_hand],
            remarks=[quote_words(text) for text in document.remarks],
            invariants=[doors.entry(n, door) for n, door in enumerate(document.doors)],
            created_by=actor,
            approved_at=timezone.now() if state == Plan.State.RUNNING else None,
            approved_by=actor if state == Plan.State.RUNNING else "",
            due_at=due_at or stored,
            belongs_to=belongs_to,
            created_at=stored,
        )
        VaultEntry.objects.bulk_create(
            VaultEntry(id=place, plan=plan, secret=secret)
            for place, secret in (vault.entries if vault else {}).items()
        )
        _write_steps(plan, document)
        wait = due_at - database_now() if due_at else timedelta()
        notify_worker(plan.id, seconds=wait.total_seconds())
    return plan


def begin(plan: Plan, *, actor: str, now: datetime, **columns: Any) -> None:
    """Start a draft that was approved, in the caller's transaction. `columns`: what is written with
    that.
    """
    Plan.objects.filter(id=plan.id).update(
        state=Plan.State.RUNNING,
        approved_at=now,
        approved_by=actor,
        due_at=now,
        # Whoever looks for the preview finds the lease gone.
        lease_number=F("lease_number") + 1,
        lease_owner="",
        lease_until=None,
        **columns,
    )
    notify_worker(plan.id)


def _write_steps(plan: Plan, document: PlanDocument) -> None:
    rows = PlanStep.objects.bulk_create(
        PlanStep(
            plan=plan,
            n=step.n,
            name=step.name,
            system=step.system,
            needs=list(step.needs),
            state=PlanStep.State.SKIPPED if step.skip else PlanStep.State.PENDING,
            reason=quote_words(step.skip) if step.skip else None,
        )
        for step in document.steps
    )
    PlanChange.objects.bulk_create(
        _row(row, position, planned, needs=planned.needs)
        for row, step in zip(rows, document.steps, strict=True)
        for position, planned in enumerate(step.changes)
    )


def _row(
    step: PlanStep, position: int, planned: PlannedChange, *, needs: Iterable[int]
) -> PlanChange:
    return PlanChange(
        step=step,
        position=position,
        kind=planned.change.kind,
        name=called(planned),
        change=planned.change.model_dump(mode="json"),
        needs=list(needs),
    )


def follow(plan: Plan, fresh: PlanDocument) -> None:
    """Bring a plan that was shown to what it is now: without what has gone, with what was added.

    What was shown and its digest stay as they are; what differs stands beside it. `fresh`: the plan
    as it would be built now; the caller made sure that everything it has more may be added.
    """
    wanted = {step.n: step for step in fresh.steps}
    rows = {row.n: row for row in plan.steps.all()}
    shown = read(plan)
    doors.follow(plan, shown.doors, fresh.doors)
    for step in shown.steps:
        plan.removed += _take_out(rows[step.n], step, wanted[step.n])
        plan.added += _put_in(rows[step.n], step, wanted[step.n])
    plan.by_hand = [quote_words(text) for text in fresh.by_hand]
    built = [quote_words(text) for text in read(plan).remarks]
    foretold = [one for one in plan.remarks if one not in built]
    plan.remarks = [*(quote_words(text) for text in fresh.remarks), *foretold]
    plan.save(update_fields=["removed", "added", "by_hand", "remarks", "invariants"])


def _take_out(row: PlanStep, shown: PlannedStep, wanted: PlannedStep) -> list[dict[str, Any]]:
    left = [essence(planned.change) for planned in wanted.changes]
    gone = [
        position
        for position, planned in enumerate(shown.changes)
        if essence(planned.change) not in left
    ]
    row.changes.filter(position__in=gone).delete()
    if wanted.skip and not shown.skip:
        row.state, row.reason = PlanStep.State.SKIPPED, quote_words(wanted.skip)
        row.save(update_fields=["state", "reason"])
    return [{"n": row.n, "position": position} for position in gone]


def _put_in(row: PlanStep, shown: PlannedStep, wanted: PlannedStep) -> list[dict[str, Any]]:
    """Behind what was shown; what waits for an earlier change of the step waits for it where it
    stands now.
    """
    before = [essence(planned.change) for planned in shown.changes]
    positions: list[int] = []
    new: list[tuple[int, PlannedChange]] = []
    for planned in wanted.changes:
        what = essence(planned.change)
        place = before.index(what) if what in before else len(before) + len(new)
        if what not in before:
            new.append((place, planned))
        positions.append(place)
    PlanChange.objects.bulk_create(
        _row(row, place, planned, needs=[positions[n] for n in planned.needs])
        for place, planned in new
    )
    return [
        {"n": row.n, "position": place, "what": essence(planned.change)} for place, planned in new
    ]


def read(plan: Plan) -> PlanDocument:
    """The document as it was shown and approved."""
    return parsed(plan.document_text)


def change_of(row: PlanChange) -> Change:
    """The change of a journal row, with its latest look."""
    return Change.model_validate(row.change)


def called(planned: PlannedChange) -> str:
    """The name of a change for people: the one it was given, or the one its kind says."""
    return planned.name or account_name(planned.change.kind, planned.change.target)


def plan_change(change: Change, *needs: int, name: str = "") -> PlannedChange:
    """Put a change into a step, waiting for the step's earlier changes `needs`."""
    return PlannedChange(change=change, needs=needs, name=name)


def append_new(messages: list[Message], found: Message) -> list[Message]:
    """These messages and one more, if it is not among them."""
    return messages if found in messages else [*messages, found]


def empty_vault(plan: Plan) -> None:
    """Erase the secrets a plan carried: it is closed."""
    VaultEntry.objects.filter(plan=plan).delete()
