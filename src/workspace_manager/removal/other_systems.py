"""What is a person's in systems that are no folder of ours, and accounts in systems that nobody
knows any more.

Their steps stand before the last of a removal, which then needs them too: credentials go before the
records of what they open. An account of a kind that no installed system knows makes a step that
cannot be done, with what to do about it, and never silence.
"""

from collections.abc import Iterator

from workspace_manager.contract.connector import Change
from workspace_manager.contract.system import Holder
from workspace_manager.core.connected_systems import kind_of
from workspace_manager.engine.plan import PlannedChange, PlannedStep
from workspace_manager.engine.rows import planned
from workspace_manager.removal.capture import Captured
from workspace_manager.systems import Spec, registry


def with_other_systems(
    steps: tuple[PlannedStep, ...], captured: Captured
) -> tuple[PlannedStep, ...]:
    """Put the steps of all other systems before the last one. Without such a system the steps are
    as they were.
    """
    *first, last = steps
    others = list(_steps(captured, last.n))
    number = last.n + len(others)
    needs = (*last.needs, *(step.n for step in others))
    return (*first, *others, last.model_copy(update={"n": number, "needs": needs}))


def ended_by() -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """Each credential people hold in another system, and the (step, kind) that ends it."""
    specs = registry().specs
    return [
        (credential.name, ((step_name(name), credential.kind),))
        for name in sorted(registry().outside)
        for credential in specs[name].credentials
    ]


def step_name(system: str) -> str:
    return f"remove_{system}_accounts"


def holder_of(captured: Captured) -> Holder:
    """Every name the person is known by, as systems are asked for their accounts with."""
    return Holder(captured.username, captured.sub, captured.former_subs, {**captured.accounts})


def unknown_accounts(captured: Captured) -> dict[str, list[tuple[str, str]]]:
    """Recorded accounts (kind, name) of kinds that no installed system knows, by the name of their
    system.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, names in captured.accounts.items():
        if kind_of(kind) is None:
            found.setdefault(kind.partition(".")[0], []).extend((kind, name) for name in names)
    return found


def _steps(captured: Captured, n: int) -> Iterator[PlannedStep]:
    unknown = unknown_accounts(captured)
    for name in [*sorted(registry().outside), *sorted(unknown.keys() - registry().outside)]:
        spec = registry().specs.get(name)
        # Of one of ours, the step that has always been there deals with what it knows; this is
        # about what it does not.
        known = spec if spec and name in registry().outside else None
        lost = [_lost(captured, *account) for account in unknown.get(name, [])]
        skip = "" if lost or known is None else captured.not_configured(name, *_kinds(known))
        changes = () if skip else (*_known(captured, known), *lost)
        yield PlannedStep(n=n, name=step_name(name), system=name, skip=skip, changes=changes)
        n += 1


def _kinds(spec: Spec) -> list[str]:
    return [one.kind for one in spec.kinds if one.holds_account]


def _known(captured: Captured, spec: Spec | None) -> tuple[PlannedChange, ...]:
    if spec is None:
        return ()
    wishes = spec.accounts(captured.systems.settings[spec.name], holder_of(captured))
    return tuple(
        planned(
            Change(
                kind=wish.kind,
                subject=captured.subject,
                target=dict(wish.target),
                after=wish.after,
            )
        )
        for wish in wishes
    )


def _lost(captured: Captured, kind: str, name: str) -> PlannedChange:
    """Nobody knows how such a thing is addressed; its recorded name is kept for whoever finishes it
    by hand.
    """
    return planned(Change(kind=kind, subject=captured.subject, target={"account": name}), name=name)
