"""The timeline of one person, newest first: audit, plans and letters in one list of sentences.

The database puts the sources together, so that a page of a long life costs as many statements as
one of a short life, and reads no more rows than it shows.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import BigIntegerField, F, Model, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast

from workspace_manager.audit.messages import message
from workspace_manager.audit.note import MANAGER
from workspace_manager.audit.sentences import resolve_actor, sentence_of
from workspace_manager.audit.timeline_list import KINDS
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.message import Person as Called
from workspace_manager.core.lists import ListQuery, search
from workspace_manager.core.plan_names import label_of_plan
from workspace_manager.letters.messages import KINDS as LETTERS
from workspace_manager.letters.messages import message as of_letters
from workspace_manager.records.models import (
    AuditEntry,
    FormerLetter,
    Mail,
    Person,
    Plan,
    PlanStep,
)

TOLD_BY_THE_AUDIT: Final = ("removal", "suspension", "resumption")
"""Kinds of plans of which an entry says who ordered them."""
FINISHED_IN_THE_AUDIT: Final = ("removal",)
COLUMNS: Final = ("moment", "source", "tie", "key")


@dataclass(frozen=True)
class TimelineSubject:
    """One life: of somebody who is here, comes, or left and whose tombstone has not ended."""

    username: str
    subject: str = ""
    """The id that plans know the person by."""
    person: Person | None = None
    tombstone: int | None = None
    """Of who left: which letters were theirs."""
    registration: UUID | None = None
    """Of who comes: the same."""


@dataclass(frozen=True)
class TimelineEvent:
    """One thing that happened. `event`: of the audit; `actor`: as it was written there."""

    at: datetime
    kind: str
    text: Message
    actor: str
    event: str | None = None
    plan: UUID | None = None


class Timeline:
    """The chosen events of a person's timeline, as a list that can be counted and sliced."""

    def __init__(self, of: TimelineSubject, asked: ListQuery = ListQuery()) -> None:  # noqa: B008  it is frozen
        self._of = of
        first, *others = _sources(of, asked)
        rows = first.union(*others, all=True) if others else first
        order = [f"-{column}" for column in COLUMNS]
        self._rows = rows.order_by(*(COLUMNS if asked.sort == "at" else order))

    def count(self) -> int:
        """Return how many there are."""
        return self._rows.count()

    def __len__(self) -> int:
        return self.count()

    def __iter__(self) -> Iterator[TimelineEvent]:
        """All of it; pages are slices."""
        return iter(self[:])

    def __getitem__(self, part: slice) -> list[TimelineEvent]:
        found = list(self._rows[part])
        read = {name: read(keys) for name, read, keys in _readers(found)}
        told = [(source, read[source].get(key), at) for at, source, _, key in found]
        return [_TELL[source](row, at, self._of) for source, row, at in told if row is not None]


def _sources(of: TimelineSubject, asked: ListQuery) -> list[QuerySet[Any, Any]]:
    """Of every source when, from where and which; nothing else is read of what is not shown."""
    kind = asked.filters.get("kind")
    found = []
    if kind != "letter":
        rows = AuditEntry.objects.filter(_of_kind(kind), subject=of.username)
        found.append(_rows(rows, "at", "entry", F("id"), asked, ("event", "actor")))
    if kind in {None, "plan"}:
        plans = Plan.objects.filter(subject=of.subject) if of.subject else Plan.objects.none()
        made = plans.exclude(kind__in=TOLD_BY_THE_AUDIT)
        done = plans.filter(state=Plan.State.DONE, finished_at__isnull=False)
        done = done.exclude(kind__in=FINISHED_IN_THE_AUDIT)
        stuck = PlanStep.objects.filter(state=PlanStep.State.STUCK, plan__in=plans)
        stuck = stuck.filter(plan__state=Plan.State.STUCK)
        found.append(_rows(made, "created_at", "made", Value(0), asked, ("kind", "created_by")))
        found.append(_rows(done, "finished_at", "done", Value(0), asked, ("kind",)))
        found.append(_rows(stuck, "since", "stuck", F("id"), asked, ("plan__kind",)))
    if kind in {None, "letter"}:
        # Not by address: it was somebody else's before maybe.
        theirs = Q(person=of.person) if of.person else Q(registration=of.registration)
        known = of.person or of.registration
        letters = Mail.objects.filter(theirs) if known else Mail.objects.none()
        found.append(_rows(letters, "created_at", "letter", F("id"), asked, ("subject",)))
        if of.tombstone:
            former = FormerLetter.objects.filter(tombstone=of.tombstone)
            found.append(_rows(former, "created_at", "former", F("id"), asked, ("kind",)))
    return found


def _of_kind(kind: str | None) -> Q:
    if kind is None:
        return Q()
    begins = Q()
    if kind != "other":
        for one in KINDS[kind]:
            begins |= Q(event__startswith=one)
        return begins
    for one in (name for names in KINDS.values() for name in names):
        begins |= Q(event__startswith=one)
    return ~begins


