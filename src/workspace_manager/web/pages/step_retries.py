"""“Try again now” on the page of a component or stack, for people who may change it."""

import uuid

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.access import policy
from workspace_manager.records.models import Component, Stack
from workspace_manager.web.pages import visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import message_on, on_error
from workspace_manager.work import step_retry


@on_error(message_on("component", "component_id"))
def component(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Retry the creation, deletion or publication of a component."""
    found = visible.component(person_of(request), component_id)
    return _retry(request, found, reverse("component", args=[found.id]))


@on_error(message_on("stack", "stack_id"))
def stack(request: HttpRequest, stack_id: uuid.UUID) -> HttpResponse:
    """Retry the creation or deletion of a stack."""
    found = visible.stack(person_of(request), stack_id)
    return _retry(request, found, reverse("stack", args=[found.id]))


def _retry(request: HttpRequest, thing: Component | Stack, page: str) -> HttpResponse:
    """Retry, and show the page with the progress."""
    person = person_of(request)
    if not policy.may_change(person, thing):
        raise PermissionDenied(_("Only the owner can retry."))
    step_retry.retry(thing, actor=person.username)
    return HttpResponseRedirect(page)
