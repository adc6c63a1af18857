"""The page of a former member: the departure, the removal with its proof, and the reserved name."""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from workspace_manager.people.everybody import find_subject
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.records.models import Tombstone
from workspace_manager.web.pages.manage.history import history
from workspace_manager.web.pages.manage.tombstones import kept_plans

MOST_EARLIER: Final = 20


def former_person(request: HttpRequest, username: str) -> HttpResponse:
    """Show the last member who left with this name. Raises Http404."""
    left = Tombstone.objects.filter(username=username, erased=False).order_by("-created_at", "-id")
    rows = list(left[: 1 + MOST_EARLIER])
    if not rows:
        raise Http404
    newest, *earlier = rows
    context: dict[str, Any] = {
        "tombstone": newest,
        "earlier": earlier,
        "removal_kept": newest.plan in kept_plans([newest.plan]),
        "standing": standing_tombstones().filter(pk=newest.pk).exists(),
        **history(request, find_subject(username)),
    }
    return render(request, "manage/former_person.html", context)
