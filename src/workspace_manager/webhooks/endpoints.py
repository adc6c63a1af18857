"""Webhooks as administrators keep them: made, changed, switched off and on, their secret renewed,
tried, and what was not delivered sent again.
"""

import re
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.core.clock import database_now
from workspace_manager.core.lists import Choice, ListSpec, Member, Text
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.wake import wake_webhooks
from workspace_manager.records.models import WebhookDelivery, WebhookEndpoint
from workspace_manager.webhooks import addresses, outbox, signature
from workspace_manager.webhooks.messages import message

MOST: Final = 20
MOST_EVENTS: Final = 50
OVERLAP: Final = timedelta(hours=24)
"""How long the secret from before a rotation signs beside the new one."""
KEPT: Final = timedelta(days=30)
"""How long it is shown what was delivered, and what was not."""
TYPE: Final = re.compile(r"\*|[a-z_]{1,40}\.(\*|[a-z_]{1,40})")
WEBHOOKS: Final = ListSpec(
    "webhooks_list",
    __file__,
    searched=("label", "origin"),
    order=("created_at",),
    members=(
        Member("created_at", order="created_at"),
        Member("label", order="label"),
        Member("url", order="origin"),
    ),
)
DELIVERIES: Final = ListSpec(
    "deliveries_list",
    __file__,
    searched=("type",),
    order=("-created_at",),
    members=(
        Member("created_at", order="created_at"),
        Member(
            "state",
            Choice(tuple(map(str, WebhookDelivery.State.values))),
            help="Only those that stand so.",
            filter="state",
            order="state",
        ),
        Member(
            "type",
            Text(80),
            help="Only of this type.",
            example="registration.approved",
            filter="type",
            order="type",
        ),
    ),
)

State = WebhookDelivery.State


def open_endpoints() -> QuerySet[WebhookEndpoint]:
    """All of them, each with how many deliveries wait (`waiting`)."""
    waiting = Count("deliveries", filter=Q(deliveries__state=State.WAITING))
    return WebhookEndpoint.objects.annotate(waiting=waiting)


def make(url: str, *, label: str, events: Sequence[str], actor: str) -> tuple[WebhookEndpoint, str]:
    """Make one; its secret is given once. Raises BadInput, and Refused when there are too many."""
    values = _usable({"url": url, "label": label, "events": list(events)})
    clear = signature.new_secret()
    with transaction.atomic():
        if WebhookEndpoint.objects.count() >= MOST:
            raise Refused(message("too_many", most=MOST))
        made = WebhookEndpoint.objects.create(
            **values, secret=Secret(clear, name="webhook"), created_by=actor
        )
        _note("added", made, actor)
    return made, clear


def change(
    endpoint_id: uuid.UUID, *, actor: str, enabled: bool | None = None, **typed: Any
) -> WebhookEndpoint:
    """Change some of `url`, `label` and `events`, and whether anything is sent there. Raises
    BadInput and DoesNotExist.
    """
    values = _usable(typed)
    with transaction.atomic():
        endpoint = WebhookEndpoint.objects.select_for_update().get(id=endpoint_id)
        for name, value in values.items():
            setattr(endpoint, name, value)
        if enabled is not None and enabled == bool(endpoint.disabled):
            _switch(endpoint, enabled=enabled)
        endpoint.save()
        _note("changed", endpoint, actor, disabled=endpoint.disabled)
        wake_webhooks()
    return endpoint


def remove(endpoint_id: uuid.UUID, *, actor: str) -> None:
    """Delete one, and what waits for it. Raises DoesNotExist."""
    with transaction.atomic():
        endpoint = WebhookEndpoint.objects.select_for_update().get(id=endpoint_id)
        endpoint.delete()
        _note("removed", endpoint, actor, id=str(endpoint_id))


def rotate(endpoint_id: uuid.UUID, *, actor: str) -> tuple[WebhookEndpoint, str]:
    """Give it a new secret, shown once. The one before signs beside it for a day, so that the
    receiver can change it in its own time. Raises DoesNotExist.
    """
    clear = signature.new_secret()
    with transaction.atomic():
        endpoint = WebhookEndpoint.objects.select_for_update().get(id=endpoint_id)
        now = timezone.now()
        signature.rotate(endpoint, clear, now, until=now + OVERLAP)
        endpoint.save(update_fields=["old_secret", "secret", "old_until"])
        _note("rotated", endpoint, actor)
    return endpoint, clear


