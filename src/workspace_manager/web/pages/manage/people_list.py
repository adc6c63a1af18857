"""`/manage/people`: everybody, however they stand, looked through by words, filters, an order."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workspace_manager.core.csv_table import lines
from workspace_manager.core.listing import Asked
from workspace_manager.people.documents import BATCH, COLUMNS
from workspace_manager.people.everybody import Everybody, Row, counts
from workspace_manager.people.everybody_documents import table_rows
from workspace_manager.people.filters import (
    EVERYBODY,
    FORMER_STATE,
    GROUPS,
    HERE,
    PEOPLE,
    STATES,
)
from workspace_manager.records.models import Person
from workspace_manager.systems import registry
from workspace_manager.web.downloads import download
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.access import live, person_of
from workspace_manager.web.pages.days import DAY, begin_of
from workspace_manager.web.pages.lists import PlainSelect
from workspace_manager.web.pages.manage.filters import ListFilters, Words, either
from workspace_manager.web.pages.manage.people_lines import people_lines

PER_PAGE = 50
MOMENTS: Final = ("signed_in_since", "signed_in_before")


class PeopleFilters(ListFilters):
    """Of everybody; the names are those of REST. `state` is the tab."""

    state = forms.ChoiceField(widget=forms.HiddenInput, required=False)
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

    kept = ("state",)
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
        "left_at": gettext_lazy("Left"),
    }

    def offered(self) -> Mapping[str, Sequence[tuple[str, Words]]]:
        return {
            "state": [(one, one) for one in (*STATES, HERE, EVERYBODY)],
            "role": [
                (Person.Role.USER.value, gettext_lazy("user")),
                (Person.Role.ADMINISTRATOR.value, gettext_lazy("administrator")),
            ],
            "system": [(name, labels.system(name)) for name in registry().names()],
        }

    def filters(self, typed: dict[str, Any]) -> dict[str, Any]:
        """Days of sign-ins are the reader's; an end date is a day wherever somebody is."""
        typed = super().filters(typed)
        return {name: begin_of(what) if name in MOMENTS else what for name, what in typed.items()}

    def asked(self) -> Asked:
        """The tab is a filter too; without one everybody is listed."""
        asked = super().asked()
        state = self.cleaned_data.get("state") or EVERYBODY
        return replace(asked, filters={**asked.filters, "state": state})

    @property
    def tab(self) -> str:
        """The tab that is shown; "": everybody."""
        return str(self.cleaned_data.get("state", ""))

    def found(self) -> Everybody:
        """Who is asked for. Those who were deleted at the identity provider come first where
        nothing is asked: they are waited for by nobody.
        """
        return Everybody(self.asked(), gone_first=not self.said.keys() - {"state"})

    def people(self) -> QuerySet[Person]:
        """Those of them who are here: with them alone something is done at once."""
        asked = self.asked()
        filters = dict(asked.filters)
        state = str(filters.pop("state"))
        rows = Person.objects.filter(state__in=GROUPS.get(state, (state,)))
        return PEOPLE.found(rows, replace(asked, filters=filters))


def overview(request: HttpRequest) -> HttpResponse:
    """Everybody, or who stands so and is looked for."""
    form = _form(request)
    found: Paginator[Row] = Paginator(cast(Any, form.found()), PER_PAGE)
    page = found.get_page(request.GET.get("page"))
    rows = people_lines(list(page.object_list), person_of(request))
    context = {
        "form": form,
        "page": page,
        "rows": rows,
        "status": form.tab,
        "tickable": any(one.tick for one in rows),
        "here": form.people().count(),
    }
    if live(request):
        return render(request, "manage/people_found.html", context)
    return render(request, "manage/people.html", {**context, "tabs": _tabs()})


def table(request: HttpRequest) -> StreamingHttpResponse:
    """What the list shows, all pages of it, as comma-separated values; no cell is run."""
    found = _form(request).found()
    return download("people", "csv", lines(COLUMNS, table_rows(found.in_parts(BATCH))))


def _form(request: HttpRequest) -> PeopleFilters:
    """`former=true` is what the tab of who left was called before."""
    asked = request.GET.copy()
    if asked.get("former") == "true":
        asked["state"] = FORMER_STATE
    return PeopleFilters(asked)


def _tabs() -> list[tuple[str, str, Words, int]]:
    """The tabs over the list: name, address, word, how many."""
    found = counts()
    here = reverse("people")
    everybody = ("", here, _("everybody"), sum(found.values()))
    by_state = [(one, f"{here}?state={one}", labels.state(one), found[one]) for one in STATES]
    return [everybody, *by_state]
