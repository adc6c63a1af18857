"""The policy of who may do what with what is here. Deny by default.

| | view | change, delete | make a snapshot of |
|---|---|---|---|
| project | owner, members | owner | |
| component, stack | owner, and who shares its project | owner | owner |
| snapshot | owner | owner | |
| service key | owner | owner | |

Administrators may do everything with everything but service keys, which are their owner's alone.
Whoever was given a permission (`access/permissions.py`) may do a part of it: `view_components` and
`view_stacks` let see all of them; `administer_…` lets see, change, delete and snapshot all of one
kind of thing; who has `administer_snapshots` makes snapshots of whatever component or stack they
see. Whoever administers projects takes people out of them. A thing is opened to more people by its
owner, a project also by members whose role is `manage`; by administrators as
`accounts/access_grant.py` says; and by no permission.

Who shares a project also uses its components in their own systems, as far as the role says;
`work/sharing.py` brings that about, by the same answers. No permission opens a system.

See docs/explanation/permissions.md#the-policy.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias, TypeVar

from django.db.models import Model, Q, QuerySet

from workspace_manager.access import permissions
from workspace_manager.records.models import (
    Component,
    Membership,
    Permission,
    Person,
    Project,
    ServiceKey,
    Snapshot,
    Stack,
)

Thing: TypeAlias = Project | Component | Stack | Snapshot | ServiceKey
Shared: TypeAlias = Project | Component | Stack
M = TypeVar("M", bound=Model)

Name = Permission.Name
Role = Membership.Role
ADMINISTERING: Final[Mapping[type[Model], str]] = {
    Project: Name.ADMINISTER_PROJECTS,
    Component: Name.ADMINISTER_COMPONENTS,
    Stack: Name.ADMINISTER_STACKS,
    Snapshot: Name.ADMINISTER_SNAPSHOTS,
}
"""Which permission bypasses the owner of what. Nothing bypasses the owner of a service key."""
VIEWING: Final[Mapping[type[Model], str]] = {
    Component: Name.VIEW_COMPONENTS,
    Stack: Name.VIEW_STACKS,
}
OWNER: Final = "owner"


def visible_rows(person: Person, model: type[M]) -> QuerySet[M]:
    """The rows of one kind of thing that somebody may see. Who is not active sees nothing."""
    rows = model._default_manager.select_related("owner")
    if person.state != Person.State.ACTIVE:
        return rows.none()
    letting = [table[model] for table in (ADMINISTERING, VIEWING) if model in table]
    if letting and permissions.has(person, *letting):
        return rows
    mine = Q(owner=person)
    # Asked by subqueries: joined, each row would come once for every member.
    joined = Membership.objects.filter(person=person).values("project")
    if model is Project:
        mine |= Q(pk__in=joined)
    elif model in {Component, Stack}:
        mine |= Q(project__in=Project.objects.filter(owner=person).values("pk"))
        mine |= Q(project__in=joined)
    return rows.filter(mine)


def may_view(person: Person, thing: Thing) -> bool:
    """Return whether somebody may see this; what one may not see is answered as not there."""
    return visible_rows(person, type(thing)).filter(pk=thing.pk).exists()


def may_change(person: Person, thing: Thing) -> bool:
    """Return whether somebody may change or delete this: its owner, and who administers such."""
    if person.state != Person.State.ACTIVE:
        return False
    if thing.owner_id == person.id:
        return True
    letting = ADMINISTERING.get(type(thing))
    return letting is not None and permissions.has(person, letting)


def may_snapshot(person: Person, thing: Component | Stack) -> bool:
    """Return whether somebody may make a snapshot of this."""
    if may_change(person, thing):
        return True
    return permissions.has(person, Name.ADMINISTER_SNAPSHOTS) and may_view(person, thing)


def may_manage_members(person: Person, project: Project) -> bool:
    """Return whether somebody takes people out of a project, and sees who asks and is invited."""
    return may_change(person, project) or may_open(person, project)


def may_open(person: Person, thing: Shared) -> bool:
    """Return whether somebody gives others access to this: lets them into a project, puts a
    component into one, lets everybody read it.
    """
    if person.state != Person.State.ACTIVE:
        return False
    return person.is_administrator or opens_by_right(person, thing)


def opens_by_right(person: Person, thing: Shared) -> bool:
    """Return whether it is theirs to open: its owner's, and members' who manage a project."""
    if thing.owner_id == person.id:
        return True
    return isinstance(thing, Project) and role_in(person, thing) == Role.MANAGE


# --- sharing --------------------------------------------------------------------------------------


def role_in(person: Person, project: Project) -> str:
    """The role of a person in a project: `owner`, `manage`, `write`, `read`; "" for a person who
    does not share it. Administrators do not, unless they are one of these.
    """
    if project.owner_id == person.id:
        return OWNER
    found = project.memberships.filter(person_id=person.id).values_list("role", flat=True).first()
    return found or ""


def shares(person: Person, project: Project) -> bool:
    """Return whether somebody owns a project or is a member of it, whatever the role."""
    return bool(role_in(person, project))


def sharers(project: Project) -> list[Person]:
    """Everybody who shares a project: its owner, then its members by name."""
    members = Person.objects.filter(memberships__project=project).order_by("username")
    return [project.owner, *members]


def level(person: Person, component: Component) -> str:
    """The level of a person in somebody else's finished component that is shared with them, in its
    system: `read`, `write` (which includes reading), or "" for nothing.

    A role that decides about members works like `write`. What one owns is not shared with one: ""
    as well.
    """
    if (
        person.state == Person.State.LEAVING
        or component.owner_id == person.id
        or component.owner.state == Person.State.LEAVING
        or component.state != Component.State.READY
        or component.project is None
    ):
        return ""
    return level_of_role(role_in(person, component.project))


def level_of_role(role: str) -> str:
    """The level that a role gives in the components of its project; "" for no role."""
    if not role:
        return ""
    return "read" if role == Role.READ else "write"


def uses(person: Person, component: Component) -> bool:
    """Return whether somebody else's finished component is shared with this person now, at any
    level.
    """
    return bool(level(person, component))


def levels(person: Person, kind: str) -> dict[Component, str]:
    """The components of others that are shared with a person, and the level in each."""
    shared = Q(project__owner=person) | Q(project__members=person)
    found = Component.objects.filter(shared, kind=kind).exclude(owner=person).distinct()
    asked = {one: level(person, one) for one in found.select_related("owner", "project")}
    return {component: may for component, may in asked.items() if may}


def ontology_permission(person: Person, project: Project) -> str:
    """The permission of a person in a project's ontology project: its owner manages, members edit
    or view as their role says, others nothing.
    """
    leaving = Person.State.LEAVING
    if person.state == leaving or project.owner.state == leaving:
        return ""
    role = role_in(person, project)
    if role == OWNER:
        return "MANAGE"
    return {"": "", "read": "VIEW", "write": "EDIT"}[level_of_role(role)]
