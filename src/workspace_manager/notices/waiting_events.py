"""Webhooks are told what begins and ceases to wait for administrators."""

from datetime import UTC, datetime
from typing import Annotated, Any, Final

from django.db import transaction
from django.utils import timezone, translation

from workspace_manager.core.views import SAID, CodedMessage, View, as_data
from workspace_manager.inbox import waiting_items
from workspace_manager.inbox.item import Item, ItemView
from workspace_manager.notices import ended_waits, letters
from workspace_manager.records.models import WaitingTold, WebhookEndpoint
from workspace_manager.webhooks import outbox

KINDS: Final = waiting_items.OF_ADMINISTRATORS
"""What is alike for all of them; what is somebody's own is told to nobody else."""
MOST_AT_ONCE: Final = 200
"""So many are told of with one look; of the rest with the next ones."""


class EndedItemView(View):
    """The content of what waited, and does not wait any more."""

    key: str
    kind: str
    what: Annotated[str | None, SAID]
    what_message: Annotated[CodedMessage | None, as_data("what")] = None
    lasted_seconds: int


def tell_people_and_webhooks() -> None:
    """Look at what waits now. A failure of the letters keeps no webhook back."""
    try:
        letters.tell_everybody()
    finally:
        tell()


def tell() -> None:
    """Tell of what began and ended since the last look. Nobody asks: nothing is looked at."""
    asked = WebhookEndpoint.objects.filter(disabled="").values_list("events", flat=True)
    if not any(outbox.wants(one, type_) for one in asked for type_ in (outbox.BEGAN, outbox.ENDED)):
        return
    now, reader = timezone.now(), waiting_items.any_administrator()
    open_ = list(WaitingTold.objects.filter(ended_at=None))
    known = {(row.key, row.since) for row in open_}
    new = [
        place
        for place in waiting_items.list_keys(reader, now, KINDS)
        if (place.key, place.since) not in known
    ][:MOST_AT_ONCE]
    items = waiting_items.items(reader, now, new)
    anew = {item.key for item in items}
    ended = [row for row in open_ if row.key in anew]
    ended += ended_waits.ended_rows([row for row in open_ if row.key not in anew], reader, now)
    # Programs read English; they put the codes into their own words.
    with transaction.atomic(), translation.override("en"), timezone.override(UTC):
        events = [_ended(row, now) for row in ended if ended_waits.end(row, now)]
        events += [_began(item) for item in items if _is_new(item)]
        if events:
            outbox.tell_all(events, at=now)


def _is_new(item: Item) -> bool:
    """Return whether nobody was told, or it was said to be over since."""
    values = {"kind": item.kind, "what": item.what}
    row, made = WaitingTold.objects.get_or_create(values, key=item.key, since=item.since)
    ended = WaitingTold.objects.filter(id=row.id).exclude(ended_at=None)
    return made or bool(ended.update(ended_at=None))


def _began(item: Item) -> tuple[str, dict[str, Any]]:
    return outbox.BEGAN, ItemView.from_row(item).model_dump(mode="json")


def _ended(row: WaitingTold, now: datetime) -> tuple[str, dict[str, Any]]:
    lasted = int((now - row.since).total_seconds())
    view = EndedItemView.from_row(row, lasted_seconds=lasted)
    return outbox.ENDED, view.model_dump(mode="json")
