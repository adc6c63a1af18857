"""The signature that proves that a delivery is ours: as Standard Webhooks says, with the endpoint's
secret, and for a day after a rotation with the one before as well.
"""

import base64
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from standardwebhooks.webhooks import Webhook

from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import WebhookDelivery, WebhookEndpoint

MOST_OLD: Final = 5
"""Secrets from before rotations that sign at the same time."""


def new_secret() -> str:
    """A secret of 256 bits, as receivers expect it."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def headers(endpoint: WebhookEndpoint, delivery: WebhookDelivery, now: datetime) -> dict[str, str]:
    """The three headers; `webhook-id` is the same in every try, so that a receiver can tell."""
    name = message_id(delivery.id)
    signed = (
        Webhook(secret.reveal()).sign(name, now, delivery.body)
        for secret in _secrets(endpoint, now)
    )
    return {
        "webhook-id": name,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signed),
    }


def message_id(delivery: UUID) -> str:
    """The `webhook-id` of a delivery, the same in every try."""
    return f"msg_{delivery.hex}"


def rotate(endpoint: WebhookEndpoint, clear: str, now: datetime, *, until: datetime) -> None:
    """Give it a new secret, not stored yet. The one before signs beside it `until` then, and those
    before that as long as was said of them.
    """
    before = [Old(endpoint.secret, until)] if endpoint.secret is not None else []
    kept = [*before, *_old(endpoint, now)][:MOST_OLD]
    lines = (f"{one.secret.reveal()} {one.until.isoformat()}" for one in kept)
    endpoint.old_secret, endpoint.old_until = Secret("\n".join(lines), name="webhook"), until
    endpoint.secret = Secret(clear, name="webhook")


@dataclass(frozen=True)
class Old:
    """A secret from before a rotation, and until when it signs."""

    secret: Secret
    until: datetime


def _old(endpoint: WebhookEndpoint, now: datetime) -> Iterator[Old]:
    if endpoint.old_secret is None or endpoint.old_until is None:
        return
    for line in endpoint.old_secret.reveal().splitlines():
        clear, _, until = line.partition(" ")
        # Without a time it was stored by an earlier version, alone.
        ends = datetime.fromisoformat(until) if until else endpoint.old_until
        if min(ends, endpoint.old_until) > now:
            yield Old(Secret(clear, name="webhook"), ends)


def _secrets(endpoint: WebhookEndpoint, now: datetime) -> Iterator[Secret]:
    if endpoint.secret is not None:
        yield endpoint.secret
    yield from (one.secret for one in _old(endpoint, now))
