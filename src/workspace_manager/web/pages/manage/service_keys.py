"""`/manage/people/{username}/service-keys`: one person's keys, which administrators see without
their secrets, renew, and take away from programs.
"""

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.accounts import keys, renewal
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Person, Plan, ServiceKey
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import ErrorNotice, error_notice
from workspace_manager.web.pages.key_lines import lines_of
from workspace_manager.web.pages.manage.people import found
from workspace_manager.wiring import connected_systems


def overview(request: HttpRequest, username: str) -> HttpResponse:
    """All of one person's."""
    return _list(request, found(username))


def renew(request: HttpRequest, username: str, key_id: uuid.UUID) -> HttpResponse:
    """The old secret is refused then; only the owner can show the new one."""
    return _do(request, username, key_id, renewal.renew)


def delete(request: HttpRequest, username: str, key_id: uuid.UUID) -> HttpResponse:
    """A machine key goes with its account."""
    return _do(request, username, key_id, keys.delete)


def _do(
    request: HttpRequest, username: str, key_id: uuid.UUID, story: Callable[..., Plan]
) -> HttpResponse:
    person = found(username)
    key = get_object_or_404(ServiceKey, id=key_id, owner=person)
    try:
        story(key, actor=person_of(request).username, systems=connected_systems())
    except Refused as no:
        return _list(request, person, error_notice(no))
    messages.success(request, _("It has begun, and goes on by itself."))
    return HttpResponseRedirect(reverse("keys_of_person", args=[username]))


def _list(request: HttpRequest, person: Person, why: ErrorNotice | None = None) -> HttpResponse:
    context = {**lines_of(person, request.GET), "person": person, "trouble": why}
    status = why.status if why else 200
    return render(request, "manage/service_keys.html", context, status=status)
