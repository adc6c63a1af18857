"""`/audit`: who did what to whom."""

from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router

from workspace_manager.audit.log import AUDIT, EntryView, VerificationView, exported
from workspace_manager.audit.verify import verify
from workspace_manager.contract.member_description import describe
from workspace_manager.core.lists import ListQuery
from workspace_manager.records.models import AuditEntry
from workspace_manager.web.api.auth import administrator
from workspace_manager.web.api.lists import FiltersAsked, ListAsked, each, list_page
from workspace_manager.web.api.responses import ListPage
from workspace_manager.web.downloads import TYPES, download

router = Router(auth=administrator)


FILES: Final[dict[str, Any]] = {
    "responses": {
        200: {
            "description": "A file.",
            "content": {
                kind.partition(";")[0]: {"schema": {"type": "string"}} for kind in TYPES.values()
            },
        }
    }
}


class AuditAsked(ListAsked, of=AUDIT):
    """Filters and order of the list of audit entries."""


class ExportAsked(FiltersAsked, of=AUDIT):
    """Filters of an export, and its format. An export has all matching entries, so it takes no
    window and no order.
    """

    format: Annotated[
        Literal["csv", "jsonl"], describe("A table, or one JSON object a line.", "csv")
    ] = "csv"

    def asked(self) -> ListQuery:
        """Return the query without the format."""
        found = super().asked()
        filters = {name: what for name, what in found.filters.items() if name != "format"}
        return replace(found, filters=filters)


@router.get("", response=ListPage[EntryView], summary="List what was done, newest first")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[AuditAsked],
) -> dict[str, Any]:
    """Entries are only ever added. They name people who have left, too."""
    return list_page(AuditEntry.objects.all(), window, AUDIT, each(EntryView.from_row))


@router.get("/export", summary="Export what was done", openapi_extra=FILES)
def export(
    request: HttpRequest,  # noqa: ARG001
    asked: Query[ExportAsked],
) -> StreamingHttpResponse:
    """All matching entries as one file, oldest first, sent while they are read. In a table, a cell
    that a spreadsheet would run gets a leading apostrophe.
    """
    found = AUDIT.found(AuditEntry.objects.all(), asked.asked())
    return download("audit", asked.format, exported(found, asked.format))


@router.get("/verify", response=VerificationView, summary="Verify the audit log")
def verify_(request: HttpRequest) -> VerificationView:  # noqa: ARG001
    """Recomputes every entry, every seal and the chain, and compares every plan that ended with its
    entry. This takes long for very many entries: `workspace-manager audit verify` does the same
    without an open request.
    """
    return VerificationView.from_row(verify())
