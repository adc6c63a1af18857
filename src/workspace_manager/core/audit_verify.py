"""Verify the audit: whether every entry says what was noted, none was added in between and none is
missing (docs/explanation/audit.md). A million entries are read as a stream.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby, islice
from typing import Final

from django.db.models import Max

from workspace_manager.contract.message import Message
from workspace_manager.core.audit_messages import message
from workspace_manager.core.audit_seals import BATCH, genuine, is_signed, is_whole, numbers_in
from workspace_manager.records import audit_marks
from workspace_manager.records.models import AuditEntry, AuditSeal

MOST_PROBLEMS: Final = 20
"""So many are named; the first is what matters."""
COLUMNS: Final = ("id", "seal", "at", "actor", "event", "subject", "details")
OF_SEALING: Final = ("salt", "digest", "mark")


@dataclass(frozen=True)
class Problem:
    """What is not as it was noted. `entry`: the first that is concerned, if one can be named."""

    why: Message
    entry: int | None = None
    seal: int | None = None


@dataclass
class Verified:
    """What was found. `problems`: the first of them, in the order of the seals."""

    entries: int = 0
    sealed: int = 0
    erased: int = 0
    seals: int = 0
    last_seal: AuditSeal | None = None
    problems: list[Problem] = field(default_factory=list)
    oldest_unsealed: datetime | None = None

    @property
    def verifies(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    @property
    def unsealed(self) -> int:
        """So many wait for the next seal: of these it cannot be shown that none is missing."""
        return self.entries - self.sealed

    def add(self, problem: Problem) -> None:
        """Name one more, as long as there are few."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)


@dataclass(frozen=True)
class Expected:
    """A seal that somebody wrote down elsewhere."""

    number: int
    digest: str


def verify(expected: Expected | None = None) -> Verified:
    """Look at everything. `expected`: the chain has to hold this seal too; without it nobody can
    tell that its end was cut off.
    """
    found = Verified()
    newest = AuditSeal.objects.aggregate(newest=Max("number"))["newest"] or 0
    rows = AuditEntry.objects.filter(seal__lte=newest).order_by("seal", "id")
    groups = groupby(rows.only(*COLUMNS, *OF_SEALING).iterator(BATCH), lambda row: row.seal or 0)
    group = next(groups, None)
    before, expects = "", 1
    for seal in AuditSeal.objects.filter(number__lte=newest).order_by("number").iterator(BATCH):
        while group and group[0] < seal.number:
            _of_no_seal(found, group[1])
            group = next(groups, None)
        if seal.number != expects:
            found.add(Problem(message("seal_missing", seal=expects), seal=expects))
        held: Iterator[AuditEntry] = iter(())
        if group and group[0] == seal.number:
            held, group_is_used = group[1], True
        else:
            group_is_used = False
        _seal(found, seal, held, before if seal.number == expects else None)
        if group_is_used:
            group = next(groups, None)
        before, expects = seal.digest, seal.number + 1
        found.seals, found.last_seal = found.seals + 1, seal
    while group:
        _of_no_seal(found, group[1])
        group = next(groups, None)
    _of_no_seal(found, _beyond(newest))
    _unsealed(found)
    if expected:
        _expected(found, expected)
    return found


def _beyond(newest: int) -> Iterator[AuditEntry]:
    """Entries that name a seal there is not; one that was made meanwhile is there."""
    rows = AuditEntry.objects.filter(seal__gt=newest)
    return rows.exclude(seal__in=AuditSeal.objects.values("number")).order_by("id").iterator(BATCH)


def _of_no_seal(found: Verified, rows: Iterator[AuditEntry]) -> None:
    for row in rows:
        found.entries += 1
        found.add(Problem(message("not_sealed_so", entry=row.pk), row.pk, row.seal))


def _seal(
    found: Verified, seal: AuditSeal, rows: Iterator[AuditEntry], before: str | None
) -> None:
    """One seal and what it holds. `before`: the digest of the one before; None: that is missing."""
    said = len(found.problems)
    signed = _signature(found, seal)
    held: list[tuple[int, str]] = []
    forged: int | None = None
    for row in islice(rows, seal.count + BATCH):
        found.entries, found.sealed = found.entries + 1, found.sealed + 1
        found.erased += not row.salt
        held.append((row.pk, row.digest))
        if not is_whole(row):
            found.add(Problem(message("changed", entry=row.pk), row.pk, seal.number))
        elif forged is None and row.salt and not audit_marks.is_mark(row.mark, row.digest):
            forged = row.pk
    if not signed:
        return
    _missing_or_added(found, seal, [number for number, _ in held])
    if before is None or len(found.problems) > said:
        return
    if audit_marks.chained(before, held) != seal.digest:
        if forged is None:
            why = message("seal_differs", seal=seal.number, first=seal.first, last=seal.last)
            found.add(Problem(why, seal=seal.number))
        else:
            found.add(Problem(message("changed", entry=forged), forged, seal.number))


def _signature(found: Verified, seal: AuditSeal) -> bool:
    try:
        if is_signed(seal):
            return True
        why = message("seal_not_signed", seal=seal.number)
    except KeyError:
        why = message("key_unknown", seal=seal.number)
    found.add(Problem(why, seal=seal.number))
    return False


def _missing_or_added(found: Verified, seal: AuditSeal, there: list[int]) -> None:
    wanted = numbers_in(seal.entries)
    known, all_there = set(wanted), set(there)
    for number in sorted(known ^ all_there):
        key = "missing" if number in known else "added"
        found.add(Problem(message(key, entry=number), number, seal.number))


def _unsealed(found: Verified) -> None:
    """What waits for the next seal, and what no seal will hold."""
    after = 0
    waiting = AuditEntry.objects.filter(seal=None).order_by("id")
    while rows := list(waiting.filter(id__gt=after)[:BATCH]):
        after = rows[-1].pk
        good = {row.pk for row in genuine(rows)}
        for row in rows:
            found.entries += 1
            if row.pk not in good:
                found.add(Problem(message("not_noted", entry=row.pk), row.pk))
            elif found.oldest_unsealed is None:
                found.oldest_unsealed = row.at


def _expected(found: Verified, expected: Expected) -> None:
    there = AuditSeal.objects.filter(number=expected.number, digest=expected.digest)
    if not there.exists():
        why = message("expected_not_there", seal=expected.number)
        found.problems.insert(0, Problem(why, seal=expected.number))
