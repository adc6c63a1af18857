"""`/service-keys`: a person's own credentials in the systems, each shown once on request and then forgotten here."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.debug import sensitive_variables

from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Person, ServiceKey
from workspace_manager.web.pages import visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import ErrorNotice, error_notice
from workspace_manager.work.keys import reveal as reveal_once


def overview(request: HttpRequest) -> HttpResponse:
    """My keys: for what they are, and whether they were shown already."""
    return _list(request, person_of(request))


def _list(request: HttpRequest, person: Person, why: ErrorNotice | None = None) -> HttpResponse:
    keys = ServiceKey.objects.filter(owner=person)
    status = why.status if why else 200
    return render(request, "service_keys/list.html", {"keys": keys, "trouble": why}, status=status)


@sensitive_variables()
def show_once(request: HttpRequest, key_id: uuid.UUID) -> HttpResponse:
    """Show the secret this once, to its owner alone. The answer is kept by no browser and no cache."""
    person = person_of(request)
    key = visible.own_key(person, key_id)
    try:
        secret = reveal_once(key, by=person)
    except Refused as refusal:
        return _list(request, person, error_notice(refusal))
    # The one place where a page shows a secret: asked for by its owner, in a field that is masked until asked again.
    response = render(request, "service_keys/revealed.html", {"key": key, "clear": secret.reveal()})
    response.headers["Cache-Control"] = "no-store"
    return response
