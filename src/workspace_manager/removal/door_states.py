"""How the doors of a plan stand, for whoever asks what each credential is good for: the doors of a
removal, and the changes of a suspension, whose steps wait for no other one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from workspace_manager.contract.connector import Facts
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.engine.doors import doors_of
from workspace_manager.engine.view import evidence_view
from workspace_manager.records.models import Plan, PlanChange, PlanStep

SHUT, ABSENT, OPEN, PENDING, BY_HAND = "shut", "absent", "open", "pending", "by_hand"
ORDER: Final = (OPEN, BY_HAND, PENDING, SHUT, ABSENT)
"""Of several doors that have to be shut together the first of these is said."""
CLOSED: Final = frozenset({SHUT, ABSENT})
"""Nobody comes in: it was shut, or a look of the plan's own showed that it is not there."""

USER, CREDENTIALS = "identity_provider.user", "identity_provider.credentials"
ACCOUNT, APP_PASSWORD = "drive.account", "drive.app_password"
TRIED: Final = frozenset({APP_PASSWORD})
"""A look at these tries them: what opens nothing may be there all the same."""

Part: TypeAlias = tuple[str, str]
"""A kind of thing, and the member of the wish that shuts it; "" for whatever is wished."""

SIGN_IN: Final[Part] = (USER, "enabled")
SESSIONS: Final[Part] = (USER, "sessions")
SHUT_BY: Final[Mapping[str, tuple[Part, ...]]] = {
    "password": (SIGN_IN, (CREDENTIALS, "")),
    "identity_session": (SESSIONS,),
    "refresh_token": (SESSIONS,),
    "authorization_code": (SESSIONS,),
    "hub_session": (SESSIONS,),
    "app_password": ((APP_PASSWORD, ""), (ACCOUNT, "")),
}
"""Credentials that more than one door, or a part of one, makes good for nothing: any of these."""


@dataclass(frozen=True)
class DoorState:
    """One door. `text`: what shows that it is shut, or why it is not."""

    kind: str
    name: str
    after: Facts | None
    state: str
    text: Message | None = None
    at: str = ""


def of_removal(plan: Plan) -> list[DoorState]:
    """The doors of a removal; none of one that an earlier version made."""
    return [
        DoorState(
            entry["change"]["kind"],
            entry["name"],
            entry["change"]["after"],
            _state(entry),
            *_said(entry["evidence"], _why(entry)),
        )
        for entry in doors_of(plan)
    ]


def of_steps(steps: Iterable[PlanStep]) -> list[DoorState]:
    """The changes of a suspension. What is shut twice counts as shut when it was once: what was
    shut stays so. What was made between both looks is shut by the second.
    """
    found: dict[str, DoorState] = {}
    for step in steps:
        if step.state in {PlanStep.State.SKIPPED, PlanStep.State.BY_HAND}:
            continue
        for row in step.changes.all():
            door = _of_row(step, row)
            key = f"{row.kind} {row.name} {door.after}"
            if key not in found or found[key].state not in CLOSED or door.state == SHUT:
                found[key] = door
    return list(found.values())


def combine_doors(
    doors: Collection[DoorState], credential: str, kinds: Iterable[str]
) -> DoorState | None:
    """How it stands with a credential by the doors: nobody comes in where any of what shuts it is
    closed; None where there is no door. `kinds`: of the things that hold it.
    """
    parts = SHUT_BY.get(credential) or tuple((kind, "") for kind in kinds)
    groups = [one for part in parts for one in [worst_door(_of_part(doors, part))] if one]
    return next((one for one in groups if one.state in CLOSED), groups[0] if groups else None)


def worst_door(doors: Sequence[DoorState]) -> DoorState | None:
    """Of doors that have to be shut together, the one to be told of."""
    return min(doors, key=lambda one: ORDER.index(one.state), default=None)


def shown_absent(row: PlanChange) -> bool:
    """Whether the look before anything was sent showed that the thing is not there. An end says so
    once our right to see it was proven.
    """
    met_nothing = row.state == PlanChange.State.ALREADY and row.change.get("before", "") is None
    return met_nothing and row.kind not in TRIED


def _of_part(doors: Collection[DoorState], part: Part) -> list[DoorState]:
    kind, member = part
    return [
        one for one in doors if one.kind == kind and (not member or member in (one.after or {}))
    ]


def _state(entry: Mapping[str, Any]) -> str:
    if entry["state"] == BY_HAND:
        return BY_HAND
    if entry["since"]:
        return ABSENT if entry.get("absent") and entry["change"]["kind"] not in TRIED else SHUT
    return OPEN if entry["cause"] and entry["cause"] not in SILENT else PENDING


SILENT: Final = frozenset({"unavailable", "paused"})
"""Nobody refused: it is shut when the system answers."""


def _why(entry: Mapping[str, Any]) -> Message | None:
    told = [Message.model_validate(entry[one]) for one in ("reason", "advice") if entry[one]]
    return join_messages(told, by=". ") if told else None


def _of_row(step: PlanStep, row: PlanChange) -> DoorState:
    state = PENDING
    if row.state == PlanChange.State.BY_HAND:
        state = BY_HAND
    elif row.state in PlanChange.ENDED:
        state = ABSENT if shown_absent(row) else SHUT
    elif row.reason and step.state == PlanStep.State.STUCK:
        state = OPEN
    after = row.change.get("after")
    looks = row.evidence if state in CLOSED else ()
    return DoorState(row.kind, row.name, after, state, *_said(looks, row.reason))


def _said(looks: Sequence[Any], why: Message | None) -> tuple[Message | None, str]:
    found: Iterator[tuple[Message | None, str]] = (
        (look.text_message, look.at) for look in map(evidence_view, looks) if look.kind
    )
    return next(found, (why, ""))
