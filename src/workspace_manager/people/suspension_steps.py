"""Steps of a suspension and of its end, as the systems declare them: one for each system that shuts
something. Running programs, such as notebooks, are stopped first, and again when their owner cannot
sign in any more.

Resuming undoes what suspensions changed, and nothing that was so before.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any, Final, TypeAlias

from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message, Words
from workspace_manager.contract.system import IDENTITY, DesiredState, Holder
from workspace_manager.core.account_link import account_name, taken_from
from workspace_manager.core.connected_systems import kind_of
from workspace_manager.engine.plan import PlannedCredential, PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.people.messages import message
from workspace_manager.removal.capture import CapturedPerson, no_link
from workspace_manager.removal.other_systems import holder_of, unknown_accounts, unsaid_change
from workspace_manager.systems import Spec
from workspace_manager.work.suspended_access import goes_on_serving, shared_with

AGAIN: Final = "_again"
"""The suffix of a step that is repeated."""

Account: TypeAlias = tuple[str, str]
"""A kind, and the name of an account of that kind."""


def closing_steps(captured: CapturedPerson) -> tuple[PlannedStep, ...]:
    """Return one step for each system that can shut something; a step with nothing to do says
    why.
    """
    shut = [spec for spec, _ in captured.systems.specs() if spec.shut]
    ordered = sorted(shut, key=lambda spec: not spec.shut_first)
    steps = [
        _step(n, shut_step(spec), spec, captured, wishes, why)
        for n, spec in enumerate(ordered, start=1)
        for wishes, why in [_wished(spec, captured)]
    ]
    identity = tuple(n for n, spec in enumerate(ordered, 1) if IDENTITY in spec.provides)
    for spec, first in zip(ordered, tuple(steps), strict=True):
        if spec.shut_first and first.changes:
            name = f"{first.name}{AGAIN}"
            label = spec.step_labels.get(name) or first.label
            again = {"n": len(steps) + 1, "name": name, "needs": identity, "label": label}
            steps.append(first.model_copy(update=again))
    return tuple(steps)


def shut_step(spec: Spec) -> str:
    """Return the name of the step that shuts a system."""
    return spec.shut_step or f"shut_{spec.name}"


def opening_steps(captured: CapturedPerson, locked: Collection[Account]) -> tuple[PlannedStep, ...]:
    """Return the steps that reopen `locked`, the accounts that suspensions shut."""
    specs = [spec for spec, _ in captured.systems.specs() if spec.open]
    steps = []
    for n, spec in enumerate(specs, start=1):
        wishes = [wish for wish in _open(spec, captured) if _was_shut(wish, locked)]
        name = spec.open_step or f"open_{spec.name}"
        steps.append(
            _step(
                n,
                name,
                spec,
                captured,
                wishes,
                "" if wishes else message("nothing_changed"),
            )
        )
    return tuple(steps)


def left_open(captured: CapturedPerson) -> tuple[Message, ...]:
    """Return what a suspension cannot shut: a setting is missing, or no installed system knows the
    account.
    """
    lost = tuple(
        message("not_shut", name=name, system=system)
        for system, accounts in unknown_accounts(captured).items()
        for _, name in accounts
    )
    return (*lost, *_said(captured, lambda spec: spec.shut_by_hand))


def goes_on(captured: CapturedPerson) -> tuple[Message, ...]:
    """Return what continues in the systems meanwhile, for those who decide."""
    return _said(captured, lambda spec: spec.goes_on)


def _said(
    captured: CapturedPerson, asked: Callable[[Spec], Callable[[Any, Holder], tuple[Message, ...]]]
) -> tuple[Message, ...]:
    """Return the messages of configured systems."""
    specs = [spec for spec, _ in captured.systems.specs()]
    return tuple(
        one
        for spec in specs
        if captured.systems.configured(spec.name)
        for one in asked(spec)(captured.systems.settings[spec.name], _holder(captured))
    )


def _was_shut(wish: DesiredState, locked: Collection[Account]) -> bool:
    """Return whether a suspension shut it. Access that is no account is restored from the
    records.
    """
    kind = kind_of(wish.kind)
    if kind is None or not kind.holds_account:
        return True
    return (wish.kind, account_name(wish.kind, wish.target)) in locked


def _holder(captured: CapturedPerson) -> Holder:
    return replace(
        holder_of(captured),
        taken=taken_from(captured.person),
        shared=shared_with(captured.person),
    )


def _to_shut(captured: CapturedPerson) -> Holder:
    """Leave out the accounts that others' work depends on."""
    holder = _holder(captured)
    kept = {account for found in goes_on_serving(captured.person).values() for account in found}
    recorded = {
        kind: tuple(name for name in names if (kind, name) not in kept)
        for kind, names in holder.recorded.items()
    }
    return replace(holder, recorded=recorded)


def _wished(spec: Spec, captured: CapturedPerson) -> tuple[tuple[DesiredState, ...], Words]:
    """Return what to shut, or why nothing is shut."""
    kinds = [one.kind for one in spec.kinds if one.holds_account]
    settings = captured.systems.settings[spec.name]
    wishes = _asked(
        spec, captured, lambda: spec.shut(settings, _to_shut(captured)) if spec.shut else ()
    )
    nothing = message("no_account_there", name=captured.username)
    if not any(kind.holds_account and not kind.not_shut for kind in spec.kinds):
        nothing = message("nothing_shared", name=captured.username)
    if IDENTITY in spec.provides:
        nothing = no_link(captured.username)
    return wishes, captured.not_configured(spec.name, *kinds) or ("" if wishes else nothing)


def _open(spec: Spec, captured: CapturedPerson) -> tuple[DesiredState, ...]:
    settings = captured.systems.settings[spec.name]
    return _asked(
        spec, captured, lambda: spec.open(settings, _holder(captured)) if spec.open else ()
    )


def _asked(
    spec: Spec, captured: CapturedPerson, asked: Callable[[], tuple[DesiredState, ...]]
) -> tuple[DesiredState, ...]:
    """Return a system's desired states; if it fails to tell, a state that makes its step stuck."""
    try:
        return asked()
    except ConnectorError:
        change = unsaid_change(captured, spec.name).change
        return (DesiredState(change.kind, change.target),)


def _step(
    n: int,
    name: str,
    spec: Spec,
    captured: CapturedPerson,
    wishes: Iterable[DesiredState],
    skip: Words,
) -> PlannedStep:
    changes = (
        Change(
            kind=wish.kind,
            subject=captured.subject,
            target=dict(wish.target),
            after=wish.after,
        )
        for wish in wishes
    )
    return PlannedStep(
        n=n,
        name=name,
        system=spec.name,
        skip=skip,
        changes=() if skip else tuple(plan_change(change) for change in changes),
        label=spec.step_labels.get(name)
        or message("step_shut" if name == shut_step(spec) else "step_open", system=spec.label),
        credentials=tuple(
            PlannedCredential(name=one.name, label=one.label, kind=one.kind)
            for one in spec.credentials
        ),
    )