def _rows(
    rows: QuerySet[Any],
    at: str,
    source: str,
    tie: F | Value,
    asked: ListQuery,
    words: tuple[str, ...],
) -> QuerySet[Any, Any]:
    lookups = {"since": f"{at}__gte", "until": f"{at}__lt"}
    between = {to: asked.filters[name] for name, to in lookups.items() if name in asked.filters}
    found = search(rows.filter(**between), asked.q, words).order_by()
    told: QuerySet[Any, Any] = found.annotate(
        moment=F(at),
        source=Value(source),
        tie=Cast(tie, BigIntegerField()),
        key=Cast("pk", TextField()),
    ).values_list(*COLUMNS)
    return told


Read = Callable[[Iterable[str]], dict[str, Any]]


def _readers(found: list[Any]) -> list[tuple[str, Read, list[str]]]:
    reads: dict[str, Read] = {
        "entry": lambda keys: _by_key(AuditEntry.objects.filter(id__in=keys)),
        "made": _plans,
        "done": _plans,
        "stuck": lambda keys: _by_key(PlanStep.objects.filter(id__in=keys).select_related("plan")),
        "letter": lambda keys: _by_key(Mail.objects.filter(id__in=keys).defer("text", "html")),
        "former": lambda keys: _by_key(FormerLetter.objects.filter(id__in=keys)),
    }
    return [
        (name, read, [key for _, source, _, key in found if source == name])
        for name, read in reads.items()
    ]


def _plans(keys: Iterable[str]) -> dict[str, Plan]:
    # SQLite keeps an id as 32 digits, PostgreSQL as people write one.
    wanted = {UUID(key): key for key in keys}
    rows = Plan.objects.filter(id__in=wanted).defer("document_text")
    return {wanted[row.id]: row for row in rows}


def _by_key(rows: QuerySet[Any]) -> dict[str, Model]:
    return {str(row.pk): row for row in rows}


def _entry(row: AuditEntry, at: datetime, _of: TimelineSubject) -> TimelineEvent:
    return TimelineEvent(
        at, kind_of(row.event), sentence_of(row), row.actor, row.event, plan_of(row)
    )


def kind_of(event: str) -> str:
    """The subject of an event."""
    return next((kind for kind, names in KINDS.items() if event.startswith(names)), "other")


def plan_of(row: AuditEntry) -> UUID | None:
    """The plan an entry is about, if it is about one."""
    try:
        return UUID(row.details["plan"])
    except (KeyError, ValueError, TypeError, AttributeError):
        return None


def _made(row: Plan, at: datetime, of: TimelineSubject) -> TimelineEvent:
    text = message(
        "plan_made",
        actor=resolve_actor(row.created_by),
        subject=Called(person=of.username),
        plan=label_of_plan(row.kind),
    )
    return TimelineEvent(at, "plan", text, row.created_by, plan=row.id)


def _done(row: Plan, at: datetime, of: TimelineSubject) -> TimelineEvent:
    text = message(
        "plan_done",
        actor=resolve_actor(MANAGER),
        subject=Called(person=of.username),
        plan=label_of_plan(row.kind),
    )
    return TimelineEvent(at, "plan", text, MANAGER, plan=row.id)


def _stuck(row: PlanStep, at: datetime, of: TimelineSubject) -> TimelineEvent:
    known = {"actor": resolve_actor(MANAGER), "subject": Called(person=of.username)}
    plan = label_of_plan(row.plan.kind)
    text = (
        message("plan_stuck", plan=plan, reason=row.reason, **known)
        if row.reason
        else message("plan_stuck.bare", plan=plan, **known)
    )
    return TimelineEvent(at, "plan", text, MANAGER, plan=row.plan_id)


def _letter(row: Mail, at: datetime, of: TimelineSubject) -> TimelineEvent:
    text = message(
        "letter_sent" if row.sent_at else "letter_waiting",
        actor=resolve_actor(MANAGER),
        subject=Called(person=of.username),
        letter=row.subject,
    )
    return TimelineEvent(at, "letter", text, MANAGER)


def _former(row: FormerLetter, at: datetime, of: TimelineSubject) -> TimelineEvent:
    known = row.kind in LETTERS
    text = message(
        "letter_sent" if row.sent_at else "letter_never",
        actor=resolve_actor(MANAGER),
        subject=Called(person=of.username),
        letter=of_letters(row.kind) if known else quote_words(row.kind or "–"),
    )
    return TimelineEvent(at, "letter", text, MANAGER)


_TELL: Final[dict[str, Callable[[Any, datetime, TimelineSubject], TimelineEvent]]] = {
    "entry": _entry,
    "made": _made,
    "done": _done,
    "stuck": _stuck,
    "letter": _letter,
    "former": _former,
}
