"""The sample template as the manager's stories take it: a draft, and offered to everybody."""

from typing import Any

from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.knowledge_stacks import templates
from workspace_manager.records.models import StackTemplate
from workspace_sandbox.sample_stack.template import template


def draft(**how: Any) -> templates.Draft:
    """What `templates.add` takes; `how` as for `template`."""
    given = template(**how)
    parameters = [templates.Parameter.model_validate(one) for one in given.pop("parameters")]
    return templates.Draft(parameters=parameters, **given)


def offer(systems: ConnectedSystems, *, actor: str, **how: Any) -> StackTemplate:
    """Add the template and let everybody make knowledge stacks from it. Raises BadInput where the
    settings do not allow it.
    """
    added = templates.add(draft(**how), actor=actor, systems=systems)
    return templates.offer(added, actor=actor, systems=systems)
