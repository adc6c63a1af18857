"""`/manage/plans`: plans by state, with search, filters and an order."""

from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from workspace_manager.core.lists import ListQuery
from workspace_manager.plan_kinds import PLANS, view_plans
from workspace_manager.records.models import Plan
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.access import live
from workspace_manager.web.pages.list_fields import Choices, OneOf
from workspace_manager.web.pages.list_form import ListForm

PER_PAGE = 50
OPEN: Final = "open"
GROUPS: Final = {
    OPEN: [*Plan.OPEN],
    "draft": [Plan.State.DRAFT],
    "done": [Plan.State.DONE],
    "closed": [Plan.State.STALE, Plan.State.SUPERSEDED],
}
TABS: Final = {
    OPEN: gettext_lazy("in progress"),
    "draft": gettext_lazy("previews"),
    "done": gettext_lazy("done"),
    "closed": gettext_lazy("replaced"),
}


class PlansForm(ListForm):
    """The form of the list of plans. `state` is the tab, a group of states; `stands` is one of
    them.
    """

    listed = PLANS
    tab = "state"
    left_out = frozenset({"state", "person"})

    state = forms.CharField(widget=forms.HiddenInput, required=False)
    stands = OneOf(label=gettext_lazy("State"), required=False)

    def offered(self) -> dict[str, Choices]:
        states = [(str(one), labels.state(str(one))) for one in GROUPS[self.group]]
        return {**super().offered(), "stands": [*states]}

    @property
    def group(self) -> str:
        """Return the tab."""
        asked = str(self.data.get("state", ""))
        return asked if asked in GROUPS else OPEN

    @property
    def tabs(self) -> dict[str, str]:
        """Return the queries of the tabs. They keep the other filters, except the state."""
        said = {name: what for name, what in self.said.items() if name != "stands"}
        return {name: urlencode({**said, "state": name}) for name in GROUPS}

    def asked(self) -> ListQuery:
        asked = super().asked()
        stands = self.cleaned_data.get("stands")
        return replace(asked, filters={**asked.filters, "state": stands}) if stands else asked


def overview(request: HttpRequest) -> HttpResponse:
    """Show plans by state, the open ones first."""
    form = PlansForm(request.GET)
    rows = Plan.objects.filter(belongs_to=None)
    counts = rows.order_by().aggregate(
        **{name: Count("id", Q(state__in=states)) for name, states in GROUPS.items()}
    )
    of_tab = rows.filter(state__in=GROUPS[form.group])
    page = Paginator(PLANS.found(of_tab, form.asked()), PER_PAGE).get_page(request.GET.get("page"))
    tabs = [(name, word, counts[name]) for name, word in TABS.items()]
    lines = view_plans(list(page.object_list))
    context = {"form": form, "page": page, "lines": lines, "tabs": tabs, "group": form.group}
    part = "manage/plans_found.html"
    return render(request, part if live(request) else "manage/plans.html", context)
