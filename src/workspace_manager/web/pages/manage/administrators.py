"""`/manage/administrators`: who may approve and remove people; never oneself out, and never the
last one.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.people import announced, roles
from workspace_manager.records.models import Person
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import ErrorNotice, error_notice

FIELDS = ("username", "sub", "email", "until")


def overview(request: HttpRequest) -> HttpResponse:
    """Who is one, and who becomes one at the first sign-in."""
    return _show(request)


def _show(
    request: HttpRequest, why: ErrorNotice | None = None, typed: Mapping[str, str] = {}
) -> HttpResponse:
    context: dict[str, Any] = {
        "administrators": Person.objects.filter(role=Person.Role.ADMINISTRATOR),
        "announced": _announced(),
        "alone": Person.objects.active_administrators().count() < 2,
        "trouble": why,
        "typed": typed,
    }
    return render(request, "manage/administrators.html", context, status=why.status if why else 200)


def _announced() -> list[dict[str, Any]]:
    """Each announcement, and who came under its name."""
    standing = list(announced.standing())
    here = Person.objects.in_bulk([one.username for one in standing], field_name="username")
    return [
        {
            "announcement": one,
            "by_name": announced.bound(one) is announced.Bound.NAME,
            "person": here.get(one.username),
        }
        for one in standing
    ]


def add(request: HttpRequest) -> HttpResponse:
    """Give the role now, or announce it."""
    typed = {name: request.POST.get(name, "")[:300] for name in FIELDS}
    try:
        name = roles.make_administrator(**typed, actor=person_of(request).username)
    except (Refused, BadInput) as no:
        return _show(request, error_notice(no), typed)
    found = announced.of(name)
    text = _("%(name)s is an administrator.")
    if found and announced.bound(found) is announced.Bound.NAME:
        text = _("%(name)s is announced. Confirm it here when you know who has signed in.")
    elif found:
        text = _("%(name)s is announced, and becomes one at the first sign-in.")
    messages.success(request, text % {"name": name})
    return HttpResponseRedirect(reverse("administrators"))


def confirm(request: HttpRequest, username: str) -> HttpResponse:
    """Give the role to who came under a name that was announced."""
    try:
        roles.confirm(username, actor=person_of(request).username)
    except Refused as refusal:
        return _show(request, error_notice(refusal))
    messages.success(request, _("%(name)s is an administrator.") % {"name": username})
    return HttpResponseRedirect(reverse("administrators"))


def remove(request: HttpRequest, username: str) -> HttpResponse:
    """Take the role."""
    try:
        roles.make_user(username, actor=person_of(request).username)
    except Refused as refusal:
        return _show(request, error_notice(refusal))
    except Person.DoesNotExist:
        pass  # taken meanwhile: the sentence is as true
    messages.success(request, _("%(name)s is not an administrator.") % {"name": username})
    return HttpResponseRedirect(reverse("administrators"))
