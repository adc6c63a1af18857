"""`/manage/administrators`: who may approve and remove people; never oneself out, and never the last one."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.people import roles
from workspace_manager.records.models import Person
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import ErrorNotice, error_notice


def overview(request: HttpRequest) -> HttpResponse:
    """Who is one, and who becomes one at the first sign-in."""
    return _show(request)


def _show(request: HttpRequest, why: ErrorNotice | None = None, typed: str = "") -> HttpResponse:
    context: dict[str, Any] = {
        "administrators": Person.objects.filter(role=Person.Role.ADMINISTRATOR),
        "announced": roles.announced(),
        "alone": Person.objects.active_administrators().count() < 2,
        "trouble": why,
        "typed": typed,
    }
    return render(request, "manage/administrators.html", context, status=why.status if why else 200)


def add(request: HttpRequest) -> HttpResponse:
    """Give the role now, or announce it."""
    typed = request.POST.get("username", "")[:300]
    try:
        name = roles.make_administrator(typed, actor=person_of(request).username)
    except (Refused, BadInput) as no:
        return _show(request, error_notice(no), typed)
    text = (
        _("Nobody called %(name)s has signed in yet; %(name)s becomes one at the first sign-in.")
        if name in roles.announced()
        else _("%(name)s is an administrator.")
    )
    messages.success(request, text % {"name": name})
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
