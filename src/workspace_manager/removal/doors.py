"""The doors of a removal: everything that a suspension would shut of the accounts that the steps
deal with, and the credentials that the steps revoke.

Steps wait for one another, since what one deletes another reads. Shutting needs none of that: it is
done on approval, system by system, and refused by one system it is done in the others.

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
    """What is shut at once. Only things that a step of the plan deals with have a door, and it
    stands until the last of these steps has ended.
    """
    last = dict(_last_steps(steps))
    found: list[PlannedDoor] = []
    # What runs is stopped before its owner is shut out elsewhere, as in a suspension.
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
    """What a suspension would wish in a system; nothing of one that fails to say it, whose step
    says so.
    """
    if spec.shut is None or spec.name not in captured.systems.settings:
        return ()
    try:
        return spec.shut(captured.systems.settings[spec.name], holder_of(captured))
    except ConnectorError:
        return ()


def going_later(steps: Sequence[PlannedStep]) -> tuple[PlannedStep, ...]:
    """The steps, with what goes with the user anyway marked so: a provider that refuses to change a
    user deletes it all the same.
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
    """What the reader of the preview is told of them."""
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
    """The identity is left open where the settings say so: then it is deleted only."""
    return wish.kind != IDENTITY_USER or captured.systems.settings_of(Settings).fence


def _door(wish: DesiredState, until: str, captured: CapturedPerson) -> PlannedDoor:
    change = Change(
        kind=wish.kind, subject=captured.subject, target=dict(wish.target), after=wish.after
    )
    return PlannedDoor(change=change, until=until)


def _revoked(spec: Spec, steps: Sequence[PlannedStep]) -> Iterator[PlannedDoor]:
    """Credentials that are things of their own are revoked before the account is shut that they
    open: a shut one would refuse the revocation.
    """
    accounts = {kind.kind for kind in spec.kinds if kind.holds_account}
    kinds = {credential.kind for credential in spec.credentials} - accounts
    for step in steps:
        for planned in step.changes:
            if planned.change.kind in kinds and not planned.needs:
                yield PlannedDoor(change=planned.change, until=step.name, name=planned.name)


def _credentials(steps: Sequence[PlannedStep], captured: CapturedPerson) -> Iterator[PlannedDoor]:
    """What somebody signs in with goes before the user, whose deletion may have to wait. An account
    that is kept keeps it.
    """
    for step in steps:
        for planned in step.changes:
            change = planned.change
            if change.kind == IDENTITY_USER and change.after is None:
                after = (APP_PASSWORD,)
                wanted = change.model_copy(update={"kind": CREDENTIALS})
                if captured.systems.settings_of(Settings).fence:
                    yield PlannedDoor(change=wanted, until=step.name, after=after)
