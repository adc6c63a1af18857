"""The preview's looks: what is there now, for every target of a draft. A system that is down leaves
"unknown", never a hole.
"""

import time
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings

from workspace_manager.contract import wait_hooks
from workspace_manager.contract.connector import UNKNOWN, Change, Connector
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.slots import Busy
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.wake import notify_worker
from workspace_manager.engine.lease import Lease
from workspace_manager.engine.rows import change_of, read
from workspace_manager.records.models import Plan, PlanChange, SystemStatus
from workspace_manager.systems import registry

LOOK_EVERY_S = 0.05
LOOKS_ARE_GOOD = timedelta(minutes=1)
"""A draft is opened at once after it was made: those looks are its own."""


def look(lease: Lease, plan: Plan, systems: ConnectedSystems) -> None:
    """Fill `before` of every change of a draft. Only looks are made; a system that failed once is
    not asked again this time.
    """
    busy = False
    foretold: list[Message] = []
    silent = set(SystemStatus.objects.filter(paused=True).values_list("system", flat=True))
    for row in PlanChange.objects.filter(step__plan=plan).select_related("step"):
        change = change_of(row)
        connector = systems.connector(change.kind)
        if connector is None or change.system in silent:
            continue
        target = change.target
        try:
            looked = connector.plan(target, change.after)
            before, target = looked.before, recognize_target(change, looked)
        except Busy:
            silent.add(change.system)
            busy = True
            continue
        except ConnectorError:
            silent.add(change.system)
            before = UNKNOWN
        found = change.model_copy(update={"before": before, "target": target})
        row.change = found.model_dump(mode="json")
        if before != UNKNOWN and (remark := _foretold(connector, change)):
            foretold.append(remark)
        with lease.writing():
            row.save(update_fields=["change"])
    if busy:
        # It stays due: looked at again when there is a place.
        return
    with lease.writing():
        remarks = [*map(quote_words, read(plan).remarks), *dict.fromkeys(foretold)]
        Plan.objects.filter(id=plan.id, state=Plan.State.DRAFT).update(due_at=None, remarks=remarks)


def _foretold(connector: Connector, change: Change) -> Message | None:
    """The losses of other people with a thing that goes, if its connector can `foretell` them."""
    if change.after is not None:
        return None
    foretell: Callable[[Change], Message | None] | None = getattr(connector, "foretell", None)
    try:
        return foretell(change) if foretell else None
    except ConnectorError:
        return None


def recognize_target(change: Change, looked: Change) -> dict[str, str]:
    """The target with what it is recognized by should it come back under another id."""
    kind = registry().kinds.get(change.kind)
    parts = kind.recognized_by if kind else ()
    seen = {part: looked.target[part] for part in parts if part in looked.target}
    return {**change.target, **seen}


def look_again(plan: Plan) -> None:
    """Have the worker look again at a draft that was looked at a while ago; who opens it sees what
    is there now.
    """
    old = database_now() - LOOKS_ARE_GOOD
    drafts = Plan.objects.filter(id=plan.id, state=Plan.State.DRAFT, due_at=None)
    if drafts.filter(created_at__lt=old).update(due_at=database_now()):
        notify_worker(plan.id)
        plan.refresh_from_db()


def await_looks(plan: Plan) -> None:
    """Give the worker a moment to look. When it does not come in time the preview says "unknown",
    and is right again later.
    """
    deadline = time.monotonic() + settings.PREVIEW_WAIT_SECONDS
    while plan.due_at is not None and time.monotonic() < deadline:
        wait_hooks.pause(LOOK_EVERY_S)
        plan.refresh_from_db()
