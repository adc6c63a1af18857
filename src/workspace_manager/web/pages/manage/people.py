"""`/manage/people`: a person, their accounts, and their removal."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone

from workspace_manager.access import provider_state, tokens
from workspace_manager.audit.timeline import TimelineSubject
from workspace_manager.people import announcements, end_dates, permissions, roles
from workspace_manager.people import suspend as suspending
from workspace_manager.people.everybody import found_as
from workspace_manager.people.suspension_terms import LONGEST_REASON, UNCHANGED, Terms, read_until
from workspace_manager.people.suspension_view import suspension_view
from workspace_manager.records.models import (
    Component,
    Person,
    Plan,
    Project,
    Registration,
    ServiceKey,
    Suspension,
)
from workspace_manager.removal.draft import draft_removal
from workspace_manager.removal.kind import REMOVAL
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import notice_of, on_error
from workspace_manager.web.pages.lines import Line
from workspace_manager.web.pages.manage.administrators import take_role
from workspace_manager.web.pages.manage.coming_person import asked_for, coming_person
from workspace_manager.web.pages.manage.former_person import former_person
from workspace_manager.web.pages.manage.history import history
from workspace_manager.web.pages.manage.people_lines import STANDING
from workspace_manager.web.pages.project_names import ProjectName, twins
from workspace_manager.wiring import connected_systems

MOST = 25
"""The most projects and components shown on a person's page."""


def detail(request: HttpRequest, username: str) -> HttpResponse:
    """Show a person: recorded accounts, things, history, and removal. Show the registration of
    somebody who has not signed in yet, and the records of a former member.
    """
    registration = request.GET.get("registration", "")
    row = asked_for(username, registration) if registration else found_as(username)
    if isinstance(row, Registration):
        return coming_person(request, row)
    if isinstance(row, Person):
        return render(request, "manage/person.html", _detail(request, row))
    return former_person(request, username)


def get_person(username: str) -> Person:
    """Return the person of this name. Raises Http404."""
    return get_object_or_404(Person, username=username)


def _detail(request: HttpRequest, person: Person) -> dict[str, Any]:
    sub, there = provider_state.linked(person.pk)
    projects = Project.objects.filter(owner=person)
    components = Component.objects.filter(owner=person)
    own = ProjectName.read(projects[:MOST])
    shared = ProjectName.read(Project.objects.filter(members=person)[:MOST])
    return {
        "person": person,
        "sub": sub,
        "there": there,
        "accounts": STANDING.filter(person=person),
        "has_adopted": STANDING.filter(person=person, adopted=True).exists(),
        "projects": own,
        "shared": shared,
        "twins": twins([*own, *shared]),
        "components": Line.read(components[:MOST]),
        "owned": projects.count() + components.count(),
        "owned_shown": min(projects.count(), MOST) + min(components.count(), MOST),
        **history(request, TimelineSubject(person.username, str(person.id), person)),
        "removal": Plan.objects.filter(
            kind=REMOVAL.name, subject=str(person.id), state__in=Plan.OPEN
        ).first(),
        "token_count": tokens.valid_tokens(person).count(),
        "key_count": ServiceKey.objects.filter(owner=person).count(),
        "permissions": permissions.held_permissions(person),
        "today": end_dates.today().isoformat(),
    }


def suspension(request: HttpRequest, username: str) -> HttpResponse:
    """Preview a suspension, with its form. For a suspended person, show reason and end, and what
    resuming gives back.
    """
    person, me = get_person(username), person_of(request)
    shown = suspension_view(person.username, connected_systems(), actor=me.username)
    row = Suspension.objects.filter(person=person).first()
    context = {
        "person": person,
        "suspension": shown,
        "row": row,
        "reason": request.POST.get("reason", row.reason if row else ""),
        "until": request.POST.get("until", _for_a_field(row)),
        "longest_reason": LONGEST_REASON,
    }
    return render(request, "manage/suspension.html", context)


def _for_a_field(row: Suspension | None) -> str:
    """Return the end for its form field, in the reader's time zone."""
    return timezone.localtime(row.until).strftime("%Y-%m-%dT%H:%M") if row and row.until else ""


@on_error(suspension)
def suspend(request: HttpRequest, username: str) -> HttpResponse:
    """Suspend a person: sessions end at once, and a plan shuts everything else."""
    get_person(username)
    plan = suspending.suspend(
        username,
        actor=person_of(request).username,
        systems=connected_systems(),
        terms=_terms(request),
    )
    return HttpResponseRedirect(reverse("plan", args=[plan.id]))


def _terms(request: HttpRequest) -> Terms:
    """Return the terms of the form; `UNCHANGED` without its fields. Raises BadInput."""
    if "reason" not in request.POST and "until" not in request.POST:
        return UNCHANGED
    text = request.POST.get("until", "").strip()
    until = read_until(text, timezone.get_current_timezone()) if text else None
    return Terms(request.POST.get("reason", ""), until, endless=until is None)


def _person(request: HttpRequest, username: str) -> HttpResponse:
    return render(request, "manage/person.html", _detail(request, get_person(username)))


@on_error(_person)
def resume(request: HttpRequest, username: str) -> HttpResponse:
    """Resume a person: a plan undoes what the suspension changed."""
    get_person(username)
    plan = suspending.resume(
        username, actor=person_of(request).username, systems=connected_systems()
    )
    return HttpResponseRedirect(reverse("plan", args=[plan.id]))


@on_error(_person)
def role(request: HttpRequest, username: str) -> HttpResponse:
    """Give or take the role of administrator."""
    actor = person_of(request).username
    get_person(username)
    if request.POST.get("role") == Person.Role.ADMINISTRATOR:
        give = (
            roles.confirm if announcements.find_announcement(username) else roles.make_administrator
        )
        give(username, actor=actor)
    else:
        take_role(username, actor=actor)
    return HttpResponseRedirect(reverse("person", args=[username]))


@on_error(_person)
def end_date(request: HttpRequest, username: str) -> HttpResponse:
    """Set a person's last day; an empty field removes it."""
    get_person(username)
    text = request.POST.get("until", "").strip()
    until = end_dates.read_day(text) if text and "clear" not in request.POST else None
    end_dates.set_end(username, until, actor=person_of(request).username)
    return HttpResponseRedirect(reverse("person", args=[username]))


def _plan_or_person(request: HttpRequest, username: str) -> HttpResponse:
    """Redirect to a removal that exists already, instead of explaining why there is no second
    one.
    """
    notice = notice_of(request)
    if notice and notice.plan:
        return HttpResponseRedirect(reverse("plan", args=[notice.plan]))
    return _person(request, username)


@on_error(_plan_or_person)
def removal(request: HttpRequest, username: str) -> HttpResponse:
    """Draft a removal to read. Nothing happens to the person yet."""
    get_person(username)
    plan = draft_removal(
        username,
        actor=person_of(request).username,
        systems=connected_systems(),
        remove_adopted=request.POST.get("remove_adopted") == "yes",
    )
    return HttpResponseRedirect(reverse("plan", args=[plan.id]))
