"""`/manage/administrators`: the people with the role, and changes of it. You cannot take it from
yourself or from the last one.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.people import announcements, roles
from workspace_manager.records.models import Person
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import on_error

FIELDS = ("username", "sub", "email", "until")


def overview(request: HttpRequest) -> HttpResponse:
    """Show the administrators, and those who become one at their first sign-in."""
    context: dict[str, Any] = {
        "administrators": Person.objects.filter(role=Person.Role.ADMINISTRATOR),
        "announced": _announced_administrators(),
        "alone": Person.objects.active_administrators().count() < 2,
        "typed": _typed(request),
    }
    return render(request, "manage/administrators.html", context)


def _typed(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST.get(name, "")[:300] for name in FIELDS}


def _announced_administrators() -> list[dict[str, Any]]:
    """Return each announcement with the person who has signed in under its name."""
    standing = list(announcements.open_announcements())
    here = Person.objects.in_bulk([one.username for one in standing], field_name="username")
    return [
        {
            "announcement": one,
            "by_name": announcements.read_binding(one) is announcements.Binding.NAME,
            "person": here.get(one.username),
        }
        for one in standing
    ]


@on_error(overview)
def add(request: HttpRequest) -> HttpResponse:
    """Make somebody an administrator now, or announce them."""
    name = roles.make_administrator(**_typed(request), actor=person_of(request).username)
    found = announcements.find_announcement(name)
    text = _("%(name)s is an administrator.")
    if found and announcements.read_binding(found) is announcements.Binding.NAME:
        text = _("%(name)s is announced. Confirm the role here when you know who has signed in.")
    elif found:
        text = _("%(name)s is announced and gets the role at the first sign-in.")
    messages.success(request, text % {"name": name})
    return HttpResponseRedirect(reverse("administrators"))


@on_error(overview)
def confirm(request: HttpRequest, username: str) -> HttpResponse:
    """Confirm the role of the person who signed in under an announced name."""
    roles.confirm(username, actor=person_of(request).username)
    messages.success(request, _("%(name)s is an administrator.") % {"name": username})
    return HttpResponseRedirect(reverse("administrators"))


def take_role(username: str, *, actor: str) -> None:
    """Take the role away, or delete the announcement. Nothing happens if the role is gone
    already.
    """
    if roles.holds_role(username):
        roles.make_user(username, actor=actor)


@on_error(overview)
def remove(request: HttpRequest, username: str) -> HttpResponse:
    """Take the role away."""
    take_role(username, actor=person_of(request).username)
    messages.success(request, _("%(name)s is not an administrator.") % {"name": username})
    return HttpResponseRedirect(reverse("administrators"))
