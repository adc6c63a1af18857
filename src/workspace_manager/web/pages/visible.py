"""What somebody may see (specification, section 2.6). What they may not see is answered as not there."""

import uuid

from django.db.models import Q, QuerySet
from django.http import Http404

from workspace_manager.records.models import Component, Person, Project, ServiceKey


def components(person: Person) -> QuerySet[Component]:
    """One's own, those of one's projects, and for administrators all."""
    rows = Component.objects.select_related("owner", "project")
    if person.is_administrator:
        return rows
    shared = Q(project__owner=person) | Q(project__members=person)
    return rows.filter(Q(owner=person) | shared).distinct()


def component(person: Person, component_id: uuid.UUID) -> Component:
    """Raises Http404."""
    found = components(person).filter(id=component_id).first()
    if found is None:
        raise Http404
    return found


def projects(person: Person) -> QuerySet[Project]:
    """One's own and those one is a member of; for administrators all."""
    rows = Project.objects.select_related("owner")
    if person.is_administrator:
        return rows
    return rows.filter(Q(owner=person) | Q(members=person)).distinct()


def project(person: Person, project_id: uuid.UUID) -> Project:
    """Raises Http404."""
    found = projects(person).filter(id=project_id).first()
    if found is None:
        raise Http404
    return found


def own_key(person: Person, key_id: uuid.UUID) -> ServiceKey:
    """A key is its owner's alone; administrators do not see it either. Raises Http404."""
    found = ServiceKey.objects.filter(id=key_id, owner=person).first()
    if found is None:
        raise Http404
    return found


def may_change(person: Person, owner: Person) -> bool:
    """The owner, and whoever administers."""
    return person == owner or person.is_administrator
