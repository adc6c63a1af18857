"""The audit as it is read: who did what to whom, found by person, by action and by time.

Rows are written by `audit.note` and only ever added to; here they are only read.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Q, QuerySet

from workspace_manager.audit.verify import Verification
from workspace_manager.core import csv_table
from workspace_manager.core.lists import ListSpec, Member, Moment, Text
from workspace_manager.core.messages import encode_message
from workspace_manager.core.timestamps import in_utc
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
        Member("subject", label="What or whom", order="subject", column=True),
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


def of_entry(row: AuditEntry) -> dict[str, Any]:
    """One entry as programs read it. `details` are as they were written: no secret is in them."""
    return {
        "id": row.pk,
        "at": in_utc(row.at),
        "actor": row.actor,
        "action": row.event,
        "subject": row.subject,
        "details": row.details,
    }


def exported(rows: QuerySet[AuditEntry], form: str) -> Iterator[str]:
    """What was found, oldest first, as a table ("csv") or one JSON object a line ("jsonl"): a line
    at a time, since as many as there are never stand in memory at once.
    """
    documents = map(of_entry, _oldest_first(rows))
    if form == "jsonl":
        return (json.dumps(one, ensure_ascii=False) + "\n" for one in documents)
    told = ({**one, "details": json.dumps(one["details"])} for one in documents)
    return csv_table.lines(AUDIT.columns, told)


def _oldest_first(rows: QuerySet[AuditEntry]) -> Iterator[AuditEntry]:
    """Some at a time, each time by a statement of its own (as `core.listing.in_parts`, without a
    list of them all: these may be millions).
    """
    ordered = left = rows.order_by("at", "id")
    while part := list(left[:BATCH]):
        yield from part
        last = part[-1]
        left = ordered.filter(at__gte=last.at).exclude(at=last.at, id__lte=last.pk)


def of_verified(found: Verification) -> dict[str, Any]:
    """What verifying showed, as programs read it."""
    last = found.last_seal
    return {
        "verifies": found.verifies,
        "entries": found.entries,
        "sealed": found.sealed,
        "unsealed": found.unsealed,
        "oldest_unsealed": in_utc(found.oldest_unsealed),
        "erased": found.erased,
        "plans": found.plans,
        "seals": found.seals,
        "last_seal": {"number": last.number, "at": in_utc(last.at), "digest": last.digest}
        if last
        else None,
        "problems": [
            {
                "entry": one.entry,
                "seal": one.seal,
                "plan": str(one.plan) if one.plan else None,
                "text": one.why.english,
                "text_message": encode_message(one.why),
            }
            for one in found.problems
        ],
    }
