"""`/manage/people/{username}/service-keys`: a person's keys. Administrators see them without
secrets, renew them, and delete those of programs.
"""

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.accounts import keys, renewal
from workspace_manager.records.models import Plan, ServiceKey
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import on_error
from workspace_manager.web.pages.key_lines import lines_of
from workspace_manager.web.pages.manage.people import get_person
from workspace_manager.wiring import connected_systems


def overview(request: HttpRequest, username: str) -> HttpResponse:
    """Show all keys of a person."""
    person = get_person(username)
    context = {**lines_of(person, request.GET), "person": person}
    return render(request, "manage/service_keys.html", context)


@on_error(overview)
def renew(request: HttpRequest, username: str, key_id: uuid.UUID) -> HttpResponse:
    """Renew a key. The old secret stops working, and only the owner can show the new one."""
    return _do(request, username, key_id, renewal.renew)


@on_error(overview)
def delete(request: HttpRequest, username: str, key_id: uuid.UUID) -> HttpResponse:
    """Delete a machine key with its account."""
    return _do(request, username, key_id, keys.delete)


def _do(
    request: HttpRequest, username: str, key_id: uuid.UUID, story: Callable[..., Plan]
) -> HttpResponse:
    key = get_object_or_404(ServiceKey, id=key_id, owner=get_person(username))
    story(key, actor=person_of(request).username, systems=connected_systems())
    messages.success(request, _("Started."))
    return HttpResponseRedirect(reverse("keys_of_person", args=[username]))
