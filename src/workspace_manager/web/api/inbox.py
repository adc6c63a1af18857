"""`/inbox`: items that wait for the caller, and snoozes.

See docs/explanation/inbox.md.
"""

from datetime import UTC
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import BaseModel, Field

from workspace_manager.contract.member_description import describe
from workspace_manager.core.clock import database_now
from workspace_manager.inbox import put_off as story
from workspace_manager.inbox import waiting_items
from workspace_manager.inbox.item import ItemView
from workspace_manager.inbox.put_off import PutOffView, view_put_off
from workspace_manager.web.api.auth import person_of, signed_in
from workspace_manager.web.api.inputs import Input, Name, Text
from workspace_manager.web.api.lists import ListAsked
from workspace_manager.web.api.responses import ListPage

router = Router(auth=signed_in)


class InboxAsked(ListAsked, of=waiting_items.INBOX):
    """Filters and window of the inbox. Words are looked for in the names of things and people."""


class PuttingOff(Input):
    """End of the snooze."""

    until: Annotated[
        Text,
        Field(max_length=40),
        describe(
            "The day on which it is shown again, from its first minute in UTC: from tomorrow on, "
            "and at most 90 days away.",
            "2026-12-31",
        ),
    ]


class Counts(BaseModel):
    """Numbers of items."""

    total: Annotated[int, describe("How many there are in all.", 1)]
    counts: Annotated[
        dict[str, int], describe("How many of each kind; without those of none.", {"token": 1})
    ]


class PutOffListed(BaseModel):
    """Snoozed items."""

    put_off: Annotated[
        list[PutOffView], describe("At most 50: what is shown again first comes first.")
    ]


@router.get("", response=ListPage[ItemView], summary="List what waits for me")
def list_(request: HttpRequest, window: Query[InboxAsked]) -> dict[str, Any]:
    """Computed from current state: finished items are gone at once. Without snoozed items; serious
    items first, then the oldest first.
    """
    asked = window.asked()
    found = waiting_items.list_items(
        person_of(request),
        database_now(),
        kinds=tuple(asked.filters.values()),
        most=window.limit,
        skip=window.offset,
        words=asked.q,
        sort=asked.sort,
    )
    return {"items": list(map(ItemView.from_row, found.items)), "count": found.total}


@router.get("/counts", response=Counts, summary="Count what waits for me")
def counts(request: HttpRequest) -> dict[str, Any]:
    """In total and by kind, without snoozed items."""
    found = waiting_items.list_items(person_of(request), database_now(), most=0)
    return {"total": found.total, "counts": found.counts}


@router.get("/put-off", response=PutOffListed, summary="List my snoozed items")
def put_off(request: HttpRequest) -> dict[str, Any]:
    """Items that still wait; those that ended meanwhile are left out."""
    return {
        "put_off": [
            view_put_off(one) for one in story.list_put_off(person_of(request), database_now())
        ]
    }


@router.post("/{key}/snooze", response=PutOffView, summary="Put something off")
def snooze(request: HttpRequest, key: Name, body: PuttingOff) -> PutOffView:
    """The item is neither listed nor counted until that day, unless it ends and begins again. A
    repetition sets another day.
    """
    person = person_of(request)
    return view_put_off(story.put_off(person, key, body.until, zone=UTC, actor=person.username))


@router.delete("/{key}/snooze", response={204: None}, summary="Have something shown again")
def unsnooze(request: HttpRequest, key: Name) -> HttpResponse:
    """The item is listed and counted again at once."""
    person = person_of(request)
    story.take_up(person, key, actor=person.username)
    return HttpResponse(status=204)
