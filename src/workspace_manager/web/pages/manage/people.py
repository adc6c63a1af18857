"""`/manage/people`: who is in, what accounts they have, and the way out."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Case, Prefetch, Q, QuerySet, When
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from workspace_manager.core import standing
from workspace_manager.core.refusal import Refused
from workspace_manager.operations.who_is_there import said_of
from workspace_manager.people import roles
from workspace_manager.people import suspend as suspending
from workspace_manager.records.models import (
    Account,
    AuditEntry,
    Component,
    Person,
    Plan,
    Project,
    Standing,
)
from workspace_manager.removal.draft import draft_removal
from workspace_manager.removal.kind import REMOVAL
from workspace_manager.web.pages.access import live, person_of
from workspace_manager.web.pages.answers import ErrorNotice, error_notice
from workspace_manager.wiring import connected_systems

PER_PAGE = 50
STANDING = Account.objects.filter(gone_at=None).order_by("system", "kind")


def overview(request: HttpRequest) -> HttpResponse:
    """Everybody, or those a search finds."""
    asked = request.GET.get("q", "").strip()[:100]
    page = Paginator(_found(asked), PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "asked": asked, "total": Person.objects.count()}
    if live(request):
        return render(request, "manage/people_found.html", context)
    return render(request, "manage/people.html", context)


def _found(asked: str) -> QuerySet[Person]:
    # Those who were deleted at the identity provider come first: they are waited for by nobody.
    rows = Person.objects.annotate(there=said_of()).prefetch_related(
        Prefetch("accounts", queryset=STANDING, to_attr="standing")
    )
    rows = rows.order_by(Case(When(there=Standing.State.GONE, then=0), default=1), "username")
    for word in asked.split():
        rows = rows.filter(
            Q(username__icontains=word)
            | Q(email__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
        )
    return rows


def detail(request: HttpRequest, username: str) -> HttpResponse:
    """One person: accounts as recorded, what they own, what was done, and the removal."""
    return render(request, "manage/person.html", _detail(_person(username)))


def _person(username: str) -> Person:
    person = Person.objects.filter(username=username).first()
    if person is None:
        raise Http404
    return person


def _detail(person: Person, why: ErrorNotice | None = None) -> dict[str, Any]:
    sub, there = standing.linked(person.pk)
    return {
        "person": person,
        "sub": sub,
        "there": there,
        "accounts": STANDING.filter(person=person),
        "projects": Project.objects.filter(owner=person),
        "shared": Project.objects.filter(members=person).select_related("owner"),
        "components": Component.objects.filter(owner=person),
        "plans": Plan.objects.filter(subject=str(person.id))[:20],
        "history": AuditEntry.objects.filter(subject=person.username).order_by("-at", "-id")[:20],
        "removal": Plan.objects.filter(
            kind=REMOVAL.name, subject=str(person.id), state__in=Plan.OPEN
        ).first(),
        "trouble": why,
    }


def suspend(request: HttpRequest, username: str) -> HttpResponse:
    """Shut somebody out for now: sessions end at once, a plan locks the rest."""
    person = _person(username)
    try:
        plan = suspending.suspend(
            username, actor=person_of(request).username, systems=connected_systems()
        )
    except Refused as refusal:
        return _refused(request, person, refusal)
    return HttpResponseRedirect(reverse("plan", args=[plan.id]))


def resume(request: HttpRequest, username: str) -> HttpResponse:
    """Let somebody back in: a plan undoes what the suspension changed."""
    person = _person(username)
    try:
        plan = suspending.resume(
            username, actor=person_of(request).username, systems=connected_systems()
        )
    except Refused as refusal:
        return _refused(request, person, refusal)
    return HttpResponseRedirect(reverse("plan", args=[plan.id]))


def role(request: HttpRequest, username: str) -> HttpResponse:
    """Give the role of an administrator, or take it."""
    person, actor = _person(username), person_of(request).username
    try:
        if request.POST.get("role") == Person.Role.ADMINISTRATOR:
            roles.make_administrator(username, actor=actor)
        else:
            roles.make_user(username, actor=actor)
    except Refused as refusal:
        return _refused(request, person, refusal)
    except Person.DoesNotExist:
        pass  # taken meanwhile
    return HttpResponseRedirect(reverse("person", args=[username]))


def _refused(request: HttpRequest, person: Person, refusal: Refused) -> HttpResponse:
    why = error_notice(refusal)
    return render(request, "manage/person.html", _detail(person, why), status=why.status)


def removal(request: HttpRequest, username: str) -> HttpResponse:
    """Make the removal to look at. Nothing happens to the person yet."""
    person = _person(username)
    try:
        plan = draft_removal(
            username, actor=person_of(request).username, systems=connected_systems()
        )
    except Refused as refusal:
        if refusal.plan:
            return HttpResponseRedirect(reverse("plan", args=[refusal.plan]))
        return _refused(request, person, refusal)
    return HttpResponseRedirect(reverse("plan", args=[plan.id]))
