"""The journal: a plan's rows. What stands here happened; what does not is looked at again."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from workspace_manager.contract.connector import Change
from workspace_manager.core.clock import database_now
from workspace_manager.core.wake import wake_plan
from workspace_manager.engine.plan import PlanDocument, PlannedChange
from workspace_manager.records.models import Plan, PlanChange, PlanStep, VaultEntry


def store(
    document: PlanDocument,
    *,
    actor: str,
    state: str = Plan.State.DRAFT,
    due_at: datetime | None = None,
) -> Plan:
    """Write a plan and its steps down. Due at once unless `due_at` says later."""
    with transaction.atomic():
        plan = Plan.objects.create(
            kind=document.kind,
            person=document.person,
            subject=document.subject,
            about=document.about,
            state=state,
            document=document.model_dump(mode="json"),
            digest=document.digest(),
            created_by=actor,
            approved_at=timezone.now() if state == Plan.State.RUNNING else None,
            approved_by=actor if state == Plan.State.RUNNING else "",
            due_at=due_at or database_now(),
        )
        write_steps(plan, document)
        wait = due_at - database_now() if due_at else timedelta()
        wake_plan(plan.id, seconds=wait.total_seconds())
    return plan


def rewrite(plan: Plan, document: PlanDocument) -> None:
    """Replace a draft's document by a rebuilt one (it may only have shrunk; the caller made sure)."""
    plan.document = document.model_dump(mode="json")
    plan.digest = document.digest()
    plan.save(update_fields=["document", "digest"])
    plan.steps.all().delete()
    write_steps(plan, document)


def write_steps(plan: Plan, document: PlanDocument) -> None:
    """Write the step and change rows of a document."""
    for step in document.steps:
        skipped = bool(step.skip)
        row = PlanStep.objects.create(
            plan=plan,
            n=step.n,
            name=step.name,
            system=step.system,
            needs=list(step.needs),
            state=PlanStep.State.SKIPPED if skipped else PlanStep.State.PENDING,
            reason=step.skip,
        )
        PlanChange.objects.bulk_create(
            PlanChange(
                step=row,
                position=position,
                kind=planned.change.kind,
                name=planned.name or name_of(planned.change),
                change=planned.change.model_dump(mode="json"),
                needs=list(planned.needs),
            )
            for position, planned in enumerate(step.changes)
        )


def read(plan: Plan) -> PlanDocument:
    """The document as it was signed."""
    return PlanDocument.model_validate(plan.document)


def change_of(row: PlanChange) -> Change:
    """The change of a journal row, with its latest look."""
    return Change.model_validate(row.change)


def name_of(change: Change) -> str:
    """The name a person would recognise: the first identifier of the target."""
    return next(iter(change.target.values()), "")


def planned(change: Change, *needs: int, name: str = "") -> PlannedChange:
    """Put a change into a step, waiting for the step's earlier changes `needs`."""
    return PlannedChange(change=change, needs=needs, name=name)


def empty_vault(plan: Plan) -> None:
    """Erase the secrets a plan carried: it is closed."""
    VaultEntry.objects.filter(plan=plan).delete()
