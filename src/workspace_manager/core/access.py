"""Who may do what with what is here: the one policy. Deny by default.

| | view | change, delete | make a snapshot of |
|---|---|---|---|
| project | owner, members | owner | |
| component, stack | owner, and who shares its project | owner | owner |
| snapshot | owner | owner | |
| service key | owner | owner | |

Administrators may do everything with everything but service keys, which are their owner's alone.
Who shares a project also uses its components in their own systems; `resources/sharing.py` brings
that about, by the same answers.

See docs/explanation/permissions.md#the-policy.
"""

from typing import TypeAlias, TypeVar

from django.db.models import Model, Q, QuerySet

from workspace_manager.records.models import Component, Person, Project, ServiceKey, Snapshot, Stack

Thing: TypeAlias = Project | Component | Stack | Snapshot | ServiceKey
M = TypeVar("M", bound=Model)


def visible(person: Person, model: type[M]) -> QuerySet[M]:
    """The rows of one kind of thing that somebody may see. Who is not active sees nothing."""
    rows = model._default_manager.select_related("owner")
    if person.state != Person.State.ACTIVE:
        return rows.none()
    if person.is_administrator and model is not ServiceKey:
        return rows
    mine = Q(owner=person)
    if model is Project:
        mine |= Q(members=person)
    elif model in {Component, Stack}:
        mine |= Q(project__owner=person) | Q(project__members=person)
    return rows.filter(mine).distinct()


def may_view(person: Person, thing: Thing) -> bool:
    """Whether somebody may see this; what one may not see is answered as not there."""
    return visible(person, type(thing)).filter(pk=thing.pk).exists()


def may_change(person: Person, thing: Thing) -> bool:
    """Whether somebody may change or delete this."""
    if isinstance(thing, ServiceKey):
        return person.state == Person.State.ACTIVE and thing.owner_id == person.id
    return rules_over(person, thing.owner)


def rules_over(person: Person, owner: Person) -> bool:
    """Whether somebody may change what this owner has: the owner, and whoever administers."""
    active = person.state == Person.State.ACTIVE
    return active and (person.is_administrator or person == owner)


def may_snapshot(person: Person, thing: Component | Stack) -> bool:
    """Whether somebody may make a snapshot of this."""
    return may_change(person, thing)


# --- sharing --------------------------------------------------------------------------------------


def shares(person: Person, project: Project) -> bool:
    """Whether somebody owns a project or is a member of it. Administrators do not, unless they are
    one of the two.
    """
    return project.owner_id == person.id or project.memberships.filter(person_id=person.id).exists()


def sharers(project: Project) -> list[Person]:
    """Everybody who shares a project: its owner, then its members by name."""
    members = Person.objects.filter(memberships__project=project).order_by("username")
    return [project.owner, *members]


def uses(person: Person, component: Component) -> bool:
    """Whether somebody else's finished component is shared with this person now: what access in its
    system follows from.
    """
    return (
        person.state != Person.State.LEAVING
        and component.owner_id != person.id
        and component.owner.state != Person.State.LEAVING
        and component.state == Component.State.READY
        and component.project is not None
        and shares(person, component.project)
    )


def used_by(person: Person, kind: str) -> list[Component]:
    """Everything of one kind that others share with this person, by all memberships together."""
    shared = Q(project__owner=person) | Q(project__members=person)
    found = Component.objects.filter(shared, kind=kind).exclude(owner=person).distinct()
    return [
        component
        for component in found.select_related("owner", "project")
        if uses(person, component)
    ]


def ontology_permission(person: Person, project: Project) -> str:
    """What somebody may do in a project's ontology project: its owner manages, members edit, others
    nothing.
    """
    leaving = Person.State.LEAVING
    if person.state == leaving or project.owner.state == leaving or not shares(person, project):
        return ""
    return "MANAGE" if project.owner_id == person.id else "EDIT"
