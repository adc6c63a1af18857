"""A person's stacks that others use, shown before the owner leaves or is suspended."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db.models import Case, IntegerField, Value, When

from workspace_manager.records.models import (
    Component,
    Membership,
    Person,
    Project,
    Stack,
)


@dataclass(frozen=True)
class StackInUse:
    """A stack or single knowledge stack that others use. `successor`: the person who could make
    another; "" if none can now.
    """

    label: str
    project: str
    users: tuple[str, ...]
    successor: str
    id: str = field(default="", compare=False)


def used_by_others(owner: Person) -> Iterator[StackInUse]:
    """Yield each that others share now, the oldest first."""
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
                names = tuple(user.username for user in users)
                able = (user.username for user in users if user.state == Person.State.ACTIVE)
                yield StackInUse(one.label, one.project.label, names, next(able, ""), str(one.id))


def _users(project: Project, owner: Person) -> list[Person]:
    """Return the other members who stay: the project's owner, then those who decide on members,
    then the longest members; readers last.
    """
    order = (Membership.Role.MANAGE, Membership.Role.WRITE, Membership.Role.READ)
    rank = Case(
        *(When(role=role, then=Value(n)) for n, role in enumerate(order)),
        output_field=IntegerField(),
    )
    members = (
        Membership.objects.filter(project=project)
        .select_related("person")
        .order_by(rank, "since", "person__username")
    )
    sharing = [project.owner, *(member.person for member in members)]
    return [one for one in sharing if one != owner and one.state != Person.State.LEAVING]
