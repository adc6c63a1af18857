"""The person's things in installed systems that have no step of their own, and accounts in systems
that are no longer installed.

Their steps come before the last step of a removal, which then needs them too: credentials end
before the records of what they open. An account of a kind that no installed system knows becomes a
step that cannot be done, with advice.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.system import Holder
from workspace_manager.core.connected_systems import kind_of, label_of, unknown_kind
from workspace_manager.engine.plan import PlannedChange, PlannedCredential, PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.records.models import Plan
from workspace_manager.removal.capture import CapturedPerson
from workspace_manager.removal.messages import message
from workspace_manager.systems import Spec, registry


def with_other_systems(
    steps: tuple[PlannedStep, ...], captured: CapturedPerson
) -> tuple[PlannedStep, ...]:
    """Put the steps of other systems before the last one."""
    *first, last = steps
    names = registry().outside | _without_step({step.system for step in first})
    others = list(_steps(captured, last.n, names))
    number = last.n + len(others)
    needs = (*last.needs, *(step.n for step in others))
    return (*first, *others, last.model_copy(update={"n": number, "needs": needs}))


def ended_by(plan: Plan) -> list[tuple[PlannedCredential, tuple[tuple[str, str], ...]]]:
    """Return each credential of other systems as it was shown, and the (step, kind) that ends it;
    the system may be uninstalled since.
    """
    return [
        (credential, ((step["name"], credential.kind),))
        for step in plan.document["steps"]
        for credential in map(PlannedCredential.model_validate, _credentials(step))
    ]


def _credentials(step: Mapping[str, Any]) -> list[Any]:
    """Return the credentials that a step stored; for a plan of an earlier version, its system's."""
    spec = registry().specs.get(step["system"])
    if "credentials" in step or spec is None or step["name"] != step_name(spec.name):
        return list(step.get("credentials", ()))
    return list(_held(spec))


def _held(spec: Spec) -> tuple[PlannedCredential, ...]:
    return tuple(
        PlannedCredential(name=one.name, label=one.label, kind=one.kind) for one in spec.credentials
    )


def remarks(captured: CapturedPerson) -> tuple[Message, ...]:
    """Return the remarks of the systems for the preview, and the systems that failed to tell."""
    found: list[Message] = []
    for spec, settings in captured.systems.specs():
        if captured.systems.configured(spec.name):
            found += spec.remarks(settings, holder_of(captured))
    return tuple(found)


def step_name(system: str) -> str:
    return f"remove_{system}_accounts"


def holder_of(captured: CapturedPerson) -> Holder:
    """Return every name of the person, to ask systems for accounts."""
    return Holder(
        captured.username,
        captured.sub,
        captured.former_subs,
        {**captured.accounts},
        former_names=captured.former_names,
    )


def unknown_accounts(captured: CapturedPerson) -> dict[str, list[tuple[str, str]]]:
    """Return recorded accounts (kind, name) of kinds that no installed system knows, by system."""
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, names in captured.accounts.items():
        if kind_of(kind) is None:
            found.setdefault(kind.partition(".")[0], []).extend((kind, name) for name in names)
    return found


def _without_step(covered: set[str]) -> set[str]:
    """Return our systems with accounts to remove that none of these steps is about."""
    return {
        name
        for name, spec in registry().specs.items()
        if name not in covered
        and any(one.holds_account and not one.not_removed for one in spec.kinds)
    }


def _steps(captured: CapturedPerson, n: int, names: AbstractSet[str]) -> Iterator[PlannedStep]:
    unknown = unknown_accounts(captured)
    for name in [*sorted(names), *sorted(unknown.keys() - names)]:
        # A system with a step of its own may have accounts of kinds that it does not know.
        known = registry().specs.get(name) if name in names else None
        lost = [_lost(captured, *account) for account in unknown.get(name, [])]
        skip = "" if lost or known is None else captured.not_configured(name, *_kinds(known))
        changes = () if skip else (*_known(captured, known), *lost)
        if not skip and not changes:
            # A step without a check shows nothing, so it is skipped and never called done.
            skip = message(
                "nothing_named", system=label_of(name), person=Named(person=captured.username)
            )
        label = message("step_remove", system=label_of(name))
        yield PlannedStep(
            n=n,
            name=step_name(name),
            system=name,
            skip=skip,
            changes=changes,
            label=known.step_labels.get(step_name(name), label) if known else label,
            credentials=_held(known) if known else (),
        )
        n += 1


def _kinds(spec: Spec) -> list[str]:
    return [one.kind for one in spec.kinds if one.holds_account]


def unsaid_change(captured: CapturedPerson, system: str) -> PlannedChange:
    """Return a change that cannot be done, because the system failed to tell what the person
    has.
    """
    target = {"person": captured.username}
    return plan_change(
        Change(kind=unknown_kind(system), subject=captured.subject, target=target),
        name=captured.username,
    )


def _known(captured: CapturedPerson, spec: Spec | None) -> tuple[PlannedChange, ...]:
    if spec is None:
        return ()
    try:
        wishes = spec.accounts(captured.systems.settings[spec.name], holder_of(captured))
    except ConnectorError:
        return (unsaid_change(captured, spec.name),)
    return tuple(
        plan_change(
            Change(
                kind=wish.kind,
                subject=captured.subject,
                target=dict(wish.target),
                after=wish.after,
            )
        )
        for wish in wishes
    )


def _lost(captured: CapturedPerson, kind: str, name: str) -> PlannedChange:
    """Return a change that cannot be addressed, with the recorded name for manual work."""
    return plan_change(
        Change(kind=kind, subject=captured.subject, target={"account": name}), name=name
    )
