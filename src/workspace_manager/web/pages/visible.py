"""Things that a person may see and change, for pages: the policy is `access.policy`. Hidden things
are answered as missing.
"""

import uuid

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

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
    """Return the components that a person may see, with their projects."""
    return policy.visible_rows(person, Component).select_related("owner", "project")


def component(person: Person, component_id: uuid.UUID) -> Component:
    """Return the component. Raises Http404."""
    return get_object_or_404(components(person), id=component_id)


def stacks(person: Person) -> QuerySet[Stack]:
    """Return the stacks that a person may see, with their projects."""
    return policy.visible_rows(person, Stack).select_related("owner", "project")


def stack(person: Person, stack_id: uuid.UUID) -> Stack:
    """Return the stack. Raises Http404."""
    return get_object_or_404(stacks(person), id=stack_id)


def snapshots(person: Person) -> QuerySet[Snapshot]:
    """Return the snapshots that a person may see."""
    return policy.visible_rows(person, Snapshot)


def snapshot(person: Person, snapshot_id: uuid.UUID) -> Snapshot:
    """Return the snapshot. Raises Http404."""
    return get_object_or_404(snapshots(person), id=snapshot_id)


def projects(person: Person) -> QuerySet[Project]:
    """Return the projects that a person may see."""
    return policy.visible_rows(person, Project)


def project(person: Person, project_id: uuid.UUID) -> Project:
    """Return the project. Raises Http404."""
    return get_object_or_404(projects(person), id=project_id)


def own_key(person: Person, key_id: uuid.UUID) -> ServiceKey:
    """Return a person's own key; nobody else sees it, not even an administrator. Raises Http404."""
    return get_object_or_404(policy.visible_rows(person, ServiceKey), id=key_id)
