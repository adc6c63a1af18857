"""A removal that has ended, and what somebody does to it in the database."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.world import World
from workspace_manager.audit.seals import seal_waiting
from workspace_manager.audit.verify import verify
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import AuditEntry, Plan
from workspace_manager.records.plan_content import NOTED


def ended_removal(world: World) -> Plan:
    """A removal that is done, whose late look is still to come; the audit is sealed."""
    alice_with_everything(world)
    plan = approved_removal(world)
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    seal_waiting()
    return plan


def look_again(plan: Plan, world: World) -> None:
    past = timezone.now() - timedelta(seconds=1)
    plan.rechecks.update(due_at=past)
    for recheck in plan.rechecks.all():
        run(recheck.id, world.systems(), kinds=PLAN_KINDS)
    seal_waiting()


def sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def convert_id(value: uuid.UUID) -> str:
    """An id as this database keeps it."""
    return value.hex if connection.vendor == "sqlite" else str(value)


def problems() -> list[str]:
    return [one.why.english for one in verify().problems]


def of_plan(columns: str) -> Callable[[Plan], None]:
    return lambda plan: sql(f"UPDATE records_plan SET {columns} WHERE id = %s", convert_id(plan.id))


def of_step(columns: str) -> Callable[[Plan], None]:
    return lambda plan: sql(
        f"UPDATE records_planstep SET {columns} WHERE n = 3 AND plan_id = %s", convert_id(plan.id)
    )


def noted(plan: Plan) -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(event=NOTED, subject=str(plan.id)).order_by("id"))
