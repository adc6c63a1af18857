"""What a change of memberships settles besides somebody's own accounts: the groups of knowledge
stacks, and what programs may do.
"""

from collections.abc import Sequence

from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import planned
from workspace_manager.records.models import Component, Person
from workspace_manager.work import knowledge_stacks, machine_accounts


def groups(
    person: Person, components: Sequence[Component], systems: ConnectedSystems
) -> PlannedStep | None:
    """Everybody's place in the groups of knowledge stacks: a group is written as a whole."""
    stacks = [one for one in components if one.kind == Component.Kind.KNOWLEDGE_STACK]
    changes = knowledge_stacks.group_changes(stacks, person)
    system = knowledge_stacks.IDENTITY
    if not changes or not systems.configured(system):
        return None
    return PlannedStep(
        n=0,
        name="share_knowledge_stacks",
        system=system,
        changes=tuple(planned(change) for change in changes),
    )


def machine_keys(
    person: Person, components: Sequence[Component], systems: ConnectedSystems
) -> list[PlannedStep]:
    """What the person's programs may do with things of others follows from what the person may."""
    return [
        PlannedStep(
            n=0,
            name="settle_machine_accounts",
            system=system,
            changes=tuple(planned(change, name=change.target["user"]) for change in changes),
        )
        for system, changes in machine_accounts.settling(person, components).items()
        if systems.configured(system)
    ]
