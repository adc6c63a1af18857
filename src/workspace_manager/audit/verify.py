"""Verify the audit: whether every entry says what was noted, none was added in between and none is
missing, and every plan that ended is as it was noted then (docs/explanation/audit.md). A million
entries are read as a stream.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby, islice
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Max, QuerySet

from workspace_manager.audit.messages import message
from workspace_manager.audit.plan_notes import all_compared
from workspace_manager.audit.seals import (
    BATCH,
    genuine_entries,
    is_as_noted,
    is_signed,
    is_whole,
    numbers_in,
)
from workspace_manager.contract.message import Message
from workspace_manager.records.audit_marks import Content, chain_digest
from workspace_manager.records.models import AuditEntry, AuditSeal

READ: Final = 2000
MOST_PROBLEMS: Final = 20
"""So many are named; the first is what matters."""


class Row(NamedTuple):
    """An entry as it is read: of a million no model is made."""

    id: int
    seal: int | None
    salt: str
    digest: str
    mark: str
    at: datetime
    actor: str
    event: str
    subject: str
    details: Any

    @property
    def content(self) -> Content:
        """The content of the entry."""
        return Content(*self[5:])


def _read(rows: QuerySet[AuditEntry]) -> Iterator[Row]:
    return map(Row._make, rows.values_list(*Row._fields).iterator(chunk_size=READ))


@dataclass(frozen=True)
class Problem:
    """A difference from what was noted. `entry`: the first one concerned, if it can be named."""

    why: Message
    entry: int | None = None
    seal: int | None = None
    plan: UUID | None = None


@dataclass
class Verification:
    """The result of verifying. `problems`: the first of them, in the order of the seals."""

    entries: int = 0
    sealed: int = 0
    erased: int = 0
    plans: int = 0
    """So many have ended and are as they were noted then."""
    seals: int = 0
    last_seal: AuditSeal | None = None
    problems: list[Problem] = field(default_factory=list)
    oldest_unsealed: datetime | None = None

    @property
    def verifies(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.problems

    @property
    def unsealed(self) -> int:
        """The number of entries that wait for the next seal: nothing shows that none of them is
        missing.
        """
        return self.entries - self.sealed

    def add(self, problem: Problem) -> None:
        """Name one more, as long as there are few."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)


@dataclass(frozen=True)
class ExpectedSeal:
    """A seal that somebody wrote down elsewhere."""

    number: int
    digest: str


def verify(expected: ExpectedSeal | None = None) -> Verification:
    """Look at everything. `expected`: the chain has to hold this seal too; without it nobody can
    tell that its end was cut off.
    """
    found = Verification()
    newest = AuditSeal.objects.aggregate(newest=Max("number"))["newest"] or 0
    rows = AuditEntry.objects.filter(seal__lte=newest).order_by("seal", "id")
    groups = _Groups(_read(rows))
    before, expects = "", 1
    for seal in AuditSeal.objects.filter(number__lte=newest).order_by("number").iterator(READ):
        for stray in groups.below(seal.number):
            _of_no_seal(found, stray)
        if seal.number != expects:
            found.add(Problem(message("seal_missing", seal=expects), seal=expects))
        _seal(found, seal, groups.of(seal.number), before if seal.number == expects else None)
        before, expects = seal.digest, seal.number + 1
        found.seals, found.last_seal = found.seals + 1, seal
    for stray in groups.below(newest + 1):
        _of_no_seal(found, stray)
    beyond = AuditEntry.objects.filter(seal__gt=newest).order_by("id")
    # One that was made meanwhile is there.
    _of_no_seal(found, _read(beyond.exclude(seal__in=AuditSeal.objects.values("number"))))
    _unsealed(found)
    _plans(found)
    if expected:
        _expected(found, expected)
    return found


class _Groups:
    """Entries by the seal they name, each once and in order."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._groups = groupby(rows, lambda row: row.seal or 0)
        self._next = next(self._groups, None)

    def below(self, number: int) -> Iterator[Iterator[Row]]:
        """Those that name an earlier seal and were not asked for."""
        while self._next and self._next[0] < number:
            yield self._next[1]
            self._next = next(self._groups, None)

    def of(self, number: int) -> list[Row]:
        """Those of one seal: as many as one holds, and a batch more."""
        if self._next is None or self._next[0] != number:
            return []
        found = list(islice(self._next[1], 2 * BATCH))
        self._next = next(self._groups, None)
        return found


def _of_no_seal(found: Verification, rows: Iterable[Row]) -> None:
    for row in rows:
        found.entries += 1
        found.add(Problem(message("not_sealed_so", entry=row.id), row.id, row.seal))


def _seal(found: Verification, seal: AuditSeal, rows: list[Row], before: str | None) -> None:
    """One seal and what it holds. `before`: the digest of the one before; None: that is missing."""
    said = len(found.problems)
    found.entries, found.sealed = found.entries + len(rows), found.sealed + len(rows)
    found.erased += sum(not row.salt for row in rows)
    signed = _signature(found, seal)
    for row in rows:
        if not is_whole(row):
            found.add(Problem(message("changed", entry=row.id), row.id, seal.number))
    if not signed:
        return
    _missing_or_added(found, seal, {row.id for row in rows})
    if before is None or len(found.problems) > said:
        return
    if chain_digest(before, [(row.id, row.digest) for row in rows]) != seal.digest:
        found.add(_differs(seal, rows))


def _differs(seal: AuditSeal, rows: list[Row]) -> Problem:
    """Return which entry has a digest that fits, and is not what was noted."""
    for row in rows:
        if not is_as_noted(row):
            return Problem(message("changed", entry=row.id), row.id, seal.number)
    why = message("seal_differs", seal=seal.number, first=seal.first, last=seal.last)
    return Problem(why, seal=seal.number)


def _signature(found: Verification, seal: AuditSeal) -> bool:
    try:
        if is_signed(seal):
            return True
        why = message("seal_not_signed", seal=seal.number)
    except KeyError:
        why = message("key_unknown", seal=seal.number)
    found.add(Problem(why, seal=seal.number))
    return False


def _missing_or_added(found: Verification, seal: AuditSeal, there: set[int]) -> None:
    sealed = set(numbers_in(seal.entries))
    for number in sorted(sealed ^ there):
        why = message("missing" if number in sealed else "added", entry=number)
        found.add(Problem(why, number, seal.number))


def _unsealed(found: Verification) -> None:
    """Entries that wait for the next seal, and those that no seal will hold."""
    after = 0
    waiting = AuditEntry.objects.filter(seal=None).order_by("id")
    while rows := list(waiting.filter(id__gt=after)[:BATCH]):
        after = rows[-1].pk
        good = {row.pk for row in genuine_entries(rows)}
        for row in rows:
            found.entries += 1
            if row.pk not in good:
                found.add(Problem(message("not_noted", entry=row.pk), row.pk))
            elif found.oldest_unsealed is None:
                found.oldest_unsealed = row.at


def _plans(found: Verification) -> None:
    for plan, differs in all_compared():
        if differs:
            found.add(Problem(differs, plan=plan))
        else:
            found.plans += 1


def _expected(found: Verification, expected: ExpectedSeal) -> None:
    there = AuditSeal.objects.filter(number=expected.number, digest=expected.digest)
    if not there.exists():
        why = message("expected_not_there", seal=expected.number)
        found.problems.insert(0, Problem(why, seal=expected.number))
