"""What a suspension does in each system and what undoes it, as the systems themselves say: one step for each that shuts something.

Letting back in undoes what suspensions changed and nothing that was so before them.
"""

from collections.abc import Iterable
from typing import TypeAlias

from workspace_manager.contract.connector import UNKNOWN, Change, Facts, Target
from workspace_manager.contract.system import IDENTITY, Wish
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import change_of, planned
from workspace_manager.records.models import PlanChange
from workspace_manager.removal.capture import NO_LINK, Captured
from workspace_manager.removal.other_systems import holder_of, unknown_accounts
from workspace_manager.systems import Spec

UNTOUCHED = "The suspension changed nothing here."
Thing: TypeAlias = tuple[str, str]
"""A kind, and the one identifier that stays the same when a person is renamed."""


def shutting(captured: Captured) -> tuple[PlannedStep, ...]:
    """One step for each system that can shut something; where it need not, the step says why."""
    shut = [spec for spec, _ in captured.systems.specs() if spec.shut]
    ordered = sorted(shut, key=lambda spec: not spec.shut_first)
    return tuple(
        _step(n, spec.shut_step or f"shut_{spec.name}", spec, captured, wishes, why)
        for n, spec in enumerate(ordered, start=1)
        for wishes, why in [_wished(spec, captured)]
    )


def opening(
    captured: Captured, rows: Iterable[PlanChange], *, undoing: str
) -> tuple[PlannedStep, ...]:
    """The steps that undo what is written in `rows`: those of suspensions, and of the plans (`undoing`) that undid them."""
    things = _to_undo(captured, rows, undoing=undoing)
    specs = [spec for spec, _ in captured.systems.specs() if spec.open]
    steps = []
    for n, spec in enumerate(specs, start=1):
        wishes = [
            wish for wish in _open(spec, captured) if _thing(wish.kind, wish.target) in things
        ]
        name = spec.open_step or f"open_{spec.name}"
        steps.append(_step(n, name, spec, captured, wishes, "" if wishes else UNTOUCHED))
    return tuple(steps)


def left_open(captured: Captured) -> tuple[str, ...]:
    """Accounts that a suspension cannot shut, since no installed system knows them."""
    return tuple(
        f"The account {name} stays as it is: the system {system} is not installed. Shut it there by hand."
        for system, accounts in unknown_accounts(captured).items()
        for _, name in accounts
    )


def _wished(spec: Spec, captured: Captured) -> tuple[tuple[Wish, ...], str]:
    """What is to be shut, or why nothing is."""
    kinds = [one.kind for one in spec.kinds if one.holds_account]
    settings = captured.systems.settings[spec.name]
    wishes = spec.shut(settings, holder_of(captured)) if spec.shut else ()
    nothing = f"No account of {captured.username} is recorded there."
    if IDENTITY in spec.provides:
        nothing = NO_LINK.format(name=captured.username)
    return wishes, captured.not_configured(spec.name, *kinds) or ("" if wishes else nothing)


def _open(spec: Spec, captured: Captured) -> tuple[Wish, ...]:
    settings = captured.systems.settings[spec.name]
    return spec.open(settings, holder_of(captured)) if spec.open else ()


def _to_undo(captured: Captured, rows: Iterable[PlanChange], *, undoing: str) -> set[Thing]:
    """What suspensions shut and nothing has opened again since: what was shut before them stays shut.

    Every suspension counts, not the last alone: its undoing may have been superseded before it ran, and then the next suspension
    found everything shut already.
    """
    opened = {
        _thing(wish.kind, wish.target): wish.after or {}
        for spec, _ in captured.systems.specs()
        for wish in _open(spec, captured)
    }
    shut: set[Thing] = set()
    for row in rows:
        change = change_of(row)
        thing = _thing(change.kind, change.target)
        if row.step.plan.kind != undoing and _was(change, opened.get(thing)):
            shut.add(thing)
        elif row.step.plan.kind == undoing and row.state in PlanChange.ENDED:
            shut.discard(thing)
    return shut


def _was(change: Change, opened: Facts | None) -> bool:
    """Whether it was open before, as its undoing would make it: not known counts as open."""
    if opened is None or not isinstance(change.before, dict):
        return opened is not None and change.before == UNKNOWN
    return all(change.before.get(name, value) == value for name, value in opened.items())


def _thing(kind: str, target: Target) -> Thing:
    return kind, target.get("sub") or next(iter(target.values()), "")


def _step(
    n: int, name: str, spec: Spec, captured: Captured, wishes: Iterable[Wish], skip: str
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
