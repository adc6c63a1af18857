"""Items for administrators about webhooks that were switched off because deliveries fail.

See docs/explanation/inbox.md#what-waits.
"""

from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from workspace_manager.inbox.item import Action
from workspace_manager.inbox.messages import message
from workspace_manager.inbox.source import ItemText, Source, of_administrators
from workspace_manager.records.models import Person, WebhookEndpoint

Disabled = WebhookEndpoint.Disabled


@of_administrators
def _switched_off(_person: Person, _now: datetime) -> QuerySet[WebhookEndpoint]:
    """Return webhooks that the manager switched off, not those that a person did."""
    return WebhookEndpoint.objects.filter(disabled__in=(Disabled.GONE, Disabled.FAILING))


def _told_switched_off(row: WebhookEndpoint) -> ItemText:
    what = message("webhook_off", label=row.label)
    to = Action(message("look_at_webhook"), f"/manage/webhooks/{row.pk}")
    return ItemText(what, to, message(f"webhook_off.{row.disabled}"))


SOURCES: Final = (
    Source(
        "webhook_off",
        _switched_off,
        _told_switched_off,
        Coalesce("disabled_at", "created_at"),
        ("label",),
    ),
)
