"""`/manage/people`: the list of people in every state, with search, filters and orders."""

from dataclasses import replace
from typing import Any, cast

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.core.csv_table import lines
from workspace_manager.core.lists import ListQuery
from workspace_manager.people.everybody import PeopleList, Row, counts
from workspace_manager.people.everybody_views import BATCH, table_rows
from workspace_manager.people.filters import (
    EVERYBODY,
    FORMER_STATE,
    GROUPS,
    PEOPLE,
    STATES,
)
from workspace_manager.records.models import Person
from workspace_manager.web.downloads import download
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.access import live, person_of
from workspace_manager.web.pages.list_form import ListForm
from workspace_manager.web.pages.manage.people_lines import people_lines

PER_PAGE = 50


class PeopleForm(ListForm):
    """The form of the list of people. Its names are those of REST; `state` is the tab."""

    listed = PEOPLE
    tab = "state"

    def asked(self) -> ListQuery:
        """Return the query. The tab is a filter, too; without one, everybody is listed."""
        asked = super().asked()
        return replace(asked, filters={"state": EVERYBODY, **asked.filters})

    def found(self) -> PeopleList:
        """Return the requested people. Without filters, those deleted at the identity provider come
        first, because nobody waits for them.
        """
        return PeopleList(self.asked(), gone_first=not self.said.keys() - {"state"})

    def people(self) -> QuerySet[Person]:
        """Return the present people among them; a bulk action takes only these."""
        asked = self.asked()
        filters = dict(asked.filters)
        state = str(filters.pop("state"))
        rows = Person.objects.filter(state__in=GROUPS.get(state, (state,)))
        return PEOPLE.found(rows, replace(asked, filters=filters))


def overview(request: HttpRequest) -> HttpResponse:
    """Show everybody, or the requested people."""
    form = _form(request)
    found: Paginator[Row] = Paginator(cast(Any, form.found()), PER_PAGE)
    page = found.get_page(request.GET.get("page"))
    rows = people_lines(list(page.object_list), person_of(request))
    context = {
        "form": form,
        "page": page,
        "rows": rows,
        "status": form.said.get("state", ""),
        "tickable": any(one.tick for one in rows),
        "here": form.people().count(),
    }
    if live(request):
        return render(request, "manage/people_found.html", context)
    return render(request, "manage/people.html", {**context, "tabs": _tabs()})


def table(request: HttpRequest) -> StreamingHttpResponse:
    """Download all pages of the list as comma-separated values. A spreadsheet runs no cell of
    them.
    """
    found = _form(request).found()
    return download("people", "csv", lines(PEOPLE.columns, table_rows(found.in_parts(BATCH))))


def _form(request: HttpRequest) -> PeopleForm:
    """Return the form. `former=true` is the earlier name of the tab of former members."""
    asked = request.GET.copy()
    if asked.get("former") == "true":
        asked["state"] = FORMER_STATE
    return PeopleForm(asked)


def _tabs() -> list[tuple[str, str, str, int]]:
    """Return the tabs: name, address, label, number of people."""
    found = counts()
    here = reverse("people")
    everybody = ("", here, _("everybody"), sum(found.values()))
    by_state = [(one, f"{here}?state={one}", labels.state(one), found[one]) for one in STATES]
    return [everybody, *by_state]
