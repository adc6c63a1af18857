"""`/service-keys`: a person's own credentials in the systems and those of the person's programs,
each shown once on request and then forgotten here; made, renewed and deleted by plans.
"""

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables

from workspace_manager.accounts import keys, machine_accounts, renewal
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.records.models import Component, Person, Plan
from workspace_manager.web.pages import visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import ErrorNotice, error_notice
from workspace_manager.web.pages.key_lines import lines_of
from workspace_manager.web.pages.live import part
from workspace_manager.wiring import connected_systems


class NewKey(forms.Form):
    """What a program shall use, and what for."""

    component = forms.ModelChoiceField(
        label=gettext_lazy("Component"),
        queryset=Component.objects.none(),
        help_text=gettext_lazy("The key opens this one and nothing else."),
    )
    purpose = forms.CharField(
        label=gettext_lazy("What is it for?"),
        max_length=100,
        help_text=gettext_lazy("Which program uses it. One key for each purpose."),
    )

    def __init__(self, *args: Any, owner: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        component = self.fields["component"]
        assert isinstance(component, forms.ModelChoiceField)
        component.queryset = opened_by_machine_keys(owner)


def opened_by_machine_keys(owner: Person) -> QuerySet[Component]:
    """What somebody may make a machine key for on this page: what is theirs and ready."""
    rows = Component.objects.filter(owner=owner, state=Component.State.READY)
    return rows.filter(kind__in=list(machine_accounts.OPENED)).order_by("label", "created_at")


def overview(request: HttpRequest) -> HttpResponse:
    """My keys, for what they are, and whether they were shown already; or a new machine key."""
    person = person_of(request)
    if request.method != "POST":
        return _list(request, person)
    form = NewKey(request.POST, owner=person)
    if not form.is_valid():
        return _list(request, person, form=form, status=422)
    try:
        keys.create(
            form.cleaned_data["component"],
            form.cleaned_data["purpose"],
            actor=person.username,
            systems=connected_systems(),
        )
    except (Refused, BadInput) as no:
        return _list(request, person, error_notice(no), form=form)
    return HttpResponseRedirect(reverse("service_keys"))


def _list(
    request: HttpRequest,
    person: Person,
    why: ErrorNotice | None = None,
    *,
    form: NewKey | None = None,
    status: int = 200,
) -> HttpResponse:
    if why and not person.is_administrator:
        why = replace(why, plan="")  # A page of administrators; the plan stands on this one.
    context = {
        **lines_of(person, request.GET),
        "form": form or NewKey(owner=person),
        "can_make": opened_by_machine_keys(person).exists(),
        "trouble": why,
    }
    status = why.status if why else status
    return render(request, "service_keys/list.html", context, status=status)


def progress(request: HttpRequest) -> HttpResponse:
    """The live part: the keys, while a plan is at one of them."""
    return part(request, "service_keys/keys.html", lines_of(person_of(request), request.GET))


def renew(request: HttpRequest, key_id: uuid.UUID) -> HttpResponse:
    """Another secret everywhere it is used; how far it came stands on the page."""
    return _do(request, key_id, renewal.renew)


def delete(request: HttpRequest, key_id: uuid.UUID) -> HttpResponse:
    """A machine key goes with its account."""
    return _do(request, key_id, keys.delete)


def _do(request: HttpRequest, key_id: uuid.UUID, story: Callable[..., Plan]) -> HttpResponse:
    person = person_of(request)
    systems: ConnectedSystems = connected_systems()
    try:
        story(visible.own_key(person, key_id), actor=person.username, systems=systems)
    except Refused as no:
        return _list(request, person, error_notice(no))
    return HttpResponseRedirect(reverse("service_keys"))


@sensitive_variables()
def show_once(request: HttpRequest, key_id: uuid.UUID) -> HttpResponse:
    """Show the secret this once, to its owner alone. The answer is kept by no browser and
    no cache.
    """
    person = person_of(request)
    key = visible.own_key(person, key_id)
    try:
        secret = keys.reveal(key, by=person)
    except Refused as refusal:
        return _list(request, person, error_notice(refusal))
    # The one place where a page shows a secret: asked for by its owner, in a field that is masked
    # until asked again.
    response = render(request, "service_keys/revealed.html", {"key": key, "clear": secret.reveal()})
    response.headers["Cache-Control"] = "no-store"
    return response
