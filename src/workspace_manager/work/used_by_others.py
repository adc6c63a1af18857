"""What of somebody's stacks others use: said before the owner leaves or is suspended."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Case, IntegerField, Value, When

from workspace_manager.records.models import (
    Component,
    Membership,
    Person,
    Project,
    Stack,
)


@dataclass(frozen=True)
class Used:
    """A stack, or a knowledge stack by itself, that others use. `successor`: who would be the one
    to ask, "" for nobody.
    """

    label: str
    project: str
    users: tuple[str, ...]
    successor: str


def used_by_others(owner: Person) -> Iterator[Used]:
    """Each that others share now, the oldest first."""
    stacks = Stack.objects.filter(owner=owner)
    alone = Component.objects.filter(
        owner=owner, kind=Component.Kind.KNOWLEDGE_STACK, stack__isnull=True
    )
    for rows in (stacks, alone):
        for one in (
            rows.exclude(project=None).select_related("project__owner").order_by("created_at")
        ):
            assert one.project
            users = _users(one.project, owner)
            if users:
                yield Used(one.label, one.project.label, users, users[0])


def _users(project: Project, owner: Person) -> tuple[str, ...]:
    """Who else shares the project: first its owner, then who decides about its members, then who
    works with it longest; those who only look last.
    """
    order = (Membership.Role.MANAGE, Membership.Role.WRITE, Membership.Role.READ)
    rank = Case(
        *(When(role=role, then=Value(n)) for n, role in enumerate(order)),
        output_field=IntegerField(),
    )
    members = (
        Membership.objects.filter(project=project)
        .exclude(person=owner)
        .exclude(person__state=Person.State.LEAVING)
        .order_by(rank, "since", "person__username")
        .values_list("person__username", flat=True)
    )
    first = [project.owner.username] if project.owner_id != owner.id else []
    return (*first, *members)
