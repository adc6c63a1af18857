"""Orders of bulk actions: that one was taken, its contents, and the result for each person.

The typed text is in no audit entry and is deleted after a day. Results are saved with each person
in the transaction of the action, so they survive a crash.
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
"""How long an order is recognised when its button is pressed twice."""
LONGEST_S: Final = 20
"""Somebody waits for the page; the remaining people are shown for a continuation."""
CUT_OFF: Final = timedelta(seconds=3 * LONGEST_S)
"""The process would have ended long before."""
EVENT: Final = "people:several"


class Act(StrEnum):
    """Bulk actions."""

    SUSPEND = "suspend"
    REMOVAL = "removal"
    END_DATE = "end_date"
    NO_END_DATE = "no_end_date"
    LETTER = "letter"


@dataclass(frozen=True)
class BulkAction:
    """The action, with its fields."""

    act: Act
    terms: Terms = UNCHANGED
    day: date | None = None
    subject: str = ""
    text: str = ""


@dataclass(frozen=True)
class Result:
    """The result for one person. `why`: the reason why nothing was done; `plan`: the plan made."""

    person: str
    why: Message | None = None
    plan: str = ""
    reached: bool = True


@dataclass(frozen=True)
class Order:
    """An order. `chosen`: the mark that was shown for each user name."""

    id: uuid.UUID
    actor: str
    wanted: BulkAction
    chosen: Mapping[str, str]
    taken_at: datetime = field(default_factory=timezone.now)


@dataclass(frozen=True)
class BulkOutcome:
    """The results of an order. `cut_off`: its process was killed before the end."""

    act: Act
    results: list[Result]
    cut_off: bool = False


_ORDER: Final = TypeAdapter(Order)
_RESULTS: Final = TypeAdapter(list[Result])


def take(order: Order) -> bool:
    """Return whether the order is taken now, and was not before."""
    return cache.add(_taken(order.id), _ORDER.dump_python(order, mode="json"), REMEMBERED_S)


def keep_done(order: Order, done: Iterable[Result]) -> None:
    """Save the results so far, in the caller's transaction."""
    kept = _RESULTS.dump_python(list(done), mode="json")
    cache.set(_so_far(order.id), kept, REMEMBERED_S)


def write_down(order: Order, results: Mapping[str, Result]) -> None:
    """Write the results to the audit log; people without a result were not reached."""
    note(
        "people:several",
        str(order.id),
        actor=order.actor,
        act=order.wanted.act.value,
        results=[_kept(one) for one in _of_all(order, results)],
    )


def results(order: uuid.UUID) -> BulkOutcome | None:
    """Return the results of an order; None while it runs. Raises AuditEntry.DoesNotExist for an
    unknown one.
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
    """Return an order of this actor, to continue it, while it is kept; nobody else can read it."""
    taken = _order(order)
    return taken if taken and taken.actor == actor else None


def next_of(order: uuid.UUID) -> uuid.UUID:
    """Return the id of the order that continues with the rest; always the same one."""
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
