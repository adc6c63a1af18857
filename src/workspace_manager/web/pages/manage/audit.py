"""`/manage/audit`: who did what to whom, newest first."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from workspace_manager.audit.log import AUDIT, actions, entries, exported
from workspace_manager.audit.sentences import sentence_of
from workspace_manager.audit.timeline import plan_of
from workspace_manager.audit.verify import verify
from workspace_manager.core.listing import Asked
from workspace_manager.records.models import AuditEntry
from workspace_manager.web.downloads import download
from workspace_manager.web.pages.days import DAY, begin_of
from workspace_manager.web.pages.lists import ANY, PlainSelect
from workspace_manager.web.pages.manage.tombstones import kept_plans

PER_PAGE = 50


class Filters(forms.Form):
    """What is looked for. A value that cannot be is passed over, as if it were not asked for."""

    person = forms.CharField(label=gettext_lazy("User name"), max_length=255, required=False)
    action = forms.ChoiceField(widget=PlainSelect, label=gettext_lazy("Action"), required=False)
    since = forms.DateField(**DAY, label=gettext_lazy("From"))
    until = forms.DateField(**DAY, label=gettext_lazy("To"))

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request.GET)
        action = self.fields["action"]
        assert isinstance(action, forms.ChoiceField)
        action.choices = [ANY, *((one, one) for one in actions())]
        self.is_valid()

    def asked(self) -> Asked:
        """Days are whole ones, in the reader's time zone."""
        said: dict[str, Any] = {}
        if action := self.cleaned_data.get("action"):
            said["action"] = action
        if since := self.cleaned_data.get("since"):
            said["since"] = begin_of(since)
        if until := self.cleaned_data.get("until"):
            said["until"] = begin_of(until + timedelta(days=1))
        return Asked(filters=said)

    def found(self) -> QuerySet[AuditEntry]:
        """The entries asked for, newest first."""
        return AUDIT.found(entries(self.cleaned_data.get("person", "")), self.asked())

    def query(self) -> str:
        """For the links to other pages of the list."""
        said = {name: value for name, value in self.cleaned_data.items() if value}
        return f"{urlencode(said)}&" if said else ""


def overview(request: HttpRequest) -> HttpResponse:
    """What was done, by everybody or by and to one person."""
    form = Filters(request)
    page = Paginator(form.found(), PER_PAGE).get_page(request.GET.get("page"))
    verified = verify() if "verify" in request.GET else None
    context: dict[str, Any] = {
        "entries": [(row, sentence_of(row)) for row in page.object_list],
        "verified": verified,
        "form": form,
        "page": page,
        "query": form.query(),
        "plans": {str(plan) for plan in kept_plans(plan_of(row) for row in page.object_list)},
    }
    return render(request, "manage/audit.html", context)


def table(request: HttpRequest) -> StreamingHttpResponse:
    """What the page shows, all pages of it, oldest first; no cell is run."""
    return download("audit", "csv", exported(Filters(request).found(), "csv"))
