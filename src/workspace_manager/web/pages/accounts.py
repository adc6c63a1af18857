"""`/user/<id>/connected-accounts`: the accounts a person has in the systems, as recorded here."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from workspace_manager.records.models import Account, Person
from workspace_manager.web.pages.access import person_of


def connected(request: HttpRequest, person_id: uuid.UUID) -> HttpResponse:
    """Show your own accounts, or anybody's to an administrator."""
    reader = person_of(request)
    person = Person.objects.filter(id=person_id).first()
    if person is None or (person != reader and not reader.is_administrator):
        raise Http404
    accounts = Account.objects.filter(person=person, gone_at=None, machine=False)
    return render(
        request,
        "people/accounts.html",
        {"person": person, "accounts": accounts, "own": person == reader},
    )
