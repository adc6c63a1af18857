"""`/manage/audit`: who did what to whom, newest first."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from workspace_manager.audit.log import AUDIT, exported
from workspace_manager.audit.sentences import sentence_of
from workspace_manager.audit.timeline import plan_of
from workspace_manager.audit.verify import verify
from workspace_manager.records.models import AuditEntry
from workspace_manager.web.downloads import download
from workspace_manager.web.pages.list_form import ListForm
from workspace_manager.web.pages.manage.tombstones import kept_plans

PER_PAGE = 50


class AuditForm(ListForm):
    """Of the audit."""

    listed = AUDIT

    def found(self) -> QuerySet[AuditEntry]:
        """The entries asked for."""
        return AUDIT.found(AuditEntry.objects.all(), self.asked())


def overview(request: HttpRequest) -> HttpResponse:
    """What was done, by everybody or by and to one person."""
    form = AuditForm(request.GET)
    page = Paginator(form.found(), PER_PAGE).get_page(request.GET.get("page"))
    verified = verify() if "verify" in request.GET else None
    context: dict[str, Any] = {
        "entries": [(row, sentence_of(row)) for row in page.object_list],
        "verified": verified,
        "form": form,
        "page": page,
        "query": form.query,
        "plans": {str(plan) for plan in kept_plans(plan_of(row) for row in page.object_list)},
    }
    return render(request, "manage/audit.html", context)


def table(request: HttpRequest) -> StreamingHttpResponse:
    """What the page shows, all pages of it, oldest first; no cell is run."""
    return download("audit", "csv", exported(AuditForm(request.GET).found(), "csv"))
