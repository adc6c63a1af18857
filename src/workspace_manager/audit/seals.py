"""Seal the audit: the worker takes what was noted since, in batches, chains each to the one before
and signs it (docs/explanation/audit.md).

Noting takes no lock, so that nobody who does something waits for somebody else's transaction. An
entry is held by a seal when it says so itself: one whose transaction took long, and whose id is
lower than what was sealed meanwhile, goes into the next seal whenever it appears.
"""

import logging
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from workspace_manager.core.timestamps import in_utc
from workspace_manager.records import audit_marks
from workspace_manager.records.audit import hold, mark_again
from workspace_manager.records.models import AuditEntry, AuditSeal
from workspace_manager.records.plan_content import FORGOTTEN, NOTED

log = logging.getLogger(__name__)

BATCH: Final = 500
MOST_SEALS: Final = 100
"""In one go; the next minute goes on."""


class _Overtaken(Exception):
    """Somebody else sealed these entries."""


def seal_waiting() -> int:
    """Seal what no seal holds; gives how many entries that were. What the manager did not note is
    left out, and named by `verify`.
    """
    sealed = after = 0
    for _ in range(MOST_SEALS):
        waiting = AuditEntry.objects.filter(seal=None, id__gt=after).order_by("id")
        # Looked for first: where there is nothing, nothing is locked.
        rows = list(waiting[:BATCH])
        if not rows:
            break
        after = rows[-1].pk
        try:
            sealed += _seal(genuine_entries(rows))
        except (_Overtaken, IntegrityError):
            break  # another worker is at it
    return sealed


def genuine_entries(rows: Sequence[AuditEntry]) -> list[AuditEntry]:
    """Those of some unsealed entries that the manager noted, each once: not what somebody wrote
    into the database, changed there, or wrote there again.
    """
    same: dict[str, int] = {}
    known = AuditEntry.objects.filter(at__in={row.at for row in rows}).order_by("id")
    for number, digest in known.values_list("id", "digest").iterator():
        same.setdefault(digest, number)
    return [row for row in rows if is_as_noted(row) and same.get(row.digest) == row.pk]


class SealStore(Protocol):
    """An entry as the database has it."""

    @property
    def salt(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def mark(self) -> str: ...
    @property
    def content(self) -> audit_marks.Content: ...


def is_as_noted(row: SealStore) -> bool:
    """Return whether it says what was noted; of an erased entry, what was left of it."""
    return is_whole(row) and (not row.salt or audit_marks.is_mark(row.mark, row.digest))


def is_whole(row: SealStore) -> bool:
    """Return whether it says what its digest is of; of an erased entry, what was left of it."""
    if row.salt:
        return audit_marks.digest_of(row.salt, row.content) == row.digest
    return audit_marks.is_mark(row.mark, row.digest, row.content)


def _seal(rows: Sequence[AuditEntry]) -> int:
    if not rows:
        return 0
    with transaction.atomic():
        before = AuditSeal.objects.order_by("-number").first()
        held = [(row.pk, row.digest) for row in rows]
        seal = AuditSeal(
            number=before.number + 1 if before else 1,
            at=timezone.now(),
            first=held[0][0],
            last=held[-1][0],
            count=len(held),
            entries=ranges(number for number, _ in held),
            digest=audit_marks.chain_digest(before.digest if before else "", held),
        )
        sign(seal)
        seal.save(force_insert=True)
        if hold((number for number, _ in held), seal=seal.number) != len(held):
            raise _Overtaken
    # Outside of the database: what was noted once cannot be cut off there without a trace.
    log.info("audit sealed: %s:%s", seal.number, seal.digest)
    return len(held)


def ranges(numbers: Iterable[int]) -> str:
    """Ids in their order as text: `1-57,59`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


def numbers_in(text: str) -> list[int]:
    """The ids of a seal that is signed."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def sign(seal: AuditSeal) -> None:
    """Sign it with the first key."""
    seal.key, seal.signature = audit_marks.first_key(), audit_marks.sign_text(_told(seal))


def is_signed(seal: AuditSeal) -> bool:
    """Return whether the key it names signed it. Raises KeyError when that is none of ours."""
    return audit_marks.is_signed(seal.signature, _told(seal), key=seal.key)


def _told(seal: AuditSeal) -> str:
    values = (seal.number, seal.first, seal.last, seal.count, seal.entries, seal.digest)
    return "\n".join(["seal", str(in_utc(seal.at)), *map(str, values)])


def sign_again() -> int:
    """Sign what another key signed with the first one, so that the other can be taken out; gives
    how many seals. What is not right stays as it is.
    """
    seal_waiting()
    again = 0
    for seal in AuditSeal.objects.exclude(key=audit_marks.first_key()).iterator():
        try:
            right = is_signed(seal)
        except KeyError:
            continue
        if right:
            sign(seal)
            seal.save(update_fields=["key", "signature"])
            again += 1
    _mark_again()
    return again


def _mark_again() -> None:
    """Mark what no seal vouches for: who was erased, and what plans are compared with."""
    after = 0
    marked = AuditEntry.objects.filter(Q(salt="") | Q(event__in=(NOTED, FORGOTTEN)))
    while rows := list(marked.filter(id__gt=after).order_by("id")[:BATCH]):
        after = rows[-1].pk
        mark_again(row for row in rows if is_as_noted(row))
