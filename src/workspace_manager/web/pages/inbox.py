"""`/inbox`: items that wait for the signed-in person, and snoozed ones."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from workspace_manager.inbox import put_off, waiting_items
from workspace_manager.inbox.item_kinds import of_things
from workspace_manager.records.models import Person
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import on_error
from workspace_manager.web.pages.numbers import numbers

PER_PAGE = 25


def overview(request: HttpRequest) -> HttpResponse:
    """Show the items of every kind or of one."""
    person, now = person_of(request), timezone.now()
    kind = request.GET.get("kind", "")
    kind = kind if kind in waiting_items.KINDS else ""
    number = _number(request.GET.get("page", ""))
    found = _part(person, kind, number)
    page = Paginator(range(found.total), PER_PAGE).get_page(number)
    if page.number != number:
        found = _part(person, kind, page.number)
    today = timezone.localdate()
    context: dict[str, Any] = {
        "items": found.items,
        "page": page,
        "query": f"kind={kind}&" if kind else "",
        "kind": kind,
        "inbox_count": sum(found.counts.values()),
        "tabs": [(name, of_things(name), count) for name, count in found.counts.items()],
        "put_off": put_off.list_put_off(person, now),
        "first": (today + timedelta(days=1)).isoformat(),
        "usual": (today + timedelta(days=7)).isoformat(),
        "last": (today + put_off.LONGEST - timedelta(days=1)).isoformat(),
    }
    return render(request, "inbox/list.html", context)


def _part(person: Person, kind: str, number: int) -> waiting_items.WaitingItems:
    return waiting_items.list_items(
        person,
        timezone.now(),
        kinds=(kind,) if kind else (),
        most=PER_PAGE,
        skip=PER_PAGE * (number - 1),
    )


FURTHEST = 10_000


def _number(text: str) -> int:
    (found,) = numbers([text]) or [1]
    return min(max(found, 1), FURTHEST)


@on_error(overview)
def snooze(request: HttpRequest, key: str) -> HttpResponse:
    """Snooze an item until a day."""
    person = person_of(request)
    until, zone = request.POST.get("until", "")[:40], timezone.get_current_timezone()
    put_off.put_off(person, key, until, zone=zone, actor=person.username)
    messages.success(request, _("Snoozed until the date you chose."))
    return HttpResponseRedirect(reverse("inbox"))


def unsnooze(request: HttpRequest, key: str) -> HttpResponse:
    """End the snooze of an item."""
    person = person_of(request)
    put_off.take_up(person, key, actor=person.username)
    return HttpResponseRedirect(reverse("inbox"))
