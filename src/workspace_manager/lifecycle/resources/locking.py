"""Take the rows that a story decides by, as they are now: what two people do at once happens one after the other.

Always in this order: administrators, person, component, project, a request to join it.
"""

import uuid

from workspace_manager.lifecycle.refusal import Refused
from workspace_manager.records.models import Person, Project


def lock_active(person: Person) -> Person:
    """Nothing new is made for somebody whose removal is approved at the same time. Raises Refused."""
    current = Person.objects.select_for_update().filter(id=person.id).first()
    if current is None or current.state == Person.State.LEAVING:
        raise Refused(f"{person.username} is leaving this workspace; nothing new is made any more.")
    if current.state != Person.State.ACTIVE:
        raise Refused(f"The access of {person.username} is suspended; nothing new is made now.")
    return current


def lock_project(project_id: uuid.UUID) -> Project:
    """Who joins a project and what becomes ready in it at the same time see each other. Raises Refused."""
    current = (
        Project.objects.select_for_update(of=("self",))
        .select_related("owner")
        .filter(id=project_id)
        .first()
    )
    if current is None:
        raise Refused("This project is not there any more.")
    return current
