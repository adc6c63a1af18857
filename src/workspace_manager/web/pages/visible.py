"""What somebody may see and change, as pages ask it: the policy is `access.policy`. What is not
shown is answered as not there.
"""

import uuid

from django.db.models import QuerySet
from django.http import Http404

from workspace_manager.access import policy
from workspace_manager.records.models import (
    Component,
    Person,
    Project,
    ServiceKey,
    Snapshot,
    Stack,
)


def components(person: Person) -> QuerySet[Component]:
    """The components somebody may see, with their projects."""
    return policy.visible_rows(person, Component).select_related("owner", "project")


def component(person: Person, component_id: uuid.UUID) -> Component:
    """Raises Http404."""
    found = components(person).filter(id=component_id).first()
    if found is None:
        raise Http404
    return found


def stacks(person: Person) -> QuerySet[Stack]:
    """The stacks somebody may see, with their projects."""
    return policy.visible_rows(person, Stack).select_related("owner", "project")


def stack(person: Person, stack_id: uuid.UUID) -> Stack:
    """Raises Http404."""
    found = stacks(person).filter(id=stack_id).first()
    if found is None:
        raise Http404
    return found


def snapshots(person: Person) -> QuerySet[Snapshot]:
    """The snapshots somebody may see."""
    return policy.visible_rows(person, Snapshot)


def snapshot(person: Person, snapshot_id: uuid.UUID) -> Snapshot:
    """Raises Http404."""
    found = snapshots(person).filter(id=snapshot_id).first()
    if found is None:
        raise Http404
    return found


def projects(person: Person) -> QuerySet[Project]:
    """The projects somebody may see."""
    return policy.visible_rows(person, Project)


def project(person: Person, project_id: uuid.UUID) -> Project:
    """Raises Http404."""
    found = projects(person).filter(id=project_id).first()
    if found is None:
        raise Http404
    return found


def own_key(person: Person, key_id: uuid.UUID) -> ServiceKey:
    """A key is its owner's alone; administrators do not see it either. Raises Http404."""
    found = policy.visible_rows(person, ServiceKey).filter(id=key_id).first()
    if found is None:
        raise Http404
    return found