def show_address(endpoint_id: uuid.UUID, *, actor: str) -> str:
    """Give the whole address to somebody who may change it. Raises DoesNotExist."""
    with transaction.atomic():
        endpoint = WebhookEndpoint.objects.select_for_update().get(id=endpoint_id)
        _note("revealed", endpoint, actor)
    return addresses.full_address(endpoint)


def test(endpoint_id: uuid.UUID, *, actor: str) -> WebhookDelivery:
    """Have it sent something that means nothing, whatever it wants to be told. Raises Refused when
    it is switched off, and DoesNotExist.
    """
    with transaction.atomic():
        endpoint = _told(endpoint_id)
        if endpoint.deliveries.filter(state=State.WAITING).count() >= outbox.MOST_WAITING:
            raise Refused(message("too_many_wait"))
        _note("tested", endpoint, actor)
        data = {"label": endpoint.label, "actor": actor}
        made = outbox.delivery(endpoint, outbox.TEST, data, at=timezone.now())
        made.save()
        WebhookEndpoint.objects.filter(id=endpoint.id).update(rests_until=None)
        wake_webhooks()
    return made


def redeliver(endpoint_id: uuid.UUID, delivery_id: uuid.UUID, *, actor: str) -> WebhookDelivery:
    """Send it again, as it was and under the same id. Raises Refused when it waits already or its
    endpoint is switched off, and DoesNotExist.
    """
    with transaction.atomic():
        endpoint = _told(endpoint_id)
        row = endpoint.deliveries.select_for_update().get(id=delivery_id)
        if row.state == State.WAITING and row.next_try_at <= timezone.now():
            raise Refused(message("waits_already"))
        row.state, row.tries, row.ended_at = State.WAITING, 0, None
        row.next_try_at = timezone.now()
        row.save(update_fields=["state", "tries", "ended_at", "next_try_at"])
        WebhookEndpoint.objects.filter(id=endpoint.id).update(rests_until=None)
        _note("redelivered", endpoint, actor, delivery=str(row.id), type=row.type)
        wake_webhooks()
    return row


def look_after(now: datetime | None = None) -> None:
    """Forget what is too old to be shown, and secrets that do not sign any more."""
    now = now or database_now()
    WebhookDelivery.objects.filter(created_at__lt=now - KEPT).delete()
    over = WebhookEndpoint.objects.filter(old_until__lte=now)
    over.update(old_secret=None, old_until=None)


def _told(endpoint_id: uuid.UUID) -> WebhookEndpoint:
    endpoint = WebhookEndpoint.objects.select_for_update().get(id=endpoint_id)
    if endpoint.disabled:
        raise Refused(message("disabled"))
    return endpoint


def _switch(endpoint: WebhookEndpoint, *, enabled: bool) -> None:
    endpoint.disabled = "" if enabled else WebhookEndpoint.Disabled.PERSON
    endpoint.disabled_at = None if enabled else timezone.now()
    if enabled:
        endpoint.failing_since = endpoint.rests_until = None
        endpoint.failures = endpoint.left_out = 0


def _usable(typed: dict[str, Any]) -> dict[str, Any]:
    """The typed values as they are stored. Raises BadInput naming every unusable field."""
    errors: dict[str, Message] = {}
    values = dict(typed)
    if "url" in typed:
        url = values.pop("url")
        if wrong := addresses.address_obstacle(url):
            errors["url"] = wrong
        else:
            values["address"] = Secret(url, name="address of a webhook")
            values["origin"] = addresses.origin(url)
    if "label" in typed:
        values["label"] = label = " ".join(typed["label"].split())
        if not 1 <= len(label) <= 100 or not label.isprintable():
            errors["label"] = message("label")
    if "events" in typed:
        values["events"] = events = sorted({*typed["events"]})
        if not 1 <= len(events) <= MOST_EVENTS or not all(map(TYPE.fullmatch, events)):
            errors["events"] = message("events", most=MOST_EVENTS)
        elif wrong := _unknown(events):
            errors["events"] = wrong
    if errors:
        raise BadInput(errors)
    return values


def _unknown(events: Sequence[str]) -> Message | None:
    """The complaint about an event that never comes; None when all of them exist."""
    types = outbox.types()
    rooms = sorted({f"{one.partition('.')[0]}.*" for one in types})
    for event in events:
        if event == "*" or event in types or event in rooms:
            continue
        near = [one for one in types if one.partition(".")[0] == event.partition(".")[0]]
        return message("no_event", event=event, known=", ".join(near or rooms))
    return None


def _note(done: str, endpoint: WebhookEndpoint, actor: str, **more: str) -> None:
    told = {"origin": endpoint.origin, "events": " ".join(endpoint.events), **more}
    note(f"webhook:{done}", endpoint.label, actor=actor, **told)
