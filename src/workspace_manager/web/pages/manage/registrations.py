"""`/manage/registrations`: the registrations, decided in place. A failure shows its reason and
leaves the registration pending. Decisions on several: `bulk_decision.py`.
"""

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from workspace_manager.people import announcements, confirm_email
from workspace_manager.people import approve as stories
from workspace_manager.people import withdraw as withdrawing
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.people.registration_views import OPEN, REGISTRATIONS
from workspace_manager.records.models import Person, Registration, UnapprovedSignIn
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.access import live, person_of
from workspace_manager.web.pages.answers import message_on, notice_of, on_error
from workspace_manager.web.pages.list_form import ListForm
from workspace_manager.wiring import connected_systems

PER_PAGE = 50
EXPIRY_WARNING_DAYS = 7

Decision = Callable[[uuid.UUID], object]


class RegistrationsForm(ListForm):
    """The form of the list of registrations; `status` is the tab."""

    listed = REGISTRATIONS
    tab = "status"


def overview(request: HttpRequest) -> HttpResponse:
    """Show pending registrations, or those with one decision."""
    status = request.GET.get("status", Registration.Status.PENDING)
    if status not in Registration.Status.values:
        status = Registration.Status.PENDING
    page = "manage/registrations_found.html" if live(request) else "manage/registrations.html"
    return render(request, page, _list_context(request, status))


def _list_context(request: HttpRequest, status: str) -> dict[str, Any]:
    form = RegistrationsForm(request.GET)
    asked = replace(form.asked(), filters={**form.asked().filters, "status": status})
    if status != Registration.Status.PENDING and not asked.sort:
        asked = replace(asked, sort="-decided_at")
    rows = REGISTRATIONS.found(Registration.objects.all(), asked)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return {
        "tabs": tabs(person_of(request)),
        "status": status,
        "form": form,
        "page": page,
        "entries": [entry(row) for row in page.object_list],
    }


def tabs(person: Person) -> list[tuple[str, str, str, int]]:
    """Return the tabs: name, address, label, number. A person who may only decide on registrations
    gets the tabs of registrations.
    """
    counts = dict(Registration.objects.values_list("status").annotate(Count("id")).order_by())
    here = reverse("registrations")
    by_status = [
        (
            name,
            f"{here}?status={name}",
            _("pending") if name == Registration.Status.PENDING else labels.state(name),
            counts.get(name, 0),
        )
        for name in Registration.Status.values
    ]
    if not person.is_administrator:
        return by_status
    waiting = UnapprovedSignIn.objects.filter(state=UnapprovedSignIn.State.OPEN).count()
    kept = standing_tombstones().count()
    return [
        *by_status,
        ("strangers", reverse("strangers"), _("Refused sign-ins"), waiting),
        ("tombstones", reverse("tombstones"), _("Reserved names"), kept),
    ]


def entry(row: Registration) -> dict[str, Any]:
    """Return the data of a registration for a decision."""
    expires = row.created_at + timedelta(days=settings.REGISTRATION_EXPIRY_DAYS)
    found = announcements.find_announcement(row.username) if row.status in OPEN else None
    soon = expires - timezone.now() < timedelta(days=EXPIRY_WARNING_DAYS)
    return {
        "registration": row,
        "expires": expires if soon and row.status == Registration.Status.PENDING else None,
        "last_failure": row.last_failure if row.status == Registration.Status.PENDING else None,
        "announced": announcements.announcement_message(row, found) if found else None,
        "same_name": row.duplicate_of == row.username,
        "known": Person.objects.filter(username=row.duplicate_of).exists()
        if row.duplicate_of
        else False,
    }


def _decision(request: HttpRequest, registration_id: uuid.UUID) -> HttpResponse:
    """Show the result: in place on a live page, else as a message above the queue."""
    row = get_object_or_404(Registration, id=registration_id)
    is_decided = notice_of(request) is None
    if not live(request):
        _announce(request, row)
        return HttpResponseRedirect(reverse("registrations"))
    context = {"entry": entry(row), "decided": is_decided, "status": _queue(request)}
    if is_decided:
        context["tabs"] = tabs(person_of(request))
    return render(request, "manage/registration.html", context)


def _announce(request: HttpRequest, row: Registration) -> None:
    if notice := notice_of(request):
        text = _("%(name)s: failed. %(reason)s")
        messages.error(request, text % {"name": row.username, "reason": notice.spoken()})
        return
    text = _("%(name)s is %(state)s.")
    messages.success(request, text % {"name": row.username, "state": labels.state(row.status)})


def _queue(request: HttpRequest) -> str:
    """Return the tab of the page that sent the request."""
    shown = parse_qs(urlsplit(HtmxDetails(request).current_url or "").query)
    return shown.get("status", [str(Registration.Status.PENDING)])[0]


@on_error(_decision)
def approve(request: HttpRequest, registration_id: uuid.UUID) -> HttpResponse:
    """Make the user at the identity provider. After a failure the registration stays, with the
    reason.
    """
    approval(request)(registration_id)
    return _decision(request, registration_id)


@on_error(_decision)
def reject(request: HttpRequest, registration_id: uuid.UUID) -> HttpResponse:
    """Reject a registration, with a reason for the applicant."""
    rejection(request)(registration_id)
    return _decision(request, registration_id)


@on_error(_decision)
def withdraw(request: HttpRequest, registration_id: uuid.UUID) -> HttpResponse:
    """Withdraw an approval, and show the plan that removes what was made for it."""
    actor = person_of(request).username
    plan = withdrawing.withdraw(registration_id, actor=actor, systems=connected_systems())
    return HttpResponseRedirect(reverse("plan", args=[plan.id]))


@on_error(message_on("registrations"))
def send_link(request: HttpRequest, registration_id: uuid.UUID) -> HttpResponse:
    """Send the link that confirms the address again. This decides nothing."""
    row = confirm_email.send_again(registration_id, actor=person_of(request).username)
    messages.success(
        request, _("An e-mail with a new link is on its way to %(email)s.") % {"email": row.email}
    )
    return HttpResponseRedirect(f"{reverse('registrations')}?status={row.status}")


def approval(request: HttpRequest) -> Decision:
    actor, systems = person_of(request).username, connected_systems()
    return lambda which: stories.approve(which, actor=actor, systems=systems)


def rejection(request: HttpRequest) -> Decision:
    actor, reason = person_of(request).username, " ".join(request.POST.get("reason", "").split())

    return lambda which: stories.reject(which, actor=actor, reason=reason)
