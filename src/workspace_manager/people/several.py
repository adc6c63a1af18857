"""One thing done with several people: looked at before, done once, and told of each.

Each is done by the story that does it with one person, so that nothing is allowed here that is not
allowed there. Who changed since somebody looked is left alone, and said so.

See docs/explanation/people.md#several-at-once.
"""

import hashlib
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final

from django.core.cache import cache
from django.db import transaction

from workspace_manager.contract.message import Message
from workspace_manager.core import access_letters, audit
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.messages import stored
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.states import state_of
from workspace_manager.core.text_safety import unshowable
from workspace_manager.people import end_dates
from workspace_manager.people.messages import message
from workspace_manager.people.suspend import suspend
from workspace_manager.people.suspension_terms import UNCHANGED, Terms, refuse_terms
from workspace_manager.records.models import AuditEntry, Person, Plan
from workspace_manager.removal.draft import draft_removal
from workspace_manager.removal.kind import REMOVAL

MOST: Final = 200
LONGEST_S: Final = 20
"""Somebody waits for the page: who was not reached by then is shown, to go on with."""
REMEMBERED_S: Final = 24 * 3600
"""How long an order is known to have been taken: it is a button that is pressed twice."""
LONGEST_SUBJECT, LONGEST_TEXT = 150, 10_000
EVENT: Final = "people:several"


class Act(StrEnum):
    """What can be done with several."""

    SUSPEND = "suspend"
    REMOVAL = "removal"
    END_DATE = "end_date"
    NO_END_DATE = "no_end_date"
    LETTER = "letter"


@dataclass(frozen=True)
class Wanted:
    """What is to be done with each."""

    act: Act
    terms: Terms = UNCHANGED
    day: date | None = None
    subject: str = ""
    text: str = ""


@dataclass(frozen=True)
class Result:
    """What became of one. `why`: why nothing was done; `plan`: the one that was made."""

    person: str
    why: Message | None = None
    plan: str = ""
    reached: bool = True


def refuse_wanted(wanted: Wanted) -> None:
    """Raises BadInput for what can be done with nobody."""
    match wanted.act:
        case Act.SUSPEND:
            refuse_terms(wanted.terms)
        case Act.END_DATE:
            if wanted.day is None:
                raise BadInput({"day": message("end_format")})
            end_dates.refuse_day(wanted.day)
        case Act.LETTER:
            _refuse_letter(wanted)


def _refuse_letter(wanted: Wanted) -> None:
    if not 0 < len(wanted.subject) <= LONGEST_SUBJECT or unshowable(wanted.subject):
        raise BadInput({"subject": message("letter_subject", count=LONGEST_SUBJECT)})
    lines = [line for line in wanted.text.splitlines() if line.strip()]
    if not lines or len(wanted.text) > LONGEST_TEXT or any(map(unshowable, lines)):
        raise BadInput({"text": message("letter_text", count=LONGEST_TEXT)})


def mark_of(person: Person) -> str:
    """What stands and falls with what somebody was shown of a person."""
    shown = (person.id, person.state, person.role, person.email, person.ends_at)
    return hashlib.sha256(repr([str(one) for one in shown]).encode()).hexdigest()[:16]


def preview(
    people: Iterable[Person], act: Act, *, actor: str
) -> list[tuple[Person, Message | None]]:
    """Each, with why it would not be done, as far as it can be seen before: in one statement."""
    rows = list(people)
    going = set(
        Plan.objects.filter(
            kind=REMOVAL.name, state__in=Plan.OPEN, subject__in=[str(one.id) for one in rows]
        ).values_list("subject", flat=True)
    )
    return [(one, _obstacle(one, act, actor, being_removed=str(one.id) in going)) for one in rows]


def _obstacle(person: Person, act: Act, actor: str, *, being_removed: bool) -> Message | None:
    name, state = person.username, Person.State(person.state)
    if name == actor:
        return message("not_with_yourself")
    if act == Act.LETTER:
        return None if person.email else message("no_address", name=name)
    if state == Person.State.LEAVING or being_removed:
        return message("not_here", name=name, state=state_of(Person.State.LEAVING))
    if act == Act.SUSPEND and state != Person.State.ACTIVE:
        return message("not_active", name=name, state=state_of(state))
    return None


def carry_out(
    order: uuid.UUID,
    wanted: Wanted,
    chosen: Mapping[str, str],
    *,
    actor: str,
    systems: ConnectedSystems,
) -> None:
    """Do it with everybody chosen (user name: mark), unless this order was taken before. What
    became of each stands in the audit: `results`. Raises BadInput.
    """
    refuse_wanted(wanted)
    if len(chosen) > MOST:
        raise BadInput({"chosen": message("too_many", count=MOST)})
    if not cache.add(_key(order), actor, REMEMBERED_S):
        return
    until, results = time.monotonic() + LONGEST_S, []
    for username, mark in chosen.items():
        if time.monotonic() >= until:
            results.append(Result(username, reached=False))
        else:
            results.append(_done(username, mark, wanted, actor, systems))
    audit.note(
        "people:several",
        str(order),
        actor=actor,
        act=wanted.act.value,
        results=[_kept(one) for one in results],
    )


def _done(
    username: str, mark: str, wanted: Wanted, actor: str, systems: ConnectedSystems
) -> Result:
    try:
        with transaction.atomic():
            person = Person.objects.get(username=username)
            if mark_of(person) != mark:
                return Result(username, message("changed_since", name=username))
            ((_, why),) = preview([person], wanted.act, actor=actor)
            if why is not None:
                return Result(username, why)
            return Result(username, plan=_do(person, wanted, actor, systems))
    except Refused as no:
        return Result(username, no.message)
    except Person.DoesNotExist:
        return Result(username, message("not_here_any_more", name=username))


def _do(person: Person, wanted: Wanted, actor: str, systems: ConnectedSystems) -> str:
    """The plan that was made, if one was. Raises Refused."""
    name = person.username
    match wanted.act:
        case Act.SUSPEND:
            return str(suspend(name, actor=actor, systems=systems, terms=wanted.terms).id)
        case Act.REMOVAL:
            return str(draft_removal(name, actor=actor, systems=systems).id)
        case Act.END_DATE | Act.NO_END_DATE:
            end_dates.set_end(name, wanted.day, actor=actor)
        case Act.LETTER:
            access_letters.by_administrator(person, wanted.subject, wanted.text)
            audit.note("person:letter", name, actor=actor)
    return ""


def _key(order: uuid.UUID) -> str:
    return f"several:{order}"


def _kept(one: Result) -> dict[str, Any]:
    why = one.why.model_dump(mode="json") if one.why else None
    return {"person": one.person, "why": why, "plan": one.plan, "reached": one.reached}


@dataclass(frozen=True)
class Done:
    """An order that was carried out."""

    act: Act
    results: list[Result]


def results(order: uuid.UUID) -> Done | None:
    """What became of an order; None while it is being carried out, or where its process was ended.
    Raises AuditEntry.DoesNotExist for one that nobody gave.
    """
    row = AuditEntry.objects.filter(event=EVENT, subject=str(order)).first()
    if row is None:
        if cache.get(_key(order)) is None:
            raise AuditEntry.DoesNotExist
        return None
    return Done(Act(row.details["act"]), [_result(one) for one in row.details["results"]])


def _result(kept: dict[str, Any]) -> Result:
    why = stored(kept["why"]) if kept["why"] else None
    return Result(kept["person"], why, kept["plan"], kept["reached"])
