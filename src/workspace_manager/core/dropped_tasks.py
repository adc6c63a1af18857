"""Tasks of the queue that were dropped because no key of ours had signed them. They are counted,
and the manager reports them until none has come for a day.
"""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, InterfaceError
from django.db.models import F

from workspace_manager.core import connections
from workspace_manager.core.clock import database_now
from workspace_manager.records.models import DroppedTasks

log = logging.getLogger(__name__)

SAID_FOR: Final = timedelta(days=1)


def count(queue: str) -> None:
    """Note one more. Whoever reads the queue goes on, also where that cannot be written down."""
    log.warning("an entry of the queue was dropped: no key of WORKSPACE_SECRET_KEYS signed it")
    try:
        now = database_now()
        row, is_first = DroppedTasks.objects.get_or_create(
            queue=queue, defaults={"since": now, "last_at": now}
        )
        if not is_first:
            same = DroppedTasks.objects.filter(pk=row.pk)
            same.update(times=F("times") + 1, last_at=now)
    except (DatabaseError, InterfaceError):
        log.warning("it could not be counted", exc_info=True)
    finally:
        connections.let_go()


def recent_drops() -> DroppedTasks | None:
    """The drops to report now."""
    since = database_now() - SAID_FOR
    return DroppedTasks.objects.filter(last_at__gt=since).order_by("-last_at").first()


def forget_old(now: datetime | None = None) -> None:
    """Begin to count anew where none has come for a day."""
    old = (now or database_now()) - SAID_FOR
    DroppedTasks.objects.filter(last_at__lte=old).delete()
