"""The things that records know (databases, repositories, stacks, ontology projects, groups and
clients), and who may use each of them.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Model, Q, Value

from workspace_manager.contract.inventory import Listed
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.system import SystemSpec
from workspace_manager.core.account_link import subs_of
from workspace_manager.people import unlinked_sign_ins
from workspace_manager.reconcile.found import Found
from workspace_manager.reconcile.messages import message
from workspace_manager.records.models import (
    Account,
    Component,
    Membership,
    Person,
    Project,
    ReconcileItem,
    ServiceKey,
)
from workspace_manager.systems.container_manager import names as container_names
from workspace_manager.systems.identity_provider import names as identity_names
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.work import knowledge_stacks, ontology_names, reader_access, repositories

Difference = ReconcileItem.Difference
Key = tuple[str, str]

DATABASE: Final = sql_names.DATABASE_KIND
REPOSITORY: Final = repositories.REPOSITORY
ONTOLOGY: Final = ontology_names.KIND
STACK: Final = container_names.STACK_KIND
GROUP: Final = knowledge_stacks.GROUP
CLIENT: Final = knowledge_stacks.CLIENT
COMPONENTS: Final[Mapping[str, str]] = {
    DATABASE: Component.Kind.SQL_DATABASE,
    REPOSITORY: Component.Kind.TRIPLESTORE_REPOSITORY,
    STACK: Component.Kind.KNOWLEDGE_STACK,
    container_names.VOLUMES_KIND: Component.Kind.KNOWLEDGE_STACK,
    GROUP: Component.Kind.KNOWLEDGE_STACK,
    CLIENT: Component.Kind.KNOWLEDGE_STACK,
}
"""What makes a component of which kind, in its system."""
MADE_OF_PARTS: Final = frozenset({GROUP, CLIENT})
"""What systems have for themselves too: only what carries our mark can be of nobody."""
ALWAYS_THERE: Final = (DATABASE, REPOSITORY, STACK)
"""What a component that is ready has."""
HELD_BY: Final[Mapping[str, str]] = {
    DATABASE: reader_access.USERS[Component.Kind.SQL_DATABASE],
    REPOSITORY: reader_access.USERS[Component.Kind.TRIPLESTORE_REPOSITORY],
    GROUP: unlinked_sign_ins.KIND,
}
"""Of which kind the accounts are that may use a thing, where its system says who does. The ontology
editor cannot say who is a member.
"""


@dataclass
class Things:
    """What is known of the things of one page."""

    spec: SystemSpec[Any]
    settings: SystemSettings | None
    page: Sequence[Listed]
    recorded: dict[Key, Component | Project] = field(default_factory=dict)

    def can_be_recorded(self, one: Listed) -> bool:
        if one.kind in MADE_OF_PARTS:
            return one.ours
        return one.kind in COMPONENTS or one.kind == ONTOLOGY

    def is_recorded(self, one: Listed) -> bool:
        return (one.kind, one.name) in self.recorded

    def wrong_holders(self) -> Iterator[Found]:
        """Who may use a recorded thing there and not by the records, and the other way round."""
        held = [
            one
            for one in self.page
            if one.kind in HELD_BY and one.kept is None and self.is_recorded(one)
        ]
        if not held:
            return
        rights = _rights([self.recorded[one.kind, one.name] for one in held])
        accounts = _accounts(held, rights)
        for one in held:
            thing = self.recorded[one.kind, one.name]
            if isinstance(thing, Component) and thing.state != Component.State.READY:
                continue
            may = rights[thing.pk]
            if one.kind == GROUP and _is_of_admins(one):
                may = may.of_who_manages()
            yield from self._held(one, may, accounts[HELD_BY[one.kind]])

    def _held(
        self, one: Listed, rights: "Rights", accounts: Mapping[str, "Holder"]
    ) -> Iterator[Found]:
        for name in one.holders:
            holder = accounts.get(name)
            if name in rights.machines or (holder and holder.person in rights.people):
                continue
            if not self._uses_itself(name, recorded=holder is not None):
                username = holder.username if holder else ""
                why = (
                    message("not_shared", account=name, person=Named(person=username))
                    if holder
                    else message("not_shared_unknown", account=name)
                )
                yield Found(Difference.HOLDER_NOT_SHARED, one, why, username, name)
        for name, holder in accounts.items():
            there = holder.made or one.kind == GROUP
            wanted = holder.person in rights.required and not holder.machine and there
            if wanted and name not in one.holders:
                why = message("lacks", account=name, person=Named(person=holder.username))
                yield Found(Difference.HOLDER_LACKS, one, why, holder.username, name)

    def _uses_itself(self, name: str, *, recorded: bool) -> bool:
        if self.settings is None or recorded:
            return False
        return self.spec.own_names(self.settings).has(name)


def things_of(
    page: Sequence[Listed], spec: SystemSpec[Any], settings: SystemSettings | None
) -> Things:
    """Read what is recorded of these."""
    found = Things(spec, settings, page)
    wanted: dict[str, dict[str, list[Key]]] = defaultdict(lambda: defaultdict(list))
    for one in page:
        if one.kind in COMPONENTS:
            wanted[COMPONENTS[one.kind]][_component_name(one.kind, one.name)].append(
                (one.kind, one.name)
            )
    for kind, names in wanted.items():
        for row in Component.objects.filter(kind=kind, name__in=names).order_by():
            found.recorded |= dict.fromkeys(names[row.name], row)
    ids = {one.name for one in page if one.kind == ONTOLOGY}
    if ids:
        for project in Project.objects.filter(ontology_project_id__in=ids).order_by():
            found.recorded[ONTOLOGY, project.ontology_project_id] = project
    return found


def _component_name(kind: str, name: str) -> str:
    return identity_names.stack_of_group(name) if kind == GROUP else name


def _is_of_admins(group: Listed) -> bool:
    stack = identity_names.stack_of_group(group.name)
    return bool(stack) and group.name == identity_names.stack_groups(stack)[0]


@dataclass
class Rights:
    """Who may use one thing. `required`: who has to be able to; `managing`: who decides about the
    members of its project.
    """

    people: set[uuid.UUID] = field(default_factory=set)
    required: set[uuid.UUID] = field(default_factory=set)
    machines: set[str] = field(default_factory=set)
    managing: set[uuid.UUID] = field(default_factory=set)

    def of_who_manages(self) -> "Rights":
        """The same of a group that only those are in."""
        return Rights(self.people & self.managing, self.required & self.managing)


@dataclass(frozen=True)
class Holder:
    """Whose an account is that may use things. `person`: None for a user of the identity provider
    that nobody signs in as any more.
    """

    person: uuid.UUID | None
    username: str
    machine: bool
    made: bool


def _rights(things: Iterable[Model]) -> dict[uuid.UUID, Rights]:
    """By the id of each thing, with as many queries for many as for one."""
    rights: dict[uuid.UUID, Rights] = defaultdict(Rights)
    of_project: dict[uuid.UUID, list[uuid.UUID]] = defaultdict(list)
    for thing in things:
        if isinstance(thing, Component | Project):
            rights[thing.pk].people.add(thing.owner_id)
            rights[thing.pk].managing.add(thing.owner_id)
            project = thing.pk if isinstance(thing, Project) else thing.project_id
            if project:
                of_project[project].append(thing.pk)
    owners = Project.objects.filter(pk__in=of_project).values_list(
        "pk", "owner", "owner__state", Value(Membership.Role.MANAGE.value)
    )
    members = Membership.objects.filter(project__in=of_project).values_list(
        "project", "person", "person__state", "role"
    )
    for project, person, state, role in [*owners.order_by(), *members]:
        for thing_id in of_project[project]:
            each = rights[thing_id]
            if role == Membership.Role.MANAGE:
                each.managing.add(person)
            if state == Person.State.ACTIVE and person not in each.people:
                each.required.add(person)
            each.people.add(person)
    for component, account in ServiceKey.objects.filter(component__in=rights).values_list(
        "component", "account"
    ):
        rights[component].machines.add(account)
    return rights


def _accounts(
    held: Sequence[Listed], rights: Mapping[uuid.UUID, Rights]
) -> dict[str, dict[str, Holder]]:
    """The recorded accounts of all who have a right and of all who hold one, by kind and name."""
    kinds = {HELD_BY[one.kind] for one in held}
    names = {name for one in held for name in one.holders}
    people = {person for each in rights.values() for person in each.people}
    rows = Account.objects.filter(
        Q(person__in=people) | Q(name__in=names), kind__in=kinds, gone_at=None
    )
    signs_in_as = _links(people) if unlinked_sign_ins.KIND in kinds else {}
    found: dict[str, dict[str, Holder]] = defaultdict(dict)
    for kind, name, person, username, machine, made in rows.order_by().values_list(
        "kind", "name", "person", "username", "machine", "made_by_us"
    ):
        former = kind == unlinked_sign_ins.KIND and signs_in_as.get(person) != name
        found[kind][name] = Holder(None if former else person, username, machine, made)
    return found


def _links(people: Iterable[uuid.UUID]) -> Mapping[uuid.UUID, str]:
    return subs_of(Person.objects.filter(id__in=list(people)).order_by())


def component_of(kind: str, name: str) -> Component | None:
    """Of which component a thing is, at this moment."""
    rows = Component.objects.filter(kind=COMPONENTS.get(kind, ""))
    return rows.filter(name=_component_name(kind, name)).first()


def is_recorded_thing(kind: str, name: str) -> bool:
    """Whether a thing is somebody's by the records, at this moment."""
    if kind == ONTOLOGY:
        return Project.objects.filter(ontology_project_id=name).exists()
    return component_of(kind, name) is not None
