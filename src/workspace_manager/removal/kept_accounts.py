"""Accounts that a take-over gave to a person. They existed before, so a removal shuts them and
deletes none, unless an administrator asks for it.

Each is shut as in a suspension: no credential opens it afterwards, and its content stays with the
institution. Accounts that only have the person's name were given to nobody and are removed as
usual.

See docs/decisions/0024-taken-over-accounts-are-kept.md.
"""

from collections.abc import Sequence

from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.contract.system import DesiredState
from workspace_manager.core.account_link import account_name
from workspace_manager.core.connected_systems import kind_of, label_of
from workspace_manager.engine.plan import PlanDocument, PlannedChange, PlannedStep
from workspace_manager.removal.capture import CapturedPerson
from workspace_manager.removal.doors import closing_states
from workspace_manager.removal.messages import message
from workspace_manager.systems import registry

REMOVE_ADOPTED = "remove_adopted"
"""The document's key for an administrator's request to delete them too."""


def deletes_existing(document: PlanDocument) -> bool:
    """Return whether the plan deletes accounts that existed before."""
    return document.captured.get(REMOVE_ADOPTED) == "yes"


def left_standing(
    steps: Sequence[PlannedStep], captured: CapturedPerson
) -> tuple[PlannedStep, ...]:
    """Return the steps with each kept account shut instead of deleted."""
    return tuple(_kept_in(step, captured) for step in steps)


def remarks(captured: CapturedPerson, *, removed: bool) -> tuple[Message, ...]:
    """Return remarks on accounts that existed before, apart from those that the manager made."""
    key = "remark.existed_removed" if removed else "remark.existed_kept"
    return tuple(
        message(key, system=label_of(kind.partition(".")[0]), name=_shown(name, captured))
        for kind, name in sorted(captured.adopted)
    )


def by_hand(captured: CapturedPerson) -> tuple[Message, ...]:
    """Return manual work for kept accounts in systems that cannot shut them."""
    return tuple(
        _cannot_shut(kind, name)
        for kind, name in sorted(captured.adopted)
        if _is_removed(kind) and not _shutting(kind, name, captured)
    )


def _shown(name: str, captured: CapturedPerson) -> str:
    """Put the user name before an id of the identity provider, which tells a reader nothing."""
    return f"{captured.username} ({name})" if name == captured.sub else name


def _is_removed(kind: str) -> bool:
    known = kind_of(kind)
    return known is not None and known.holds_account and known.not_removed is None


def _cannot_shut(kind: str, name: str) -> Message:
    return message("by_hand.kept_open", system=label_of(kind.partition(".")[0]), name=name)


def _kept_in(step: PlannedStep, captured: CapturedPerson) -> PlannedStep:
    changes: list[PlannedChange] = []
    places: dict[int, int] = {}
    left: list[Message] = []
    for place, planned in enumerate(step.changes):
        found = _instead(planned.change, captured)
        if isinstance(found, Message):
            left.append(found)
            continue
        needs = tuple(places[n] for n in planned.needs if n in places)
        for change in found:
            places[place] = len(changes)
            changes.append(planned.model_copy(update={"change": change, "needs": needs}))
    skip = join_messages(left, by=" ") if left and not changes else step.skip
    return step.model_copy(update={"changes": tuple(changes), "skip": skip})


def _instead(change: Change, captured: CapturedPerson) -> tuple[Change, ...] | Message:
    """Return the changes for a kept account, or the manual work if its system cannot shut it."""
    name = account_name(change.kind, change.target)
    if change.after is not None or (change.kind, name) not in captured.adopted:
        return (change,)
    return tuple(
        change.model_copy(update={"target": dict(wish.target), "after": wish.after})
        for wish in _shutting(change.kind, name, captured)
    ) or _cannot_shut(change.kind, name)


def _shutting(kind: str, name: str, captured: CapturedPerson) -> list[DesiredState]:
    """Return the desired states that shut the account; none if the system fails to tell."""
    spec = registry().specs.get(kind.partition(".")[0])
    wishes = closing_states(spec, captured) if spec is not None else ()
    return [one for one in wishes if (one.kind, account_name(one.kind, one.target)) == (kind, name)]
