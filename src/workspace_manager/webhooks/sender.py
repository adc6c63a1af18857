"""Send what waits for one webhook, one delivery at a time.

A receiver that is slow or gone costs its own place and ten seconds, and is left alone longer after
each time; nobody else waits for it. No transaction is open during a call, and what is about to be
tried is written down before: a worker killed in between sends late, or twice under the same id.
"""

import random
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract import deadline, failure_reports, slots
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import Message
from workspace_manager.core.clock import database_now
from workspace_manager.records.models import WebhookDelivery, WebhookEndpoint
from workspace_manager.webhooks import addresses, signature
from workspace_manager.webhooks.messages import message

PLACE: Final = "webhooks"
AT_ONCE: Final = 4
"""Sent by one process at the same time."""
POLICY: Final = CallPolicy(connect_s=5, answer_s=10)
LONGEST_ANSWER: Final = 64_000
"""Bytes; nothing of it is kept, and nothing in it matters."""
CLAIM: Final = timedelta(seconds=60)
FOR_A_WHILE_S: Final = 5.0
"""So long one after another is sent before somebody else gets the thread."""
WAITS_S: Final = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""After each failed try: three days in all, as Standard Webhooks advises."""
LONGEST_WAIT: Final = timedelta(seconds=1.2 * WAITS_S[-1])
LONGEST_REST_S: Final = 900
GIVEN_UP_AFTER: Final = timedelta(days=3)
"""Who takes nothing for so long is not told any more."""
GONE: Final = 410

State = WebhookDelivery.State


@dataclass(frozen=True)
class Outcome:
    """The result of one try. `status`: None for no answer."""

    status: int | None
    trouble: Message | None = None

    @property
    def well(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def in_trouble(self) -> bool:
        """Return whether the next delivery would fare no better."""
        return self.status is None or self.status == 429 or self.status >= 500


def due_deliveries() -> list[uuid.UUID]:
    """The endpoints for which something is to be sent now."""
    now = database_now()
    held = Q(endpoint__claimed_until__gt=now, endpoint__claimed_until__lte=now + CLAIM)
    rows = _ready(now).exclude(held)
    return list(rows.order_by().values_list("endpoint", flat=True).distinct())


def _ready(now: datetime) -> QuerySet[WebhookDelivery]:
    """Deliveries to send now to endpoints that do not rest. One that was never tried is ready: the
    host that stored it may be ahead of the database's clock. None waits longer than the longest.
    """
    longest_rest, longest = now + timedelta(seconds=LONGEST_REST_S), now + LONGEST_WAIT
    rests = Q(endpoint__rests_until__gt=now, endpoint__rests_until__lte=longest_rest)
    later = Q(tries__gt=0, next_try_at__gt=now, next_try_at__lte=longest)
    rows = WebhookDelivery.objects.filter(state=State.WAITING, endpoint__disabled="")
    return rows.exclude(rests).exclude(later)


def send(endpoint_id: uuid.UUID) -> float | None:
    """Send what waits for this endpoint, for a while; gives in how many seconds to go on, None for
    nothing to do. Nothing happens while somebody else sends there.
    """
    slots.allow(PLACE, AT_ONCE)
    now = database_now()
    mine = now + CLAIM
    claimed = Q(claimed_until__gt=now, claimed_until__lte=mine)
    asked = WebhookEndpoint.objects.filter(id=endpoint_id, disabled="").exclude(claimed)
    if not asked.update(claimed_until=mine):
        return None
    end = deadline.moment() + FOR_A_WHILE_S
    try:
        while _send_next(endpoint_id):
            if deadline.moment() >= end:
                return 0
    except slots.Busy as busy:
        return busy.retry_after
    finally:
        held = WebhookEndpoint.objects.filter(id=endpoint_id, claimed_until=mine)
        held.update(claimed_until=None)
    return _next(endpoint_id)


def _next(endpoint_id: uuid.UUID) -> float | None:
    waiting = WebhookDelivery.objects.filter(endpoint=endpoint_id, state=State.WAITING)
    row = waiting.select_related("endpoint").order_by("next_try_at").first()
    if row is None or row.endpoint.disabled:
        return None
    when = max(row.next_try_at, row.endpoint.rests_until or row.next_try_at)
    return max(0.0, (when - database_now()).total_seconds())


def _send_next(endpoint_id: uuid.UUID) -> bool:
    """Send one; whether there may be more."""
    now = database_now()
    waiting = _ready(now).filter(endpoint=endpoint_id)
    row = waiting.select_related("endpoint").order_by("created_at", "id").first()
    if row is None:
        return False
    # The place is taken before the try is counted: who finds none tried nothing.
    with slots.hold_slot(PLACE, kind=PLACE, doing=message("telling")):
        row.tries += 1
        row.next_try_at = now + timedelta(seconds=_wait(row.tries))
        WebhookDelivery.objects.filter(id=row.id).update(
            tries=row.tries, next_try_at=row.next_try_at
        )
        outcome = _sent(row, now)
    _write(row, outcome)
    return True


def _wait(tries: int) -> float:
    after = WAITS_S[min(tries, len(WAITS_S)) - 1]
    return after * random.uniform(0.9, 1.1)  # noqa: S311  jitter, not a secret


def _sent(row: WebhookDelivery, now: datetime) -> Outcome:
    endpoint = row.endpoint
    url = addresses.full_address(endpoint)
    if wrong := addresses.address_obstacle(url):
        return Outcome(None, wrong)
    parts = urlsplit(url)
    client = HttpClient(
        f"{parts.scheme}://{parts.netloc}",
        system=PLACE,
        policy=POLICY,
        public_only=not settings.WEBHOOKS_TO_PRIVATE_ADDRESSES,
    )
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {
        **signature.headers(endpoint, row, now),
        "Content-Type": "application/json",
    }
    try:
        # It is no system of ours: nobody looks after it.
        with failure_reports.suppress_reports(), deadline.time_limit(POLICY.answer_s):
            status = client.send_for_status(
                "POST",
                path,
                doing=message("telling"),
                content=row.body.encode(),
                headers=headers,
                most=LONGEST_ANSWER,
            )
    except (Unavailable, Invalid) as failed:
        return Outcome(None, failed.message)
    finally:
        client.close()
    outcome = Outcome(status)
    if outcome.well:
        return outcome
    return Outcome(status, message("answered", status=status))


def _write(row: WebhookDelivery, outcome: Outcome) -> None:
    """Write down what became of it. Of an endpoint that was deleted meanwhile nothing is left."""
    with transaction.atomic():
        now = database_now()
        endpoint = WebhookEndpoint.objects.select_for_update().filter(id=row.endpoint_id).first()
        if endpoint is None:
            return
        over = outcome.well or outcome.status == GONE or row.tries > len(WAITS_S)
        state = State.DELIVERED if outcome.well else State.FAILED if over else State.WAITING
        WebhookDelivery.objects.filter(id=row.id).update(
            state=state,
            status=outcome.status,
            trouble=outcome.trouble,
            ended_at=now if over else None,
        )
        if outcome.well:
            WebhookEndpoint.objects.filter(id=endpoint.id).exclude(failures=0).update(
                failures=0, failing_since=None, rests_until=None
            )
        else:
            _failed(endpoint, outcome, now)


def _failed(endpoint: WebhookEndpoint, outcome: Outcome, now: datetime) -> None:
    rest = min(5 * 2 ** min(endpoint.failures, 10), LONGEST_REST_S)
    WebhookEndpoint.objects.filter(id=endpoint.id).update(
        failures=F("failures") + 1,
        failing_since=Coalesce("failing_since", now),
        rests_until=now + timedelta(seconds=rest) if outcome.in_trouble else None,
    )
    why = ""
    if outcome.status == GONE:
        why = WebhookEndpoint.Disabled.GONE
    elif endpoint.failing_since and now - endpoint.failing_since >= GIVEN_UP_AFTER:
        why = WebhookEndpoint.Disabled.FAILING
    if why and not endpoint.disabled:
        WebhookEndpoint.objects.filter(id=endpoint.id).update(disabled=why, disabled_at=now)
        told = {"why": str(why), "origin": endpoint.origin}
        note("webhook:disabled", endpoint.label, actor=MANAGER, **told)
