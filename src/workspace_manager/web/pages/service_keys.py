"""`/service-keys`: a person's own credentials in the systems and those of the person's programs.
Each is shown once on request and then deleted here; plans make, renew and delete them.
"""

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables

from workspace_manager.accounts import keys, machine_accounts, renewal
from workspace_manager.records.models import Component, Person, Plan
from workspace_manager.web.pages import visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import complain, on_error, refuse_invalid
from workspace_manager.web.pages.key_lines import lines_of
from workspace_manager.web.pages.live import part
from workspace_manager.wiring import connected_systems


class NewKey(forms.Form):
    """The form of a machine key: the component and the purpose."""

    component = forms.ModelChoiceField(
        label=gettext_lazy("Component"),
        queryset=Component.objects.none(),
        empty_label=gettext_lazy("Choose a component"),
        help_text=gettext_lazy("The key opens only this component."),
    )
    purpose = forms.CharField(
        label=gettext_lazy("What is it for?"),
        max_length=100,
        help_text=gettext_lazy("The program that uses the key. Create one key for each purpose."),
    )

    def __init__(self, *args: Any, owner: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        component = self.fields["component"]
        assert isinstance(component, forms.ModelChoiceField)
        component.queryset = opened_by_machine_keys(owner)


def opened_by_machine_keys(owner: Person) -> QuerySet[Component]:
    """Return components that the owner can make a machine key for: their own, and ready."""
    rows = Component.objects.filter(owner=owner, state=Component.State.READY)
    return rows.filter(kind__in=list(machine_accounts.OPENED)).order_by("label", "created_at")


def _list(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    typed = request.POST if "purpose" in request.POST else None
    form = NewKey(typed, owner=person)
    complain(request, form)
    context = {
        **lines_of(person, request.GET),
        "form": form,
        "can_make": opened_by_machine_keys(person).exists(),
    }
    return render(request, "service_keys/list.html", context)


@on_error(_list)
def overview(request: HttpRequest) -> HttpResponse:
    """Show the reader's keys, or make a machine key."""
    if request.method != "POST":
        return _list(request)
    person = person_of(request)
    form = NewKey(request.POST, owner=person)
    refuse_invalid(form)
    keys.create(
        form.cleaned_data["component"],
        form.cleaned_data["purpose"],
        actor=person.username,
        systems=connected_systems(),
    )
    return HttpResponseRedirect(reverse("service_keys"))


def progress(request: HttpRequest) -> HttpResponse:
    """Show the live part: the keys, while a plan works on one of them."""
    return part(request, "service_keys/keys.html", lines_of(person_of(request), request.GET))


@on_error(_list)
def renew(request: HttpRequest, key_id: uuid.UUID) -> HttpResponse:
    """Renew a key: a new secret wherever it is used. The page shows the progress."""
    return _do(request, key_id, renewal.renew)


@on_error(_list)
def delete(request: HttpRequest, key_id: uuid.UUID) -> HttpResponse:
    """Delete a machine key with its account."""
    return _do(request, key_id, keys.delete)


def _do(request: HttpRequest, key_id: uuid.UUID, story: Callable[..., Plan]) -> HttpResponse:
    person = person_of(request)
    key = visible.own_key(person, key_id)
    story(key, actor=person.username, systems=connected_systems())
    return HttpResponseRedirect(reverse("service_keys"))


@on_error(_list)
@sensitive_variables()
def show_once(request: HttpRequest, key_id: uuid.UUID) -> HttpResponse:
    """Show the secret once, only to its owner. No browser and no cache stores the answer."""
    person = person_of(request)
    key = visible.own_key(person, key_id)
    secret = keys.reveal(key, by=person)
    # Only here does a page show a stored secret: its owner asked for it, and the field masks it
    # until asked again.
    response = render(request, "service_keys/revealed.html", {"key": key, "clear": secret.reveal()})
    response.headers["Cache-Control"] = "no-store"
    return response
