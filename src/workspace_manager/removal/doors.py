"""The doors of a removal: everything that a suspension would shut in the accounts of the steps, and
the credentials that the steps revoke.

Steps wait for one another, because one deletes what another reads. Shutting needs no order: it
starts at approval, system by system, and a refusal in one system does not hold up the others.

See docs/explanation/removal.md#doors.
"""

from collections.abc import Iterator, Mapping, Sequence

from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.contract.system import DesiredState
from workspace_manager.core.account_link import account_name
from workspace_manager.core.connected_systems import label_of
from workspace_manager.engine.plan import PlannedDoor, PlannedStep
from workspace_manager.removal.capture import CapturedPerson
from workspace_manager.removal.messages import message
from workspace_manager.removal.other_systems import holder_of
from workspace_manager.systems import Spec
from workspace_manager.systems.identity_provider.settings import Settings

IDENTITY_USER = "identity_provider.user"
CREDENTIALS = "identity_provider.credentials"
ATTRIBUTES = "identity_provider.attributes"
APP_PASSWORD = "drive.app_password"  # noqa: S105 - a kind of thing


def plan_doors(steps: Sequence[PlannedStep], captured: CapturedPerson) -> tuple[PlannedDoor, ...]:
    """Return the doors to shut at once. Each belongs to a thing that a step deals with, and lasts
    until the last of these steps has ended.
    """
    last = dict(_last_steps(steps))
    found: list[PlannedDoor] = []
    # Running programs are stopped before their owner is shut out elsewhere, as in a suspension.
    specs = sorted((spec for spec, _ in captured.systems.specs()), key=lambda s: not s.shut_first)
    for spec in specs:
        found += _revoked(spec, steps)
        found += (
            _door(wish, last[key], captured)
            for wish in closing_states(spec, captured)
            for key in [_key(wish.kind, wish.target)]
            if key in last and _may_be_shut(wish, captured)
        )
    return (*found, *_credentials(steps, captured))


def closing_states(spec: Spec, captured: CapturedPerson) -> tuple[DesiredState, ...]:
    """Return the desired states of a suspension in a system; empty if the system fails to tell,
    which its step reports.
    """
    if spec.shut is None or spec.name not in captured.systems.settings:
        return ()
    try:
        return spec.shut(captured.systems.settings[spec.name], holder_of(captured))
    except ConnectorError:
        return ()


def going_later(steps: Sequence[PlannedStep]) -> tuple[PlannedStep, ...]:
    """Mark the changes that the user's deletion makes anyway: a provider may refuse to change a
    user and still delete it.
    """
    deleted = {
        planned.change.target["sub"]: step.name
        for step in steps
        for planned in step.changes
        if planned.change.kind == IDENTITY_USER and planned.change.after is None
    }
    return tuple(_marked(step, deleted) for step in steps)


def _marked(step: PlannedStep, deleted: Mapping[str, str]) -> PlannedStep:
    changes = tuple(
        planned.model_copy(update={"goes_with": deleted.get(planned.change.target["sub"], "")})
        if planned.change.kind == ATTRIBUTES
        else planned
        for planned in step.changes
    )
    return step.model_copy(update={"changes": changes})


def remark(planned: Sequence[PlannedDoor]) -> tuple[Message, ...]:
    """Return the remarks about doors for the preview."""
    systems = dict.fromkeys(door.change.system for door in planned)
    if not systems:
        return ()
    return (
        message("remark.doors", systems=join_messages([label_of(one) for one in systems], by=", ")),
    )


def _key(kind: str, target: Mapping[str, str]) -> tuple[str, str]:
    return kind, account_name(kind, target)


def _last_steps(steps: Sequence[PlannedStep]) -> Iterator[tuple[tuple[str, str], str]]:
    for step in steps:
        for planned in step.changes:
            yield _key(planned.change.kind, planned.change.target), step.name


def _may_be_shut(wish: DesiredState, captured: CapturedPerson) -> bool:
    """Return whether the settings let the identity be shut before its deletion."""
    return wish.kind != IDENTITY_USER or captured.systems.settings_of(Settings).fence


def _door(wish: DesiredState, until: str, captured: CapturedPerson) -> PlannedDoor:
    change = Change(
        kind=wish.kind, subject=captured.subject, target=dict(wish.target), after=wish.after
    )
    return PlannedDoor(change=change, until=until)


def _revoked(spec: Spec, steps: Sequence[PlannedStep]) -> Iterator[PlannedDoor]:
    """Return credentials that are things of their own. They are revoked before their account is
    shut, since a shut account would refuse the revocation.
    """
    accounts = {kind.kind for kind in spec.kinds if kind.holds_account}
    kinds = {credential.kind for credential in spec.credentials} - accounts
    for step in steps:
        for planned in step.changes:
            if planned.change.kind in kinds and not planned.needs:
                yield PlannedDoor(change=planned.change, until=step.name, name=planned.name)


def _credentials(steps: Sequence[PlannedStep], captured: CapturedPerson) -> Iterator[PlannedDoor]:
    """Return the credentials that go before the user, whose deletion may have to wait. A kept
    account keeps them.
    """
    for step in steps:
        for planned in step.changes:
            change = planned.change
            if change.kind == IDENTITY_USER and change.after is None:
                after = (APP_PASSWORD,)
                wanted = change.model_copy(update={"kind": CREDENTIALS})
                if captured.systems.settings_of(Settings).fence:
                    yield PlannedDoor(change=wanted, until=step.name, after=after)
