"""The health of the store, as `check` says it and as it is looked at each quarter of an hour.

The store is none of the systems: its settings are those of the manager, and nobody pauses it. It
was paused where it refused our credential itself. Sent again, that locks nothing, so it is tried
again each minute, and what waited goes on once the store takes it.

See docs/explanation/snapshots.md#when-the-store-refuses.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction

from workspace_manager.audit.note import MANAGER
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.deadline import time_limit
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import SNAPSHOTS
from workspace_manager.engine import pause
from workspace_manager.operations import health_findings
from workspace_manager.records.models import Snapshot, SystemStatus
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.store.messages import message as of_store
from workspace_manager.snapshots.store.probe import try_store
from workspace_manager.snapshots.store_access import open_snapshots

LONGEST_S: Final = 40
AGAIN: Final = timedelta(minutes=1)
"""When it is tried again while something is wrong with it."""


def findings() -> list[Finding]:
    """Return whether the store takes, gives, lists and deletes; stores nothing of ours."""
    said, name = Findings(SNAPSHOTS.name), message("check_store")
    if not settings.SNAPSHOTS.is_set:
        # A manager works without snapshots.
        return [said.warning(name, of_store("not_set"), of_store("set_it"))]
    try:
        with time_limit(LONGEST_S):
            try_store(open_snapshots())
    except ConnectorError as error:
        advice = error.advice_message or of_store("unfit_advice")
        return [said.failing(name, error.message, advice)]
    found = [said.ok(name, message("store_works"))]
    if count := Snapshot.objects.filter(damage__isnull=False).count():
        # The store itself works: nothing waits for it.
        what = message("content_damaged", count=count)
        found.append(said.warning(message("check_content"), what, of_store("damaged_advice")))
    return found


def look(now: Callable[[], datetime] = database_now) -> None:
    """Look where that is due, keep what was found, and go on with what waited for the store."""
    row, _ = SystemStatus.objects.get_or_create(system=SNAPSHOTS.name)
    if not _is_due(row, now()):
        return
    found = findings()
    with transaction.atomic():
        SystemStatus.objects.filter(system=row.system).update(checked_at=now())
        health_findings.record_findings(row.system, found, now())
    if row.paused and not any(one.severity == Severity.FAILING for one in found):
        pause.resume(row.system, actor=MANAGER)


def _is_due(row: SystemStatus, now: datetime) -> bool:
    """Also when the last look lies ahead: the clock was turned back."""
    ails = row.paused or health_findings.first_failing(row.system) is not None
    wait = AGAIN if ails else timedelta(minutes=settings.HEALTH_CHECK_MINUTES)
    return row.checked_at is None or not row.checked_at <= now < row.checked_at + wait
