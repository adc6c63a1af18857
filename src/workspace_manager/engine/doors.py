"""The doors of a plan: each takes one access away at once, waits for no step and for no other door,
and stays shut until the step that deals with the same thing for good has ended.

A door is an entry in the plan's row, beside what steps brought about (`invariants.py`). It is
approved like the changes of the steps: to the approved text it is a change of a step 0, which no
plan has.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final, TypeAlias

from workspace_manager.contract.connector import CallPolicy, Change
from workspace_manager.core.account_link import account_name
from workspace_manager.engine.plan import PlannedDoor, essence
from workspace_manager.records.models import Plan

Entry: TypeAlias = dict[str, Any]
"""As it is stored."""

STEP: Final = 0
"""The number under which a plan's row says which doors had gone and which were added."""
OPEN, BY_HAND = "open", "by_hand"
AGAIN: Final = CallPolicy(first_wait_s=60, longest_wait_s=3600)
"""When a door that was refused is tried again by itself: the rule that refused it may have been
changed since.
"""


def is_door(entry: Entry) -> bool:
    return "door" in entry


def doors_of(plan: Plan) -> list[Entry]:
    """The doors as they stand; none of a plan that an earlier version made."""
    return [entry for entry in plan.invariants if is_door(entry)]


def entry(position: int, door: PlannedDoor) -> Entry:
    """A door that nobody has tried yet."""
    return {
        "door": position,
        "until": door.until,
        "after": list(door.after),
        "name": door.name or account_name(door.change.kind, door.change.target),
        "change": door.change.model_dump(mode="json"),
        "state": OPEN,
        "since": None,
        "absent": None,
        "sent_at": None,
        "attempts": 0,
        "next_try_at": None,
        "cause": "",
        "reason": None,
        "advice": None,
        "evidence": [],
    }


def follow(plan: Plan, shown: Iterable[PlannedDoor], wanted: Iterable[PlannedDoor]) -> None:
    """Bring the doors that were shown to what they are now: without those that have gone, with
    those that were added.
    """
    before = [essence(door.change) for door in shown]
    kept: list[Entry] = []
    for door in wanted:
        what = essence(door.change)
        place = before.index(what) if what in before else len(before)
        if place == len(before):
            before.append(what)
            plan.added = [*plan.added, {"n": STEP, "position": place, "what": what}]
        kept.append(entry(place, door))
    there = {one["door"] for one in kept}
    gone = [place for place in range(len(before)) if place not in there]
    plan.removed = [*plan.removed, *({"n": STEP, "position": place} for place in gone)]
    plan.invariants = kept


def stored_lines(plan: Plan) -> Iterator[tuple[int, Change]]:
    """Each door of the plan's row with its position."""
    yield from ((one["door"], Change.model_validate(one["change"])) for one in doors_of(plan))


def next_try(plan: Plan, ended: Iterable[str]) -> datetime | None:
    """Return when the next open door is tried again by itself; `ended`: names of the steps that
    have ended.
    """
    over = set(ended)
    times = [
        datetime.fromisoformat(one["next_try_at"])
        for one in doors_of(plan)
        if one["next_try_at"] and one["until"] not in over
    ]
    return min(times, default=None)
