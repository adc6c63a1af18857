"""`/manage/people`: everybody who is here, or who left, looked through by words, filters and an
order.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final

from django import forms
from django.core.paginator import Paginator
from django.db.models import Case, Prefetch, QuerySet, When
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from workspace_manager.core.csv_table import lines
from workspace_manager.core.listing import in_parts
from workspace_manager.operations.who_is_there import said_of
from workspace_manager.people.documents import (
    BATCH,
    COLUMNS,
    FORMER,
    FORMER_COLUMNS,
    of_former,
    of_many_people,
)
from workspace_manager.people.filters import PEOPLE
from workspace_manager.records.models import Account, Person, Standing, Tombstone
from workspace_manager.systems import registry
from workspace_manager.web.downloads import download
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.access import live
from workspace_manager.web.pages.days import DAY, begin_of
from workspace_manager.web.pages.lists import PlainSelect
from workspace_manager.web.pages.manage.filters import ListFilters, Words, either
from workspace_manager.web.pages.manage.tombstones import kept_plans

PER_PAGE = 50
STANDING = Account.objects.filter(gone_at=None, machine=False).order_by("system", "kind")
MOMENTS: Final = ("signed_in_since", "signed_in_before")


class PeopleFilters(ListFilters):
    """Of people who are here; the names are those of REST."""

    state = forms.ChoiceField(widget=PlainSelect, label=gettext_lazy("State"), required=False)
    role = forms.ChoiceField(widget=PlainSelect, label=gettext_lazy("Role"), required=False)
    system = forms.ChoiceField(
        widget=PlainSelect, label=gettext_lazy("Has an account in"), required=False
    )
    signed_in = either(
        gettext_lazy("Signed in"), gettext_lazy("at some time"), gettext_lazy("never")
    )
    signed_in_since = forms.DateField(**DAY, label=gettext_lazy("Last sign-in since"))
    signed_in_before = forms.DateField(**DAY, label=gettext_lazy("Last sign-in before"))
    has_end = either(gettext_lazy("End date"), gettext_lazy("has one"), gettext_lazy("has none"))
    ends_since = forms.DateField(**DAY, label=gettext_lazy("End date since"))
    ends_before = forms.DateField(**DAY, label=gettext_lazy("End date before"))
    field_order = (
        "q",
        "state",
        "role",
        "system",
        "signed_in",
        "signed_in_since",
        "signed_in_before",
        "has_end",
        "ends_since",
        "ends_before",
        "sort",
    )

    search_for = gettext_lazy("Search by name or e-mail")
    by_itself = gettext_lazy("deleted at the identity provider first, then the user name")
    sorts = {
        "username": gettext_lazy("User name"),
        "last_name": gettext_lazy("Family name"),
        "email": gettext_lazy("E-mail"),
        "role": gettext_lazy("Role"),
        "state": gettext_lazy("State"),
        "last_sign_in": gettext_lazy("Last sign-in"),
        "ends_at": gettext_lazy("End date"),
    }

    def offered(self) -> Mapping[str, Sequence[tuple[str, Words]]]:
        return {
            "state": [(str(one), labels.state(str(one))) for one in Person.State.values],
            "role": [
                (Person.Role.USER.value, gettext_lazy("user")),
                (Person.Role.ADMINISTRATOR.value, gettext_lazy("administrator")),
            ],
            "system": [(name, labels.system(name)) for name in registry().names()],
        }

    def filters(self, typed: dict[str, Any]) -> dict[str, Any]:
        """Days of sign-ins are the reader's; an end date is a day wherever somebody is."""
        return {name: begin_of(what) if name in MOMENTS else what for name, what in typed.items()}

    def found(self) -> QuerySet[Person]:
        """The people asked for. Those who were deleted at the identity provider come first where
        nothing is asked: they are waited for by nobody.
        """
        rows = Person.objects.all()
        if self.said:
            return PEOPLE.found(rows, self.asked())
        gone = Case(When(there=Standing.State.GONE, then=0), default=1)
        return rows.annotate(there=said_of()).order_by(gone, "username")


class FormerFilters(ListFilters):
    """Of those who left: nothing but the name and the user id is kept of them."""

    former = forms.CharField(widget=forms.HiddenInput)
    kept = ("former",)
    search_for = gettext_lazy("Search by name or id")
    by_itself = gettext_lazy("who left last")
    sorts = {"username": gettext_lazy("User name"), "left_at": gettext_lazy("Left")}


def overview(request: HttpRequest) -> HttpResponse:
    """Everybody, or those who are looked for; with `former=true` those who left."""
    former = request.GET.get("former") == "true"
    context = _former(request) if former else _here(request)
    page = "manage/people.html"
    return render(request, context["found"] if live(request) else page, context)


def _here(request: HttpRequest) -> dict[str, Any]:
    form = PeopleFilters(request.GET)
    accounts = Prefetch("accounts", queryset=STANDING, to_attr="standing")
    rows = form.found().annotate(there=said_of()).prefetch_related(accounts)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return {"form": form, "page": page, "former": False, "found": "manage/people_found.html"}


def _former(request: HttpRequest) -> dict[str, Any]:
    form = FormerFilters(request.GET)
    left = FORMER.found(Tombstone.objects.all(), form.asked())
    page = Paginator(left, PER_PAGE).get_page(request.GET.get("page"))
    plans = kept_plans(row.plan for row in page.object_list)
    found = "manage/former_people_found.html"
    return {"form": form, "page": page, "former": True, "found": found, "plans": plans}


def table(request: HttpRequest) -> StreamingHttpResponse:
    """What the list shows, all pages of it, as comma-separated values; no cell is run."""
    if request.GET.get("former") == "true":
        left = FORMER.found(Tombstone.objects.all(), FormerFilters(request.GET).asked())
        rows = (one for some in in_parts(left, BATCH) for one in of_former(some))
        return download("former-people", "csv", lines(FORMER_COLUMNS, rows))
    people = chain.from_iterable(in_parts(PeopleFilters(request.GET).found(), BATCH))
    return download("people", "csv", lines(COLUMNS, of_many_people(people)))
