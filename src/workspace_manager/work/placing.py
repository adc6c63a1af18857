"""Reserve one component and say which steps make it: by itself, or as a part of a stack.

Every name is reserved in our records before the first call: what a killed creation may have left is
found and removed by it.
"""

import uuid
from dataclasses import dataclass
from types import ModuleType
from typing import Final

from workspace_manager.access import policy
from workspace_manager.accounts import accounts, repositories, sql_databases
from workspace_manager.accounts.locking import lock_staying
from workspace_manager.accounts.messages import message
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import Vault
from workspace_manager.knowledge_stacks import kind as knowledge_stacks
from workspace_manager.knowledge_stacks.stack_choice import Chosen
from workspace_manager.records.models import Component, Person, Project, Stack

KINDS: Final[dict[Component.Kind, ModuleType]] = {
    Component.Kind.SQL_DATABASE: sql_databases,
    Component.Kind.TRIPLESTORE_REPOSITORY: repositories,
    Component.Kind.KNOWLEDGE_STACK: knowledge_stacks,
}
"""What makes each kind of component."""
SYSTEMS: Final[dict[Component.Kind, str]] = {kind: made.SYSTEM for kind, made in KINDS.items()}
"""Where each kind of component lies."""


@dataclass(frozen=True)
class ComponentSpec:
    """Whose a component is, what it is called and where it belongs."""

    owner: Person
    label: str
    project: Project | None
    stack: Stack | None = None


def made_by(kind: str, systems: ConnectedSystems) -> ModuleType:
    """What makes this kind of component. Raises BadInput for a kind that is none, Refused when its
    system is not configured.
    """
    found = KINDS.get(Component.Kind(kind)) if kind in Component.Kind.values else None
    if found is None:
        raise BadInput({"kind": message("kinds", kinds=", ".join(KINDS))})
    if not systems.configured(found.SYSTEM):
        raise Refused(of_core("not_configured", system=label_of(found.SYSTEM)))
    return found


def lock_shared(owner: Person, project: Project | None) -> Project | None:
    """A project that its owner puts something into, locked. Raises Refused when it is not shared
    with them (any more).
    """
    found = lock_staying(project.id) if project else None
    if found and not policy.shares(owner, found):
        raise Refused(message("not_shared_any_more"))
    return found


def reserve(
    place: ComponentSpec,
    kind: str,
    systems: ConnectedSystems,
    vault: Vault,
    *,
    chosen: Chosen | None = None,
) -> tuple[Component, tuple[PlannedStep, ...]]:
    """A new component and the steps that make it, in the caller's transaction. `chosen`: what a
    knowledge stack is made from. Raises BadInput and Refused.
    """
    maker = made_by(kind, systems)
    component_id = uuid.uuid4()
    component = Component(
        id=component_id,
        owner=place.owner,
        kind=kind,
        label=place.label,
        project=place.project,
        stack=place.stack,
        name=maker.resource_name(place.owner.username, place.label, component_id.hex[:10]),
    )
    if chosen:
        component.save(force_insert=True)
        knowledge_stacks.reserve(component, chosen, systems)
        return component, knowledge_stacks.creation(component, chosen, systems, vault)
    account = accounts.name_for(place.owner, maker.USER, maker.account_name, systems)
    fresh = accounts.reserve(place.owner, maker.USER, account)
    component.save(force_insert=True)
    secrets = accounts.kept_secrets(vault, place.owner, maker.USER, account, fresh=fresh)
    return component, maker.creation(component, account, systems, new=fresh, secrets=secrets)


def behind(
    steps: tuple[PlannedStep, ...], first: int, needs: tuple[int, ...] = ()
) -> tuple[PlannedStep, ...]:
    """The same steps behind others: numbered from `first`; each that waits for none of its own
    waits for `needs`.
    """
    return tuple(
        step.model_copy(
            update={
                "n": step.n + first - 1,
                "needs": tuple(n + first - 1 for n in step.needs) or needs,
            }
        )
        for step in steps
    )
