"""Steps of a membership change besides a person's own accounts: the groups of knowledge stacks."""

from collections.abc import Sequence
from typing import Final

from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.knowledge_stacks import kind as knowledge_stacks
from workspace_manager.records.models import Component, Person
from workspace_manager.work.messages import message as of_projects

SHARE: Final = declare_step("share_knowledge_stacks", of_projects)


def groups(
    person: Person, components: Sequence[Component], systems: ConnectedSystems
) -> PlannedStep | None:
    """Return the step that writes the groups of knowledge stacks; a group is written as a whole."""
    stacks = [one for one in components if one.kind == Component.Kind.KNOWLEDGE_STACK]
    changes = knowledge_stacks.group_changes(stacks, person)
    system = knowledge_stacks.IDENTITY
    if not changes or not systems.configured(system):
        return None
    return PlannedStep(
        n=0,
        name=SHARE,
        system=system,
        changes=tuple(plan_change(change) for change in changes),
    )
