"""`/audit`: who did what to whom."""

from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router
from pydantic import BaseModel, JsonValue

from workspace_manager.audit.log import AUDIT, exported, of_entry, of_verified
from workspace_manager.audit.verify import verify
from workspace_manager.contract.member_description import Uuid, When, describe
from workspace_manager.core.listing import ListQuery
from workspace_manager.records.models import AuditEntry
from workspace_manager.web.api.auth import administrator
from workspace_manager.web.api.lists import FiltersAsked, ListAsked, each, listed
from workspace_manager.web.api.shown import Listed
from workspace_manager.web.downloads import TYPES, download
from workspace_manager.web.pages.translate import Coded, in_readers_language

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


class EntryShown(BaseModel):
    """One entry: added when it happened, and never changed."""

    id: Annotated[int, describe("Its number; later entries have higher ones.", 4711)]
    at: Annotated[When, describe("When it happened.")]
    actor: Annotated[str, describe("Who did it; `manager`: by itself.", "ada")]
    action: Annotated[str, describe("What was done, as `thing:action`.", "registration:approved")]
    subject: Annotated[str, describe("To whom or what.", "anna")]
    details: Annotated[
        dict[str, JsonValue], describe("What else was written down. No secret.", {"role": "user"})
    ]


@router.get("", response=Listed[EntryShown], summary="List what was done, newest first")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[AuditAsked],
) -> dict[str, Any]:
    """Entries are only ever added. People stand in them by name, also those who left."""
    return listed(AuditEntry.objects.all(), window, AUDIT, each(of_entry))


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


class SealShown(BaseModel):
    """The newest seal. Whoever writes its number and digest down elsewhere can tell later that
    nothing up to it was cut off.
    """

    number: Annotated[int, describe("Which seal it is, from 1 without a gap.", 812)]
    at: Annotated[When, describe("When it was made.")]
    digest: Annotated[str, describe("What it is chained by, in hexadecimal.", "5b0c" * 16)]


class ProblemShown(BaseModel):
    """What is not as it was noted."""

    entry: Annotated[int | None, describe("The first entry concerned, if one can be read.", 4711)]
    seal: Annotated[int | None, describe("The seal concerned, if there is one.", 812)]
    plan: Annotated[Uuid | None, describe("The plan concerned, if there is one.")]
    text: Annotated[
        str,
        describe(
            "What is wrong, in a sentence.",
            "Entry 4711 was changed: it does not say what was noted.",
        ),
    ]
    text_message: Coded


class VerifiedShown(BaseModel):
    """What verifying showed. What it shows and what not: docs/explanation/audit.md."""

    verifies: Annotated[bool, describe("Whether nothing is wrong.", True)]
    entries: Annotated[int, describe("How many entries there are.", 4712)]
    sealed: Annotated[int, describe("How many of them a seal holds.", 4711)]
    unsealed: Annotated[
        int,
        describe("How many wait for the next seal: none of these can be shown to be missing.", 1),
    ]
    oldest_unsealed: Annotated[
        When | None, describe("Since when the oldest of those waits; null: none waits.")
    ]
    erased: Annotated[int, describe("In how many somebody who left cannot be read any more.", 3)]
    plans: Annotated[
        int, describe("How many plans that ended are as they were noted when they did.", 17)
    ]
    seals: Annotated[int, describe("How many seals there are.", 812)]
    last_seal: Annotated[SealShown | None, describe("The newest; null: there is none yet.")]
    problems: Annotated[
        list[ProblemShown], describe("What is wrong, in the order of the seals; the first twenty.")
    ]


@router.get("/verify", response=VerifiedShown, summary="Verify that the audit is as it was noted")
def verify_(request: HttpRequest) -> dict[str, Any]:  # noqa: ARG001
    """Every entry, every seal and the chain are worked out again, and every plan that ended is
    compared with what was noted then. Of very many that takes long: `workspace-manager audit
    verify` does the same without keeping a request open.
    """
    shown: dict[str, Any] = in_readers_language(of_verified(verify()))
    return shown
