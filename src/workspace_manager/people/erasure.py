"""When the tombstone of somebody who left has ended, no entry of the audit names them any more. The
audit verifies as before (docs/explanation/audit.md#erasing-somebody).
"""

import json
import secrets
from collections.abc import Collection
from datetime import datetime
from itertools import islice
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone
from pydantic import JsonValue

from workspace_manager.core import audit
from workspace_manager.core.audit_seals import is_whole
from workspace_manager.core.housekeeping_failures import attempt, due
from workspace_manager.records.audit import erase
from workspace_manager.records.models import AuditEntry, Plan, Tombstone

BATCH: Final = 200
AT_ONCE: Final = 3
"""So many people in one sweep: each is looked for in the whole audit."""


def erase_ended() -> int:
    """Take out of the audit who left and whose tombstone has expired or was released; gives how
    many people that were.
    """
    now = timezone.now()
    ended = Tombstone.objects.filter(Q(expires_at__lte=now) | Q(released_at__lte=now), erased=False)
    count = 0
    for tombstone in islice(due("erase_people", ended.order_by("created_at", "id")), AT_ONCE):
        with attempt("erase_people", tombstone.pk):
            _erase(tombstone)
            count += 1
    return count


def _erase(tombstone: Tombstone) -> None:
    if not tombstone.pseudonym:
        tombstone.pseudonym = f"former-{secrets.token_hex(4)}"
        tombstone.save(update_fields=["pseudonym"])
    end = min(filter(None, [tombstone.released_at, tombstone.expires_at]))
    theirs = {name for name in (tombstone.username, tombstone.sub) if name}
    besides = {one["name"] for one in tombstone.accounts} | _plans(tombstone, end)
    count = after = 0
    while rows := list(_candidates(theirs, end).filter(id__gt=after)[:BATCH]):
        after = rows[-1].pk
        count += _rename(rows, theirs=theirs, besides=besides, to=tombstone.pseudonym)
    with transaction.atomic():
        # By neither name: together with the time either would say who it was.
        audit.note("audit:erased", "", actor=audit.MANAGER, entries=count)
        tombstone.letters.all().delete()
        tombstone.erased, tombstone.pseudonym = True, ""
        tombstone.save(update_fields=["erased", "pseudonym"])


def _plans(tombstone: Tombstone, end: datetime) -> set[str]:
    """Ids of plans that say whose they are."""
    known = Plan.objects.filter(person=tombstone.username, created_at__lte=end)
    return {str(number) for number in known.values_list("id", flat=True)} | {str(tombstone.plan)}


def _candidates(theirs: Collection[str], end: datetime) -> QuerySet[AuditEntry]:
    """Entries in which one of these may stand. What was noted after the end is about whoever has
    the name since.
    """
    named = Q(actor__in=theirs) | Q(subject__in=theirs)
    for name in theirs:
        # As the databases keep JSON: PostgreSQL as it is, SQLite with escapes.
        named |= Q(text__contains=name) | Q(text__contains=json.dumps(name)[1:-1])
    rows = AuditEntry.objects.annotate(text=Cast("details", TextField()))
    return rows.filter(named, at__lte=end).order_by("id")


def _rename(rows: list[AuditEntry], *, theirs: set[str], besides: Collection[str], to: str) -> int:
    """Put the pseudonym where a whole value is a name; gives in how many entries."""
    changed, wrong = [], set()
    for row in rows:
        if not is_whole(row):
            wrong.add(row.pk)
        before = (row.actor, row.subject, row.details)
        row.actor, row.subject = (to if one in theirs else one for one in before[:2])
        row.details = _without(row.details, theirs, to)
        if (row.actor, row.subject, row.details) != before:
            row.details = _without(row.details, besides, to)
            changed.append(row)
    erase(changed, wrong=wrong)
    return len(changed)


def _without(value: JsonValue, names: Collection[str], to: str) -> JsonValue:
    match value:
        case str():
            return to if value in names else value
        case list():
            return [_without(one, names, to) for one in value]
        case dict():
            return {name: _without(one, names, to) for name, one in value.items()}
    return value
