"""Evidence of a suspension: every credential that a removal knows, and what shows that it opens
nothing.

The credentials are declared by the systems, and each is tied to the step that shut its system, so
that none can be forgotten.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from workspace_manager.contract.system import IDENTITY
from workspace_manager.core.views import as_text
from workspace_manager.engine.extras import CredentialView, PlanExtras, message_view
from workspace_manager.engine.plan import PlannedCredential
from workspace_manager.people.messages import message
from workspace_manager.people.suspension_steps import AGAIN, shut_step
from workspace_manager.records.models import Plan, PlanStep
from workspace_manager.removal import headline
from workspace_manager.removal.credential_ends import credential_view, of_machines
from workspace_manager.removal.door_states import DoorState, of_steps
from workspace_manager.removal.end_of_access import MACHINES_ENDED_BY, ours
from workspace_manager.systems import Spec, registry

Pairs: TypeAlias = tuple[tuple[str, str], ...]

OF_THE_IDENTITY: Final = ("password", "identity_session", "refresh_token", "authorization_code")
"""Credentials of the identity, which open everything that people sign in to."""


def suspension_extras(plan: Plan, steps: Sequence[PlanStep]) -> PlanExtras:
    """Return what a suspension shows besides its steps."""
    kept = tuple(_end_of_access(plan, steps))
    first = headline.removal_headline(plan, steps, kept, headline.SUSPENSION)
    return PlanExtras(end_of_access=kept, headline=first)


def _end_of_access(plan: Plan, steps: Sequence[PlanStep]) -> Iterator[CredentialView]:
    if plan.state not in {*Plan.OPEN, Plan.State.DONE}:
        return
    yield from ours(plan, message("proof_suspended"))
    by_name = {step.name: step for step in steps}
    doors = of_steps(steps)
    for name, pairs in _shut_by():
        if any(step in by_name for step, _ in pairs):
            yield credential_view(name, pairs, by_name, doors)
    yield from _gone_systems(plan, by_name, doors)
    yield of_machines(_machines_shut_by(), by_name, doors)


def _gone_systems(
    plan: Plan, steps: dict[str, PlanStep], doors: Sequence[DoorState]
) -> Iterator[CredentialView]:
    """Yield credentials of systems that are no longer installed, as they were shown."""
    for step in plan.document["steps"]:
        if step["system"] in registry().specs or step["name"] not in steps:
            continue
        for stored in step.get("credentials", ()):
            one = PlannedCredential.model_validate(stored)
            found = credential_view(one.name, ((step["name"], one.kind),), steps, doors)
            yield found.model_copy(
                update={"label": as_text(one.label), "label_message": message_view(one.label)}
            )


def _shut_by() -> Iterator[tuple[str, Pairs]]:
    """Yield each credential with the (step, kind) pairs that shut it, the strongest first."""
    specs = [spec for spec in registry().specs.values() if spec.shut]
    by_identity: Pairs = ()
    for spec in specs:
        if IDENTITY in spec.provides:
            by_identity = tuple((shut_step(spec), kind) for kind in _accounts(spec))
    for name in OF_THE_IDENTITY:
        yield name, by_identity
    for spec in sorted(specs, key=lambda one: (one.order, one.name)):
        for credential in spec.credentials:
            yield credential.name, _pairs(spec)
    yield "hub_session", by_identity


def _machines_shut_by() -> Pairs:
    """Return the steps that shut accounts of machine keys with the person's own."""
    specs = registry().specs
    systems = {kind.partition(".")[0]: kind for _, kind in MACHINES_ENDED_BY}
    return tuple((shut_step(specs[system]), kind) for system, kind in systems.items())


def _pairs(spec: Spec) -> Pairs:
    names = [shut_step(spec)]
    if spec.shut_first:
        names.insert(0, names[0] + AGAIN)
    return tuple((name, kind) for name in names for kind in _accounts(spec))


def _accounts(spec: Spec) -> list[str]:
    return [one.kind for one in spec.kinds if one.holds_account]
