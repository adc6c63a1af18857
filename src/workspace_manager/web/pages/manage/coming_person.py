"""The page of an applicant, or of an approved person who never signed in: the registration, its
actions, and what was made for it.
"""

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace_manager.audit.timeline import TimelineSubject
from workspace_manager.people.everybody import Row, found_as, open_applicants, state_of
from workspace_manager.people.everybody_views import recorded_for
from workspace_manager.people.filters import APPROVED
from workspace_manager.records.models import Registration
from workspace_manager.web.pages.manage.history import history
from workspace_manager.web.pages.manage.registrations import entry


def asked_for(username: str, registration: str) -> Row | None:
    """Return the applicant with this registration; else whoever has the name, who may have signed
    in meanwhile.
    """
    try:
        number = uuid.UUID(registration)
    except ValueError:
        return found_as(username)
    return open_applicants().filter(pk=number, username=username).first() or found_as(username)


def coming_person(request: HttpRequest, row: Registration) -> HttpResponse:
    """Show a registration without a sign-in."""
    context: dict[str, Any] = {
        "row": row,
        "state": state_of(row),
        "approved": state_of(row) == APPROVED,
        "entry": entry(row),
        "accounts": recorded_for([row])[row.username],
        **history(request, TimelineSubject(row.username, registration=row.pk)),
    }
    return render(request, "manage/coming_person.html", context)
