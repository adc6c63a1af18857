"""The end of a project: things of others leave it, and the access it gave ends.

See docs/explanation/projects.md#members.
"""

from collections.abc import Sequence

from workspace_manager.access import policy
from workspace_manager.audit.note import note
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.records.models import Component, Plan, Project
from workspace_manager.work import sharing


def take_out(components: Sequence[Component]) -> None:
    """Take components out of their project, in these objects too, which the following updates of
    access read.
    """
    Component.objects.filter(id__in=[component.id for component in components]).update(project=None)
    for component in components:
        component.project = None


def end_project(project: Project, *, actor: str, systems: ConnectedSystems) -> list[Plan]:
    """End the access that a project gave, in the transaction that deletes its row; things of others
    leave it.
    """
    people = policy.sharers(project)
    components = list(project.components.select_related("owner"))
    kept = [component for component in components if component.owner_id != project.owner_id]
    take_out(components)
    project.stacks.update(project=None)
    project.memberships.all().delete()
    project.requests.all().delete()
    for component in kept:
        note("component:detached", component.owner.username, actor=actor, id=str(component.id))
    return sharing.settle_all(
        people,
        about=str(project.id),
        actor=actor,
        systems=systems,
        project=project,
        components=components,
        repositories_too=True,
    )
