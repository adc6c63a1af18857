"""What is known of an order to do something with several people: that it was taken, what was wanted
of whom, and what became of each.

What was typed stands in no audit, and is forgotten after a day. What was done is kept with each
person, in the transaction that does it: so it is known too where the process was ended.
"""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django.core.cache import cache
from django.utils import timezone
from pydantic import TypeAdapter

from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.core.messages import parse_message
from workspace_manager.people.suspension_terms import UNCHANGED, Terms
from workspace_manager.records.models import AuditEntry

REMEMBERED_S: Final = 24 * 3600
"""How long an order is known to have been taken: it is a button that is pressed twice."""
LONGEST_S: Final = 20
"""Somebody waits for the page: who was not reached by then is shown, to go on with."""
CUT_OFF: Final = timedelta(seconds=3 * LONGEST_S)
"""Who does it would have ended long before."""
EVENT: Final = "people:several"


class Act(StrEnum):
    """What can be done with several."""

    SUSPEND = "suspend"
    REMOVAL = "removal"
    END_DATE = "end_date"
    NO_END_DATE = "no_end_date"
    LETTER = "letter"


@dataclass(frozen=True)
class BulkAction:
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


@dataclass(frozen=True)
class Order:
    """What was sent. `chosen`: the mark of what was seen of each, by user name."""

    id: uuid.UUID
    actor: str
    wanted: BulkAction
    chosen: Mapping[str, str]
    taken_at: datetime = field(default_factory=timezone.now)


@dataclass(frozen=True)
class BulkOutcome:
    """What became of an order. `cut_off`: its process was ended before it had done it all."""

    act: Act
    results: list[Result]
    cut_off: bool = False


_ORDER: Final = TypeAdapter(Order)
_RESULTS: Final = TypeAdapter(list[Result])


def take(order: Order) -> bool:
    """Whether it is taken now, and was not before."""
    return cache.add(_taken(order.id), _ORDER.dump_python(order, mode="json"), REMEMBERED_S)


def keep_done(order: Order, done: Iterable[Result]) -> None:
    """Keep with whom it was done so far, in the caller's transaction."""
    kept = _RESULTS.dump_python(list(done), mode="json")
    cache.set(_so_far(order.id), kept, REMEMBERED_S)


def write_down(order: Order, results: Mapping[str, Result]) -> None:
    """Put into the audit what became of everybody who was chosen; nobody who is not among the
    results was reached.
    """
    note(
        "people:several",
        str(order.id),
        actor=order.actor,
        act=order.wanted.act.value,
        results=[_kept(one) for one in _of_all(order, results)],
    )


def results(order: uuid.UUID) -> BulkOutcome | None:
    """What became of an order; None while it is being carried out. Raises AuditEntry.DoesNotExist
    for one that nobody gave.
    """
    row = AuditEntry.objects.filter(event=EVENT, subject=str(order)).first()
    if row:
        return BulkOutcome(
            Act(row.details["act"]), [_result(one) for one in row.details["results"]]
        )
    taken = _order(order)
    if taken is None:
        raise AuditEntry.DoesNotExist
    if timezone.now() < taken.taken_at + CUT_OFF:
        return None
    known = _RESULTS.validate_python(cache.get(_so_far(order), []))
    done = {one.person: one for one in known}
    return BulkOutcome(taken.wanted.act, _of_all(taken, done), cut_off=True)


def sent_by(actor: str, order: uuid.UUID) -> Order | None:
    """What somebody sent, for them to go on with, as long as it is kept; nobody else reads it."""
    taken = _order(order)
    return taken if taken and taken.actor == actor else None


def next_of(order: uuid.UUID) -> uuid.UUID:
    """The order that goes on with who was not reached: the same, however often it is pressed."""
    return uuid.uuid5(order, "goes on")


def _order(order: uuid.UUID) -> Order | None:
    found = cache.get(_taken(order))
    return None if found is None else _ORDER.validate_python(found)


def _of_all(order: Order, results: Mapping[str, Result]) -> list[Result]:
    return [results.get(name, Result(name, reached=False)) for name in order.chosen]


def _taken(order: uuid.UUID) -> str:
    return f"people:several:{order}"


def _so_far(order: uuid.UUID) -> str:
    return f"people:several:{order}:done"


def _kept(one: Result) -> dict[str, Any]:
    why = one.why.model_dump(mode="json") if one.why else None
    return {"person": one.person, "why": why, "plan": one.plan, "reached": one.reached}


def _result(kept: dict[str, Any]) -> Result:
    why = parse_message(kept["why"]) if kept["why"] else None
    return Result(kept["person"], why, kept["plan"], kept["reached"])
