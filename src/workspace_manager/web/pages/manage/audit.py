"""`/manage/audit`: the audit log, newest entries first."""

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
    """The form of the audit log."""

    listed = AUDIT

    def found(self) -> QuerySet[AuditEntry]:
        """Return the requested entries."""
        return AUDIT.found(AuditEntry.objects.all(), self.asked())


def overview(request: HttpRequest) -> HttpResponse:
    """Show the entries of everybody, or those by and about one person."""
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
    """Download all pages of the list as a table, oldest entry first. A spreadsheet runs no cell of
    it.
    """
    return download("audit", "csv", exported(AuditForm(request.GET).found(), "csv"))
