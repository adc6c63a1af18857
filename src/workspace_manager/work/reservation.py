"""Reserve one component and return the steps that make it, alone or as a part of a stack.

Every name is recorded before the first call, so that remains of a crashed creation can be found and
removed.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from workspace_manager.access import policy
from workspace_manager.accounts import accounts, repositories, sql_databases
from workspace_manager.accounts.messages import message
from workspace_manager.accounts.row_locks import lock_staying
from workspace_manager.contract.connector import Change
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import Vault
from workspace_manager.knowledge_stacks import kind as knowledge_stacks
from workspace_manager.knowledge_stacks.stack_choice import StackChoice
from workspace_manager.records.models import Component, Person, Project, Stack


class CreationSteps(Protocol):
    """The steps that make a component and its owner's account, or update the account."""

    def __call__(
        self,
        component: Component,
        account: str,
        systems: ConnectedSystems,
        *,
        new: bool,
        secrets: accounts.Secrets,
    ) -> tuple[PlannedStep, ...]: ...


@dataclass(frozen=True)
class OwnerAccount:
    """The account of a component's owner in its system, one for all components."""

    kind: str
    name: Callable[[str], str]
    """Derives the account name from the user name."""
    creation: CreationSteps


@dataclass(frozen=True)
class ComponentKind:
    """The parts of the plans of one kind of component."""

    system: str
    resource_name: Callable[[str, str, str], str]
    """Derives the name from user name, label and unique part."""
    deletion: Callable[[Component], tuple[PlannedStep, ...]]
    downstream: Callable[[Component], list[Change]]
    account: OwnerAccount | None = None
    """None for a knowledge stack, which has accounts of its own."""


KINDS: Final[dict[Component.Kind, ComponentKind]] = {
    Component.Kind.SQL_DATABASE: ComponentKind(
        system=sql_databases.SYSTEM,
        resource_name=sql_databases.resource_name,
        deletion=sql_databases.deletion,
        downstream=sql_databases.downstream,
        account=OwnerAccount(
            sql_databases.USER, sql_databases.account_name, sql_databases.creation
        ),
    ),
    Component.Kind.TRIPLESTORE_REPOSITORY: ComponentKind(
        system=repositories.SYSTEM,
        resource_name=repositories.resource_name,
        deletion=repositories.deletion,
        downstream=repositories.downstream,
        account=OwnerAccount(repositories.USER, repositories.account_name, repositories.creation),
    ),
    Component.Kind.KNOWLEDGE_STACK: ComponentKind(
        system=knowledge_stacks.SYSTEM,
        resource_name=knowledge_stacks.resource_name,
        deletion=knowledge_stacks.deletion,
        downstream=knowledge_stacks.downstream,
    ),
}
SYSTEMS: Final[dict[Component.Kind, str]] = {kind: made.system for kind, made in KINDS.items()}
"""The system of each kind of component."""


@dataclass(frozen=True)
class ComponentSpec:
    """The owner, label and project of a new component."""

    owner: Person
    label: str
    project: Project | None
    stack: Stack | None = None


def made_by(kind: str, systems: ConnectedSystems) -> ComponentKind:
    """Return the kind of component. Raises BadInput for an unknown kind, Refused if its system is
    not configured.
    """
    found = KINDS.get(Component.Kind(kind)) if kind in Component.Kind.values else None
    if found is None:
        raise BadInput({"kind": message("kinds", kinds=", ".join(KINDS))})
    if not systems.configured(found.system):
        raise Refused(of_core("not_configured", system=label_of(found.system)))
    return found


def lock_shared(owner: Person, project: Project | None) -> Project | None:
    """Lock a project that its member puts something into. Raises Refused if they do not share it
    (any more).
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
    chosen: StackChoice | None = None,
) -> tuple[Component, tuple[PlannedStep, ...]]:
    """Make the record of a component and the steps that create it, in the caller's transaction.
    `chosen`: the template of a knowledge stack. Raises BadInput and Refused.
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
    own = maker.account
    assert own is not None, "what has no account of its owner is made from what was chosen"
    account = accounts.name_for(place.owner, own.kind, own.name, systems)
    fresh = accounts.reserve(place.owner, own.kind, account)
    component.save(force_insert=True)
    secrets = accounts.kept_secrets(vault, place.owner, own.kind, account, fresh=fresh)
    return component, own.creation(component, account, systems, new=fresh, secrets=secrets)


def place_behind(
    steps: tuple[PlannedStep, ...], first: int, needs: tuple[int, ...] = ()
) -> tuple[PlannedStep, ...]:
    """Renumber steps from `first`; those that wait for no step of their own wait for `needs`."""
    return tuple(
        step.model_copy(
            update={
                "n": step.n + first - 1,
                "needs": tuple(n + first - 1 for n in step.needs) or needs,
            }
        )
        for step in steps
    )
