"""The audit as it is read: who did what to whom, found by person, by action and by time.

Rows are written by `audit.note` and only ever added to; here they are only read.
"""

import json
from collections.abc import Iterator
from typing import Annotated, Final

from django.db.models import Q, QuerySet
from pydantic import Field, JsonValue

from workspace_manager.contract.member_description import Uuid, When, describe
from workspace_manager.core import csv_table
from workspace_manager.core.lists import ListSpec, Member, Moment, Text
from workspace_manager.core.views import SAID, CodedMessage, View, as_data
from workspace_manager.records.models import AuditEntry

BATCH: Final = 2000


def _of_person(name: str) -> Q:
    """In which this name acts or is acted upon: by both indexes. Asked with OR, a database walks
    back through all of it for who did little.
    """
    ids = AuditEntry.objects.order_by().values("pk")
    return Q(pk__in=ids.filter(subject=name).union(ids.filter(actor=name)))


def actions() -> list[str]:
    """Every action that was ever done, in the order of their names."""
    return list(AuditEntry.objects.order_by("event").values_list("event", flat=True).distinct())


AUDIT: Final = ListSpec(
    "audit_list",
    __file__,
    searched=("actor", "subject", "event"),
    order=("-at", "-id"),
    search_for="Search by name or action",
    by_itself="the newest first",
    members=(
        Member(
            "person",
            label="User name",
            help="Only where this user name acts or is acted upon.",
            example="anna",
            filter=_of_person,
        ),
        Member("id", column=True),
        Member("at", label="When", order="at", column=True),
        Member("actor", label="Who", order="actor", column=True),
        Member(
            "action",
            Text(offered=actions),
            "Action",
            "Only this action.",
            "registration:approved",
            "event",
            "event",
            column=True,
        ),
        Member("subject", label="About", order="subject", column=True),
        Member(
            "since",
            Moment(),
            "From",
            "Only entries of this date or moment, or later.",
            "2026-12-01",
            "at__gte",
        ),
        Member(
            "until",
            Moment(through=True),
            "To",
            "Only entries before this date or moment.",
            "2026-12-31T08:00Z",
            "at__lt",
        ),
        Member("details", column=True),
    ),
)


class EntryView(View):
    """One entry: added when it happened, and never changed."""

    id: Annotated[int, describe("Its number; later entries have higher ones.", 4711)]
    at: Annotated[When, describe("When it happened.")]
    actor: Annotated[str, describe("Who did it; `manager`: by itself.", "ada")]
    action: Annotated[
        str,
        Field(validation_alias="event"),
        describe("What was done, as `thing:action`.", "registration:approved"),
    ]
    subject: Annotated[str, describe("To whom or what.", "anna")]
    details: Annotated[
        dict[str, JsonValue], describe("What else was written down. No secret.", {"role": "user"})
    ]


def exported(rows: QuerySet[AuditEntry], form: str) -> Iterator[str]:
    """The entries that were found, oldest first, as a table ("csv") or one JSON object a line
    ("jsonl"): a line at a time, so that memory does not grow with their number.
    """
    entries = map(EntryView.from_row, _oldest_first(rows))
    if form == "jsonl":
        return (f"{one.model_dump_json()}\n" for one in entries)
    told = ({**vars(one), "details": json.dumps(one.details)} for one in entries)
    return csv_table.lines(AUDIT.columns, told)


def _oldest_first(rows: QuerySet[AuditEntry]) -> Iterator[AuditEntry]:
    """Some at a time, each time by a statement of its own: these may be millions."""
    ordered = left = rows.order_by("at", "id")
    while part := list(left[:BATCH]):
        yield from part
        last = part[-1]
        left = ordered.filter(at__gte=last.at).exclude(at=last.at, id__lte=last.pk)


class SealView(View):
    """The newest seal. Whoever writes its number and digest down elsewhere can tell later that
    nothing up to it was cut off.
    """

    number: Annotated[int, describe("Which seal it is, from 1 without a gap.", 812)]
    at: Annotated[When, describe("When it was made.")]
    digest: Annotated[str, describe("What it is chained by, in hexadecimal.", "5b0c" * 16)]


class ProblemView(View):
    """A difference between the log and what was noted."""

    entry: Annotated[int | None, describe("The first entry concerned, if one can be named.", 4711)]
    seal: Annotated[int | None, describe("The seal concerned, if there is one.", 812)]
    plan: Annotated[Uuid | None, describe("The plan concerned, if there is one.")]
    text: Annotated[
        str,
        SAID,
        Field(validation_alias="why"),
        describe(
            "What is wrong, in a sentence.",
            "Entry 4711 was changed: it does not say what was noted.",
        ),
    ]
    text_message: Annotated[CodedMessage, as_data("why")]


class VerificationView(View):
    """The result of verifying. docs/explanation/audit.md says what it proves."""

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
    erased: Annotated[int, describe("In how many somebody who left is not named any more.", 3)]
    plans: Annotated[
        int, describe("How many plans that ended are as they were noted when they did.", 17)
    ]
    seals: Annotated[int, describe("How many seals there are.", 812)]
    last_seal: Annotated[SealView | None, describe("The newest; null: there is none yet.")]
    problems: Annotated[
        list[ProblemView], describe("What is wrong, in the order of the seals; the first twenty.")
    ]
