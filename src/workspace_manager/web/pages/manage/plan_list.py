"""`/manage/plans`: what is being done and was done, by how it stands; looked through by words,
filters and an order.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from workspace_manager.people.listings import PLANS
from workspace_manager.plan_kinds import PLAN_KINDS, all_shown
from workspace_manager.records.models import Plan
from workspace_manager.web.pages import labels, plan_labels
from workspace_manager.web.pages.access import live
from workspace_manager.web.pages.lists import PlainSelect
from workspace_manager.web.pages.manage.filters import ListFilters, Words

PER_PAGE = 50
OPEN: Final = "open"
GROUPS: Final = {
    OPEN: [*Plan.OPEN],
    "draft": [Plan.State.DRAFT],
    "done": [Plan.State.DONE],
    "closed": [Plan.State.STALE, Plan.State.SUPERSEDED],
}
TABS: Final[Mapping[str, Words]] = {
    OPEN: gettext_lazy("under way"),
    "draft": gettext_lazy("previews"),
    "done": gettext_lazy("done"),
    "closed": gettext_lazy("replaced"),
}


class PlanFilters(ListFilters):
    """Of plans; `state` is the tab."""

    state = forms.CharField(widget=forms.HiddenInput, required=False)
    stands = forms.ChoiceField(widget=PlainSelect, label=gettext_lazy("State"), required=False)
    kind = forms.ChoiceField(widget=PlainSelect, label=gettext_lazy("Kind"), required=False)
    field_order = ("q", "stands", "kind", "sort")

    kept = ("state",)
    search_for = gettext_lazy("Search by user name")
    by_itself = gettext_lazy("the newest first")
    sorts = {
        "created_at": gettext_lazy("Begun"),
        "finished_at": gettext_lazy("Ended"),
        "person": gettext_lazy("User name"),
        "kind": gettext_lazy("Kind"),
        "state": gettext_lazy("State"),
    }

    def offered(self) -> Mapping[str, Sequence[tuple[str, Words]]]:
        return {
            "stands": [(str(one), labels.state(str(one))) for one in GROUPS[self.group]],
            "kind": [(name, plan_labels.plan(name)) for name in sorted(PLAN_KINDS)],
        }

    @property
    def group(self) -> str:
        """The tab."""
        asked = str(self.data.get("state", ""))
        return asked if asked in GROUPS else OPEN

    @property
    def tab(self) -> dict[str, str]:
        """The queries of the tabs: what else is asked for stays, but for a state."""
        said = {name: what for name, what in self.said.items() if name != "stands"}
        return {name: urlencode({**said, "state": name}) for name in GROUPS}

    def filters(self, typed: dict[str, Any]) -> dict[str, Any]:
        found = super().filters(typed)
        return {"state" if name == "stands" else name: what for name, what in found.items()}


def overview(request: HttpRequest) -> HttpResponse:
    """Plans by how they stand; the open ones first."""
    form = PlanFilters(request.GET)
    rows = Plan.objects.filter(belongs_to=None)
    counts = rows.order_by().aggregate(
        **{name: Count("id", Q(state__in=states)) for name, states in GROUPS.items()}
    )
    of_tab = rows.filter(state__in=GROUPS[form.group])
    page = Paginator(PLANS.found(of_tab, form.asked()), PER_PAGE).get_page(request.GET.get("page"))
    tabs = [(name, word, counts[name]) for name, word in TABS.items()]
    lines = all_shown(list(page.object_list))
    context = {"form": form, "page": page, "lines": lines, "tabs": tabs, "group": form.group}
    part = "manage/plans_found.html"
    return render(request, part if live(request) else "manage/plans.html", context)
