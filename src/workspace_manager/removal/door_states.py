"""The states of a plan's doors, used to tell what each credential still opens: doors of a removal,
and the changes of a suspension, whose steps wait for no other step.
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
"""Of several doors that must all be shut, the first state in this order counts."""
CLOSED: Final = frozenset({SHUT, ABSENT})
"""Nobody gets in: the door was shut, or a check of the plan found nothing."""

USER, CREDENTIALS = "identity_provider.user", "identity_provider.credentials"
ACCOUNT, APP_PASSWORD = "drive.account", "drive.app_password"
TRIED: Final = frozenset({APP_PASSWORD})
"""Checks of these try the credential: one that opens nothing may exist all the same."""

Part: TypeAlias = tuple[str, str]
"""A kind of thing, and the member of the desired state that shuts it; "" for any."""

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
"""Credentials that several doors, or a part of one, make useless; any of these suffices."""


@dataclass(frozen=True)
class DoorState:
    """One door. `text` is the evidence that it is shut, or the reason why it is not."""

    kind: str
    name: str
    after: Facts | None
    state: str
    text: Message | None = None
    at: str = ""


def of_removal(plan: Plan) -> list[DoorState]:
    """Return the doors of a removal; empty for a plan of an earlier version."""
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
    """Return the changes of a suspension as doors. Of two attempts on a thing, one that shut it
    counts.
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
    """Return the state of a credential: closed if any of the doors that shut it is closed; None
    without a door. `kinds` are the kinds of things that hold the credential.
    """
    parts = SHUT_BY.get(credential) or tuple((kind, "") for kind in kinds)
    groups = [one for part in parts for one in [worst_door(_of_part(doors, part))] if one]
    return next((one for one in groups if one.state in CLOSED), groups[0] if groups else None)


def worst_door(doors: Sequence[DoorState]) -> DoorState | None:
    """Return the door to report, of doors that must all be shut."""
    return min(doors, key=lambda one: ORDER.index(one.state), default=None)


def shown_absent(row: PlanChange) -> bool:
    """Return whether the check before the change found nothing. Ends say so only once the right to
    see the thing is proven.
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
"""Causes without a refusal: the door is shut when the system answers."""


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
