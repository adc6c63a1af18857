"""The state of one credential, from the steps and doors that end it."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from workspace_manager.accounts import machine_accounts
from workspace_manager.contract.message import Message, Words
from workspace_manager.core.timestamps import in_utc
from workspace_manager.core.views import as_text
from workspace_manager.engine.extras import CredentialState, CredentialView, message_view
from workspace_manager.engine.view import evidence_view
from workspace_manager.records.models import PlanChange, PlanStep
from workspace_manager.removal import door_states
from workspace_manager.removal.door_states import DoorState
from workspace_manager.removal.messages import message
from workspace_manager.systems import registry

ENDED, ABSENT, OPEN, BY_HAND, NOTHING, NOT_SHOWN, PENDING = CredentialState.values
MACHINE_KEY = "machine_key"
NONE: Final = ("removal.not_configured", "people.no_account_there", "people.nothing_shared")
"""Reasons why a plan left a step out: no account of the person is recorded there, so none can be
open.
"""


def nest_messages(found: Sequence[Message]) -> Message | None:
    """Join several messages into one, each nested in the one before."""
    if not found:
        return None
    first, then = found[0], nest_messages(found[1:])
    if then is None:
        return first
    # Another system may give a clause without a full stop.
    ends = as_text(first).rstrip().endswith((".", "!", "?", "…", ":"))
    return message("proof.both" if ends else "proof.clauses", first=first, then=then)


def label_of(credential: str) -> Message | None:
    """Return the label of a credential; None for an unknown one."""
    if f"credential.{credential}" in message.english:
        return message(f"credential.{credential}")
    known = (one for spec in registry().specs.values() for one in spec.credentials)
    return next((one.label for one in known if one.name == credential), None)


def entry(
    credential: str,
    state: str,
    text: Words | None,
    at: datetime | str | None = None,
    until: datetime | None = None,
) -> CredentialView:
    """Build the view of a credential. `at` is a moment of ours, or the text of a check."""
    label = label_of(credential)
    return CredentialView(
        credential=credential,
        label=as_text(label),
        label_message=message_view(label),
        state=state,
        text=as_text(text),
        text_message=message_view(text),
        at=at if isinstance(at, str) else in_utc(at),
        until=in_utc(until),
    )


def credential_view(
    name: str,
    pairs: Iterable[tuple[str, str]],
    steps: dict[str, PlanStep],
    doors: Sequence[DoorState],
) -> CredentialView:
    """Return a credential's state: the first that applies of ended, by hand, open or pending,
    absent, not recorded, not shown.
    """
    there = [(step, kind) for step, kind in pairs if step in steps]
    said = [_by(name, steps[step], kind) for step, kind in there]
    strongest = (ENDED, BY_HAND, PENDING, ABSENT, NOTHING)
    found = next(
        (one for state in strongest for one in said if one.state == state),
        said[0] if said else entry(name, NOT_SHOWN, message("proof.no_step")),
    )
    own = [one for one in doors if not _is_machines(one)]
    door = door_states.combine_doors(own, name, [kind for _, kind in there])
    kept = any(_keeps(steps[step], kind) for step, kind in there)
    return _with_door(found, door, kept=kept)


def of_machines(
    pairs: Iterable[tuple[str, str]], steps: dict[str, PlanStep], doors: Sequence[DoorState]
) -> CredentialView:
    """Return the state of the credentials of the person's programs: shut when all of them are, in
    every system.
    """
    found = _machines_by_steps(pairs, steps)
    return _with_door(found, door_states.worst_door(list(filter(_is_machines, doors))), kept=False)


def _keeps(step: PlanStep, kind: str) -> bool:
    """Return whether the step shuts the account instead of deleting it."""
    return any(row.kind == kind and row.change["after"] for row in step.changes.all())


def _with_door(found: CredentialView, door: DoorState | None, *, kept: bool) -> CredentialView:
    """Add the door's state. A deleted account needs no door, and a step left to a person tries
    none.
    """
    if door is None or (found.state == ENDED and not kept):
        return found
    name = found.credential
    if door.state == door_states.SHUT:
        return entry(name, ENDED, door.text, door.at or None)
    if door.state == door_states.ABSENT:
        # An account that was ended existed, whatever the door found before or after.
        seen = found.state in {ENDED, ABSENT}
        return found if seen else entry(name, ABSENT, door.text, door.at or None)
    if found.state not in {ENDED, PENDING}:
        return found
    if door.state == door_states.BY_HAND:
        return entry(name, BY_HAND, door.text)
    return entry(name, OPEN if door.state == door_states.OPEN else PENDING, door.text)


def _by(name: str, step: PlanStep, kind: str) -> CredentialView:
    rows = [row for row in step.changes.all() if row.kind == kind]
    if step.state == PlanStep.State.SKIPPED:
        is_none = step.reason is not None and step.reason.code in NONE
        return entry(name, NOTHING if is_none else NOT_SHOWN, step.reason)
    if not rows:
        return entry(name, NOTHING, message("proof.nothing_recorded"))
    states = {row.state for row in rows}
    if PlanChange.State.BY_HAND in states or step.state == PlanStep.State.BY_HAND:
        return entry(name, BY_HAND, step.reason)
    if not states <= set(PlanChange.ENDED):
        return entry(name, PENDING, "")
    state = _end(rows)
    looks = [look for look in map(evidence_view, step.evidence) if look.kind == kind]
    if not looks:
        return entry(name, state, "")
    return entry(name, state, looks[-1].text_message or "", looks[-1].at)


def _end(rows: Iterable[PlanChange]) -> str:
    """Return the final state of these rows: ended, or absent if none of them found anything."""
    return ABSENT if all(map(door_states.shown_absent, rows)) else ENDED


def _is_machines(door: DoorState) -> bool:
    beginning = machine_accounts.BEGINNINGS.get(door.kind.partition(".")[0])
    return beginning is not None and door.name.startswith(beginning)


def _machines_by_steps(
    pairs: Iterable[tuple[str, str]], steps: dict[str, PlanStep]
) -> CredentialView:
    said = [
        _machines_in(steps[step], kind)
        for step, kind in pairs
        if step in steps and _machine_rows(steps[step], kind)
    ]
    for state in (NOT_SHOWN, BY_HAND, PENDING, ENDED, ABSENT):
        for one in said:
            if one.state == state:
                return one
    return entry(MACHINE_KEY, NOTHING, message("proof.nothing_recorded"))


def _machine_rows(step: PlanStep, kind: str) -> list[PlanChange]:
    beginning = machine_accounts.BEGINNINGS[kind.partition(".")[0]]
    rows = [row for row in step.changes.all() if row.kind == kind]
    return [row for row in rows if row.name.startswith(beginning)]


def _machines_in(step: PlanStep, kind: str) -> CredentialView:
    rows = _machine_rows(step, kind)
    states = {row.state for row in rows}
    if step.state == PlanStep.State.SKIPPED:
        return entry(MACHINE_KEY, NOT_SHOWN, step.reason)
    if PlanChange.State.BY_HAND in states or step.state == PlanStep.State.BY_HAND:
        return entry(MACHINE_KEY, BY_HAND, step.reason)
    if not states <= set(PlanChange.ENDED):
        return entry(MACHINE_KEY, PENDING, "")
    looks = [look for row in rows for look in map(evidence_view, row.evidence) if look.kind == kind]
    text = nest_messages([look.text_message for look in looks if look.text_message])
    return entry(MACHINE_KEY, _end(rows), text or "", looks[-1].at if looks else None)
