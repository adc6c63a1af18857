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
    """Which entries."""


class ExportAsked(FiltersAsked, of=AUDIT):
    """Which entries, and how they are written: all of them, so no window and no order."""

    format: Annotated[
        Literal["csv", "jsonl"], describe("A table, or one JSON object a line.", "csv")
    ] = "csv"

    def asked(self) -> ListQuery:
        """As for the list."""
        found = super().asked()
        filters = {name: what for name, what in found.filters.items() if name != "format"}
        return replace(found, filters=filters)


@router.get("", response=ListPage[EntryView], summary="List what was done, newest first")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[AuditAsked],
) -> dict[str, Any]:
    """Entries are only ever added. People stand in them by name, also those who left."""
    return list_page(AuditEntry.objects.all(), window, AUDIT, each(EntryView.from_row))


@router.get("/export", summary="Export what was done", openapi_extra=FILES)
def export(
    request: HttpRequest,  # noqa: ARG001
    asked: Query[ExportAsked],
) -> StreamingHttpResponse:
    """Everything that the filters find as one file, oldest first, sent as it is read. In a table a
    cell that a spreadsheet would run has an apostrophe before it.
    """
    found = AUDIT.found(AuditEntry.objects.all(), asked.asked())
    return download("audit", asked.format, exported(found, asked.format))


@router.get("/verify", response=VerificationView, summary="Verify the audit log")
def verify_(request: HttpRequest) -> VerificationView:  # noqa: ARG001
    """Every entry, every seal and the chain are worked out again, and every plan that ended is
    compared with what was noted then. Of very many that takes long: `workspace-manager audit
    verify` does the same without keeping a request open.
    """
    return VerificationView.from_row(verify())
