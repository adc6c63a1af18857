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
    """The components somebody may see, with their projects."""
    return policy.visible_rows(person, Component).select_related("owner", "project")


def component(person: Person, component_id: uuid.UUID) -> Component:
    """Raises Http404."""
    return get_object_or_404(components(person), id=component_id)


def stacks(person: Person) -> QuerySet[Stack]:
    """The stacks somebody may see, with their projects."""
    return policy.visible_rows(person, Stack).select_related("owner", "project")


def stack(person: Person, stack_id: uuid.UUID) -> Stack:
    """Raises Http404."""
    return get_object_or_404(stacks(person), id=stack_id)


def snapshots(person: Person) -> QuerySet[Snapshot]:
    """The snapshots somebody may see."""
    return policy.visible_rows(person, Snapshot)


def snapshot(person: Person, snapshot_id: uuid.UUID) -> Snapshot:
    """Raises Http404."""
    return get_object_or_404(snapshots(person), id=snapshot_id)


def projects(person: Person) -> QuerySet[Project]:
    """The projects somebody may see."""
    return policy.visible_rows(person, Project)


def project(person: Person, project_id: uuid.UUID) -> Project:
    """Raises Http404."""
    return get_object_or_404(projects(person), id=project_id)


def own_key(person: Person, key_id: uuid.UUID) -> ServiceKey:
    """A key is its owner's alone; administrators do not see it either. Raises Http404."""
    return get_object_or_404(policy.visible_rows(person, ServiceKey), id=key_id)
