"""Note in the audit how a plan stood when it ended, and say what of it is another since
(docs/decisions/0042-the-end-of-a-plan-is-noted.md).

The audit has the digest, `PlanNote` what each member is held to by. Whoever writes into the
database changes both, or neither: an entry of the audit is only made by the manager.
"""

import contextlib
import json
import sys
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.audit import note as audit
from workspace_manager.audit.messages import message
from workspace_manager.audit.seals import is_as_noted
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.records.models import AuditEntry, Plan, PlanNote
from workspace_manager.records.plan_content import (
    FORGOTTEN,
    FORM,
    FORMS,
    NOTED,
    Members,
    commitments,
    contents,
    digest_of,
    make_commitment,
    new_salt,
)

BATCH: Final = 100
MOST_NAMED: Final = 6
"""So many members that differ are named; the others are counted."""


class _Noted(NamedTuple):
    """The audit's note of a plan. `n`: counted up, because a later note holds."""

    n: int
    form: int
    digest: str


_FORGED: Final = _Noted(sys.maxsize, FORM, "")
"""What an entry says that was changed: that fits no plan, whatever else was noted of it."""


def note(plans: Collection[UUID]) -> None:
    """Note how plans stand that end, in the transaction that ends them; nothing of them is written
    after that but by `changing`.
    """
    _note(dict.fromkeys(plans, 1))


def note_forgotten(plans: Collection[UUID]) -> None:
    """Note that plans are deleted, in the transaction that does it."""
    for plan in plans:
        audit.note("plan:forgotten", str(plan), actor=audit.MANAGER)


@contextlib.contextmanager
def changing(plans: Collection[UUID]) -> Iterator[None]:
    """Write to plans that have ended, or to what the audit noted of them, in the caller's
    transaction: each is noted anew when it was as noted before. What somebody else changed stays
    found.
    """
    list(Plan.objects.select_for_update().filter(id__in=plans).order_by("id").values_list("id"))
    noted = _noted(plans)
    right = {plan: noted[plan] for plan, differs in _compare(noted).items() if differs is None}
    yield
    differs = _compare(_noted(right), right)
    _note({plan: right[plan].n + 1 for plan in right if differs.get(plan)})


def compare_notes(plans: Collection[UUID]) -> dict[UUID, Message | None]:
    """The differences between each plan that has ended and its note; None for none. Other plans are
    left out.
    """
    found = _compare(_noted(plans), plans)
    for plan in [plan for plan, differs in found.items() if differs]:
        del found[plan]
        # A late look may have been written between two of these statements: once more, alone.
        with transaction.atomic():
            if Plan.objects.select_for_update().filter(id=plan).values_list("id").first():
                found |= _compare(_noted([plan]), [plan])
    return found


def all_compared() -> Iterator[tuple[UUID, Message | None]]:
    """The differences of every plan, and the plans that are missing, as a stream."""
    after = UUID(int=0)
    rows = Plan.objects.order_by("id").values_list("id", flat=True)
    while some := list(rows.filter(id__gt=after)[:BATCH]):
        after = some[-1]
        yield from compare_notes(some).items()
    noted = AuditEntry.objects.filter(event=NOTED).order_by("at", "id")
    subjects = noted.values_list("subject", flat=True).iterator(BATCH)
    named: set[UUID] = set()
    while texts := list(islice(subjects, BATCH)):
        for plan in _missing({plan for plan in map(_uuid, texts) if plan}) - named:
            named.add(plan)
            yield plan, message("plan_missing", plan=str(plan))


def _missing(plans: set[UUID]) -> set[UUID]:
    there = Plan.objects.filter(id__in=plans).values_list("id", flat=True)
    gone = plans - set(there)
    forgotten = _entries(FORGOTTEN, gone) if gone else ()
    return gone - {UUID(row.subject) for row in forgotten if is_as_noted(row)}


def _note(plans: Mapping[UUID, int]) -> None:
    if not plans:
        return
    rows = []
    for plan, members in contents(Plan, plans, FORM).items():
        row = PlanNote(plan_id=plan, salt=new_salt())
        row.members = make_commitment(row.salt, members)
        rows.append(row)
        digest = digest_of(plan, FORM, row.salt, row.members)
        audit.note(
            "plan:noted", str(plan), actor=audit.MANAGER, n=plans[plan], form=FORM, digest=digest
        )
    PlanNote.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["plan"],
        update_fields=["salt", "members"],
    )


def _noted(plans: Collection[UUID]) -> dict[UUID, _Noted]:
    """The newest that the manager noted of each; an entry that is a copy says the same again."""
    found: dict[UUID, _Noted] = {}
    for row in _entries(NOTED, plans):
        said = _FORGED
        if is_as_noted(row):
            said = _Noted(*(row.details[name] for name in _Noted._fields))
        plan = UUID(row.subject)
        found[plan] = max(said, found.get(plan, said))
    return found


def _entries(event: str, plans: Collection[UUID]) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(event=event, subject__in=[*map(str, plans)])


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _compare(
    noted: Mapping[UUID, _Noted], plans: Collection[UUID] = ()
) -> dict[UUID, Message | None]:
    """`plans`: others, of which those are wrong that have ended."""
    asked = Plan.objects.filter(id__in={*noted, *plans})
    rows = asked.values_list("id", "state", "note__salt", "note__members")
    said = {
        plan: members
        for form in {one.form for one in noted.values()} & FORMS.keys()
        for plan, members in contents(
            Plan, [plan for plan, one in noted.items() if one.form == form], form
        ).items()
    }
    found: dict[UUID, Message | None] = {}
    for plan, state, salt, members in rows:
        if plan in noted:
            found[plan] = _differs(plan, noted[plan], salt or "", members or "", said.get(plan))
        elif state in Plan.CLOSED:
            found[plan] = message("plan_not_noted", plan=str(plan))
    return found


def _differs(
    plan: UUID, noted: _Noted, salt: str, kept: str, said: Members | None
) -> Message | None:
    if said is None:
        return message("plan_in_later_form", plan=str(plan))
    if digest_of(plan, noted.form, salt, kept) != noted.digest:
        return message("plan_note_differs", plan=str(plan))
    held, now = json.loads(kept), commitments(salt, said)
    other = [name for name in held.keys() | now.keys() if held.get(name) != now.get(name)]
    if not other:
        return None
    return message("plan_differs", plan=str(plan), what=_named(sorted(other, key=_place)))


def _named(members: list[str]) -> Message:
    named = [_member(name) for name in members[:MOST_NAMED]]
    if more := len(members) - len(named):
        named.append(message("member.more", n=more))
    return join_messages(named, by=", ")


def _place(name: str) -> tuple[list[int], str]:
    """Where a member stands: the plan's own come first."""
    place, _, what = name.rpartition(" ")
    return [int(number) for number in place.split(".") if number], what


def _member(name: str) -> Message:
    match _place(name):
        case [n, position], what:
            return message(f"member.change_{what}", n=n, position=position + 1)
        case [n], what:
            return message(f"member.step_{what}", n=n)
        case _, what:
            return message(f"member.{what}")
