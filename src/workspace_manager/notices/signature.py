"""What proves that a delivery is ours: signed as Standard Webhooks says, with the endpoint's
secret, and for a day after a rotation with the one before as well.
"""

import base64
import secrets
from collections.abc import Iterator
from datetime import datetime

from standardwebhooks.webhooks import Webhook

from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import WebhookDelivery, WebhookEndpoint


def new_secret() -> str:
    """A secret of 256 bits, as receivers expect it."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def headers(endpoint: WebhookEndpoint, delivery: WebhookDelivery, now: datetime) -> dict[str, str]:
    """The three headers; `webhook-id` is the same in every try, so that a receiver can tell."""
    name = message_id(delivery)
    signed = (
        Webhook(secret.reveal()).sign(name, now, delivery.body)
        for secret in _secrets(endpoint, now)
    )
    return {
        "webhook-id": name,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signed),
    }


def message_id(delivery: WebhookDelivery) -> str:
    """What a delivery is called in every try."""
    return f"msg_{delivery.id.hex}"


def _secrets(endpoint: WebhookEndpoint, now: datetime) -> Iterator[Secret]:
    if endpoint.secret is not None:
        yield endpoint.secret
    if endpoint.old_secret is not None and endpoint.old_until and endpoint.old_until > now:
        yield endpoint.old_secret
