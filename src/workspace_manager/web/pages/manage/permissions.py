"""`/manage/people/{username}/permissions`: a person's permissions, and their ends."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from workspace_manager.people import permissions
from workspace_manager.people.suspension_terms import read_until
from workspace_manager.records.models import Person
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import on_error
from workspace_manager.web.pages.manage.people import get_person


def _show(request: HttpRequest, username: str) -> HttpResponse:
    person = get_person(username)
    rows = [_row(request, person, name) for name in permissions.NAMES]
    return render(request, "manage/permissions.html", {"person": person, "rows": rows})


@on_error(_show)
def overview(request: HttpRequest, username: str) -> HttpResponse:
    """Show or change the permissions of a person."""
    if request.method != "POST":
        return _show(request, username)
    get_person(username)
    permissions.let_have(username, _read_form(request), actor=person_of(request).username)
    messages.success(request, _("Saved. The change applies immediately."))
    return HttpResponseRedirect(reverse("permissions_of_person", args=[username]))


def _read_form(request: HttpRequest) -> dict[str, datetime | None]:
    """Return the selected permissions with their ends. Raises BadInput."""
    ends = {name: request.POST.get(f"until_{name}", "").strip() for name in permissions.NAMES}
    zone = timezone.get_current_timezone()
    return {
        name: read_until(ends[name], zone) if ends[name] else None
        for name in permissions.NAMES
        if request.POST.get(name)
    }


def _row(request: HttpRequest, person: Person, name: str) -> dict[str, Any]:
    """Return a permission for the form: as sent, else as stored."""
    held = {row.name: row for row in permissions.held_permissions(person)}.get(name)
    sent = request.method == "POST"
    until = _for_a_field(held.until) if held and held.until else ""
    return {
        "name": name,
        "label": labels.permission(name),
        "held": held,
        "ticked": bool(request.POST.get(name)) if sent else held is not None,
        "until": request.POST.get(f"until_{name}", "") if sent else until,
    }


def _for_a_field(moment: datetime) -> str:
    """Return a moment for its form field, in the reader's time zone."""
    return timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M")
