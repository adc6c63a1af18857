"""What a suspension does in each system and what undoes it, as the systems themselves say: one step
for each that shuts something.

Letting back in undoes what suspensions changed and nothing that was so before them.
"""

from collections.abc import Collection, Iterable
from typing import TypeAlias

from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Message, Words
from workspace_manager.contract.system import IDENTITY, Wish
from workspace_manager.core.account_link import account_name
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import planned
from workspace_manager.people.messages import message
from workspace_manager.removal.capture import Captured, no_link
from workspace_manager.removal.other_systems import holder_of, unknown_accounts
from workspace_manager.systems import Spec

Account: TypeAlias = tuple[str, str]
"""A kind, and the name of an account of that kind."""


def shutting(captured: Captured) -> tuple[PlannedStep, ...]:
    """One step for each system that can shut something; where it need not, the step says why."""
    shut = [spec for spec, _ in captured.systems.specs() if spec.shut]
    ordered = sorted(shut, key=lambda spec: not spec.shut_first)
    return tuple(
        _step(n, spec.shut_step or f"shut_{spec.name}", spec, captured, wishes, why)
        for n, spec in enumerate(ordered, start=1)
        for wishes, why in [_wished(spec, captured)]
    )


def opening(captured: Captured, locked: Collection[Account]) -> tuple[PlannedStep, ...]:
    """The steps that open `locked` again: the accounts that suspensions shut."""
    specs = [spec for spec, _ in captured.systems.specs() if spec.open]
    steps = []
    for n, spec in enumerate(specs, start=1):
        wishes = [
            wish
            for wish in _open(spec, captured)
            if (wish.kind, account_name(wish.target)) in locked
        ]
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


def left_open(captured: Captured) -> tuple[Message, ...]:
    """Accounts that a suspension cannot shut, since no installed system knows them."""
    return tuple(
        message("not_shut", name=name, system=system)
        for system, accounts in unknown_accounts(captured).items()
        for _, name in accounts
    )


def _wished(spec: Spec, captured: Captured) -> tuple[tuple[Wish, ...], Words]:
    """What is to be shut, or why nothing is."""
    kinds = [one.kind for one in spec.kinds if one.holds_account]
    settings = captured.systems.settings[spec.name]
    wishes = spec.shut(settings, holder_of(captured)) if spec.shut else ()
    nothing = message("no_account_there", name=captured.username)
    if IDENTITY in spec.provides:
        nothing = no_link(captured.username)
    return wishes, captured.not_configured(spec.name, *kinds) or ("" if wishes else nothing)


def _open(spec: Spec, captured: Captured) -> tuple[Wish, ...]:
    settings = captured.systems.settings[spec.name]
    return spec.open(settings, holder_of(captured)) if spec.open else ()


def _step(
    n: int, name: str, spec: Spec, captured: Captured, wishes: Iterable[Wish], skip: Words
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
        changes=() if skip else tuple(planned(change) for change in changes),
    )
