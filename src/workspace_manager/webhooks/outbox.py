"""Turn events into deliveries, in the transaction in which they are written down.

So nothing is told that did not happen, and nothing that happened is left out: a cursor over the
audit would pass by whatever is committed later than rows with higher numbers. It costs one small
statement for each row of the audit, and one more where somebody wants to be told.
"""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, F, Q
from django.utils import timezone

from workspace_manager.audit.messages import message as sentences
from workspace_manager.core.timestamps import in_utc
from workspace_manager.core.wake import wake_webhooks
from workspace_manager.records.models import AuditEntry, WebhookDelivery, WebhookEndpoint

MOST_WAITING: Final = 1000
"""For one endpoint. What happens beyond that is counted and not stored."""
BEGAN: Final = "waiting.began"
ENDED: Final = "waiting.ended"
TEST: Final = "webhook.test"


def tell(entry: AuditEntry) -> None:
    """Tell of a row of the audit, in the transaction that writes it."""
    data = {
        "id": entry.pk,
        "actor": entry.actor,
        "subject": entry.subject,
        "details": entry.details,
    }
    tell_all([(type_of(entry.event), data)], at=entry.at)


def type_of(event: str) -> str:
    """The public name of an event: `registration:approved` is `registration.approved`."""
    return event.replace(":", ".")


def types() -> list[str]:
    """Every type there is, in the order of their names; also those that only what is installed
    beside ours has written down.
    """
    ours = (name.partition(".")[0] for name in sentences.english if ":" in name)
    events = AuditEntry.objects.order_by("event").values_list("event", flat=True).distinct()
    return sorted({*map(type_of, events), *map(type_of, ours), BEGAN, ENDED})


def tell_all(events: Iterable[tuple[str, dict[str, Any]]], *, at: datetime) -> None:
    """Store a delivery of each of these (type, data) for everybody who wants it."""
    endpoints = list(WebhookEndpoint.objects.filter(disabled=""))
    rows = [
        delivery(endpoint, type_, data, at=at)
        for type_, data in (events if endpoints else ())
        for endpoint in endpoints
        if wants(endpoint.events, type_)
    ]
    if rows:
        _store(rows)


def delivery(
    endpoint: WebhookEndpoint, type_: str, data: dict[str, Any], *, at: datetime
) -> WebhookDelivery:
    """One event for one endpoint, not stored yet."""
    body = {"type": type_, "timestamp": in_utc(at), "data": data}
    return WebhookDelivery(endpoint=endpoint, type=type_, body=json.dumps(body, sort_keys=True))


def wants(events: Iterable[str], type_: str) -> bool:
    """Return whether a list of types, `registration.*` or `*` has this one in it."""
    room = type_.partition(".")[0]
    return any(one in {"*", type_, f"{room}.*"} for one in events)


def _store(rows: list[WebhookDelivery]) -> None:
    waiting = Count("deliveries", filter=Q(deliveries__state=WebhookDelivery.State.WAITING))
    asked = WebhookEndpoint.objects.filter(id__in={row.endpoint_id for row in rows})
    free = {one.pk: MOST_WAITING - one.waiting for one in asked.annotate(waiting=waiting)}
    kept: list[WebhookDelivery] = []
    now = timezone.now()
    for row in rows:
        free[row.endpoint_id] -= 1
        if free[row.endpoint_id] >= 0:
            # What is told together goes out in its order: an end before what began anew.
            row.created_at = now + timedelta(microseconds=len(kept))
            row.next_try_at = now
            kept.append(row)
    WebhookDelivery.objects.bulk_create(kept)
    for pk, left in free.items():
        if left < 0:
            WebhookEndpoint.objects.filter(pk=pk).update(left_out=F("left_out") - left)
    wake_webhooks()
