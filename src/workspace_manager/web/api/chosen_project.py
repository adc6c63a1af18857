"""The project that a body names for something new."""

from workspace_manager.core.refusal import BadInput
from workspace_manager.records.models import Person, Project
from workspace_manager.web.messages import message
from workspace_manager.web.pages import visible


def own_or_shared(person: Person, project_id: str) -> Project:
    """Return a project that the person owns or shares. Raises BadInput for any other."""
    project = visible.projects(person).filter(id=project_id).first()
    if project is None or not (
        project.owner == person or project.members.filter(id=person.id).exists()
    ):
        raise BadInput({"project": message("own_or_shared")})
    return project
