"""Erasure of people from the audit: once the tombstone of a person who left has ended, no entry
names them. The audit verifies as before (docs/explanation/audit.md#erasing-somebody).
"""

import json
import secrets
from collections.abc import Iterable
from datetime import datetime
from itertools import chain, islice
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from workspace_manager.audit import plan_notes
from workspace_manager.audit.erased_words import ErasedWords
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.audit.seals import is_whole
from workspace_manager.core.clock import database_now
from workspace_manager.core.housekeeping_failures import attempt, due_rows
from workspace_manager.records.audit import erase
from workspace_manager.records.models import AuditEntry, Person, Plan, Registration, Tombstone
from workspace_manager.records.plan_content import FORGOTTEN, NOTED

BATCH: Final = 200
AT_ONCE: Final = 3
"""So many people in one sweep: each is looked for in the whole audit."""


def erase_ended(now: datetime | None = None) -> int:
    """Take out of the audit who left and whose tombstone has expired or was released; gives how
    many people that were.
    """
    now = now or database_now()
    ended = Tombstone.objects.filter(Q(expires_at__lte=now) | Q(released_at__lte=now), erased=False)
    count = 0
    for tombstone in islice(due_rows("erase_people", ended.order_by("created_at", "id")), AT_ONCE):
        with attempt("erase_people", tombstone.pk):
            _erase(tombstone)
            count += 1
    return count


def _erase(tombstone: Tombstone) -> None:
    if not tombstone.pseudonym:
        tombstone.pseudonym = new_pseudonym()
        tombstone.save(update_fields=["pseudonym"])
    end = min(filter(None, [tombstone.released_at, tombstone.expires_at]))
    accounts = {one["name"] for one in tombstone.accounts} | _plans(tombstone, end)
    count = take_out(
        tombstone.username, tombstone.sub, accounts, end=end, pseudonym=tombstone.pseudonym
    )
    with transaction.atomic():
        # By neither name: together with the time either would say who it was.
        note("audit:erased", "", actor=MANAGER, entries=count)
        tombstone.letters.all().delete()
        tombstone.erased, tombstone.pseudonym = True, ""
        tombstone.save(update_fields=["erased", "pseudonym"])


def new_pseudonym() -> str:
    return f"former-{secrets.token_hex(4)}"


def _plans(tombstone: Tombstone, end: datetime) -> set[str]:
    """Ids of plans that say whose they are."""
    known = Plan.objects.filter(person=tombstone.username, created_at__lte=end)
    return {str(number) for number in known.values_list("id", flat=True)} | {str(tombstone.plan)}


def _others(name: str) -> frozenset[str]:
    """Names of others in which this one stands."""
    alike = [
        rows.filter(username__icontains=name).values_list("username", flat=True)
        for rows in (Person.objects, Tombstone.objects.filter(erased=False), Registration.objects)
    ]
    return frozenset(chain.from_iterable(alike)) - {name}


def take_out(name: str, sub: str, accounts: Iterable[str], *, end: datetime, pseudonym: str) -> int:
    """Take somebody out of what was noted until then; gives of how many entries."""
    erased = ErasedWords(
        username=name,
        names=frozenset(one for one in (name, sub) if one),
        accounts=frozenset(accounts),
        others=_others(name),
        to=pseudonym,
    )
    count = after = 0
    while rows := list(_candidates(erased, end).filter(id__gt=after)[:BATCH]):
        after = rows[-1].pk
        count += _rename(rows, erased)
    return count + _take_plans_out(erased)


def _take_plans_out(erased: ErasedWords) -> int:
    """Take out of what was noted of plans which plans they were: a plan that is kept says whose it
    is. It is noted anew, at a time and beside entries that tell nothing, and with another salt.
    """
    count = 0
    left = iter(sorted(filter(_is_id, erased.accounts)))
    while plans := [UUID(one) for one in islice(left, BATCH)]:
        rows = AuditEntry.objects.filter(
            event__in=(NOTED, FORGOTTEN), subject__in=[*map(str, plans)]
        )
        with transaction.atomic(), plan_notes.changing(plans):
            count += _rename(list(rows), erased, theirs=True)
    return count


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _candidates(erased: ErasedWords, end: datetime) -> QuerySet[AuditEntry]:
    """Entries in which one of these may stand. What was noted after the end is about whoever has
    the name since.
    """
    named = Q()
    for name in {*erased.names, *erased.forms}:
        named |= Q(actor__icontains=name) | Q(subject__icontains=name)
        # As the databases keep JSON: PostgreSQL as it is, SQLite with escapes.
        named |= Q(text__icontains=name) | Q(text__icontains=json.dumps(name)[1:-1])
    rows = AuditEntry.objects.annotate(text=Cast("details", TextField()))
    return rows.filter(named, at__lte=end).order_by("id")


def _rename(rows: list[AuditEntry], erased: ErasedWords, *, theirs: bool = False) -> int:
    """Put the pseudonym where the name stands; gives in how many entries. `theirs`: all of them are
    of what is noted of this person, whether or not they say so.
    """
    changed, wrong = [], set()
    for row in rows:
        before = (row.actor, row.subject, row.details)
        of_them = theirs or erased.is_named([row.actor, row.subject, row.details])
        after = (
            erased.text_without(row.actor, theirs=of_them),
            erased.text_without(row.subject, theirs=of_them),
            erased.without(row.details, theirs=of_them),
        )
        if after == before:
            continue
        if not is_whole(row):
            wrong.add(row.pk)
        row.actor, row.subject, row.details = after
        changed.append(row)
    erase(changed, wrong=wrong)
    return len(changed)
