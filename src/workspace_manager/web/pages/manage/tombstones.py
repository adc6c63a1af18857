"""`/manage/tombstones`: the reserved names of former members, which nobody can take by accident."""

import uuid
from collections.abc import Iterable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.people import tombstones
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.records.models import Plan
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import message_on, on_error
from workspace_manager.web.pages.manage.registrations import tabs

PER_PAGE = 50


def overview(request: HttpRequest) -> HttpResponse:
    """Show the names that are reserved now."""
    rows = standing_tombstones().order_by("-created_at", "id")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "tabs": tabs(person_of(request)),
        "status": "tombstones",
        "page": page,
        "plans": kept_plans(row.plan for row in page.object_list),
    }
    return render(request, "manage/tombstones.html", context)


def kept_plans(removals: Iterable[uuid.UUID | None]) -> set[uuid.UUID]:
    """Return the removals among them whose plans are still stored."""
    return set(Plan.objects.filter(id__in=[*removals]).values_list("id", flat=True))


@on_error(message_on("tombstones"))
def release(request: HttpRequest, username: str) -> HttpResponse:
    """Release a reserved name."""
    tombstones.release(username, actor=person_of(request).username)
    messages.success(request, _("The name %(name)s can be used again.") % {"name": username})
    return HttpResponseRedirect(reverse("tombstones"))
