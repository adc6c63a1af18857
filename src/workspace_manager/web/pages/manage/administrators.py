"""`/manage/administrators`: who may approve and remove people; never oneself out, and never the
last one.
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
    """Who is one, and who becomes one at the first sign-in."""
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
    """Each announcement, and who came under its name."""
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
    """Give the role now, or announce it."""
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
    """Give the role to who came under a name that was announced."""
    roles.confirm(username, actor=person_of(request).username)
    messages.success(request, _("%(name)s is an administrator.") % {"name": username})
    return HttpResponseRedirect(reverse("administrators"))


def take_role(username: str, *, actor: str) -> None:
    """Take it from who has it or is announced; taken meanwhile, it is taken as well."""
    if roles.holds_role(username):
        roles.make_user(username, actor=actor)


@on_error(overview)
def remove(request: HttpRequest, username: str) -> HttpResponse:
    """Take the role."""
    take_role(username, actor=person_of(request).username)
    messages.success(request, _("%(name)s is not an administrator.") % {"name": username})
    return HttpResponseRedirect(reverse("administrators"))
