"""Take the rows that a story decides by, as they are now: what two people do at once happens one
after the other.

Always in this order: administrators, person, project, component, a request to join. Of several
projects the one with the lower id first. Whoever holds a project holds what is in it: nothing comes
in or goes out meanwhile.
"""

import uuid
from typing import Final

from django.db import transaction

from workspace_manager.accounts.messages import message
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Component, Person, Plan, Project

PROJECT_DELETION: Final = "project.delete"
"""The kind of the plan that deletes one."""


def lock_active(person: Person) -> Person:
    """Nothing new is made for somebody whose removal is approved at the same time.
    Raises Refused.
    """
    current = Person.objects.select_for_update().filter(id=person.id).first()
    if current is None or current.state == Person.State.LEAVING:
        raise Refused(message("leaving", name=person.username))
    if current.state != Person.State.ACTIVE:
        raise Refused(message("suspended", name=person.username))
    return current


def lock_project(project_id: uuid.UUID) -> Project:
    """Lock a project, so that who joins it and what becomes ready in it at the same time see each
    other. Raises Refused.
    """
    current = (
        Project.objects.select_for_update(of=("self",))
        .select_related("owner")
        .filter(id=project_id)
        .first()
    )
    if current is None:
        raise Refused(message("project_gone"))
    return current


def lock_staying(project_id: uuid.UUID) -> Project:
    """A project that something is put into: nothing is handed to an owner who is leaving, and
    nothing put into what is being deleted. Raises Refused.
    """
    current = lock_project(project_id)
    if current.owner.state == Person.State.LEAVING:
        raise Refused(message("owner_leaving", name=current.owner.username))
    running = deletion_of(current)
    if running:
        raise Refused(message("project_deleting"), plan=str(running.id))
    return current


def deletion_of(project: Project) -> Plan | None:
    """The plan that is deleting a project, if there is one."""
    about = Plan.objects.filter(about=str(project.id), state__in=Plan.OPEN)
    return about.filter(kind=PROJECT_DELETION).first()


def lock_component(component_id: uuid.UUID | str, *others: Project) -> Component | None:
    """The component as it is now, locked after its project and these others; None when it is not
    there any more.

    Which project that is shows only a look without a lock: when the component has moved since,
    everything is let go and taken anew.
    """
    while True:
        with transaction.atomic():
            seen = Component.objects.filter(id=component_id).values_list("project_id", flat=True)
            places = {*seen, *(other.id for other in others)}
            list(Project.objects.select_for_update().filter(id__in=places).order_by("id"))
            rows = Component.objects.select_for_update(of=("self",))
            found = rows.select_related("owner", "project").filter(id=component_id).first()
            if found is None or found.project_id is None or found.project_id in places:
                return found
            transaction.set_rollback(True)
