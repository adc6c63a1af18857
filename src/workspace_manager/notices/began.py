"""Webhooks are told what begins and ceases to wait for administrators."""

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from workspace_manager.inbox import of_people, of_plans, of_systems, waiting
from workspace_manager.inbox.item import Item
from workspace_manager.notices import lasting, outbox
from workspace_manager.notices.letters import MOST_LOOKED_AT
from workspace_manager.notices.who import administrators
from workspace_manager.records.models import WaitingTold, WebhookEndpoint

KINDS: Final = tuple(
    source.kind
    for source in (*of_plans.SOURCES, *of_systems.SOURCES, *of_people.SOURCES)
    if source.kind != "own_permission"
)
"""What is alike for all of them; what is somebody's own is told to nobody else."""


def tell() -> None:
    """Tell of what began and ended since the last look. Nobody asks: nothing is looked at."""
    asked = WebhookEndpoint.objects.filter(disabled="").values_list("events", flat=True)
    wanted = any(
        outbox.wants(one, type_) for one in asked for type_ in (outbox.BEGAN, outbox.ENDED)
    )
    administrator = administrators().first() if wanted else None
    if administrator is None:
        return
    now = timezone.now()
    ended = lasting.over(WaitingTold.objects.filter(ended_at=None), administrator, now)
    items = waiting.first(administrator, now, kinds=KINDS, most=MOST_LOOKED_AT)
    with transaction.atomic():
        events = [_ended(row, now) for row in ended if lasting.end(row, now)]
        events += [_began(item) for item in items if _is_new(item)]
        if events:
            outbox.tell_all(events, at=now)


def _is_new(item: Item) -> bool:
    values = {"kind": item.kind, "what": item.what}
    return WaitingTold.objects.get_or_create(values, key=item.key, since=item.since)[1]


def _began(item: Item) -> tuple[str, dict[str, Any]]:
    why = outbox.spoken(item.why) if item.why else None
    what = outbox.spoken(item.what)
    data = {"kind": item.kind, "key": item.key, "what": what, "why": why, "serious": item.serious}
    return outbox.BEGAN, data


def _ended(row: WaitingTold, now: datetime) -> tuple[str, dict[str, Any]]:
    lasted = int((now - row.since).total_seconds())
    what = outbox.spoken(row.what) if row.what else None
    return outbox.ENDED, {"kind": row.kind, "key": row.key, "what": what, "lasted_seconds": lasted}
