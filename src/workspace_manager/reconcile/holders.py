"""Compares the rights of accounts to things with the memberships in the records."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.db.models import Q, Value

from workspace_manager.access.policy import level_of_role
from workspace_manager.accounts import reader_access
from workspace_manager.contract.inventory import (
    DEFINE,
    EVERYBODY,
    LEVELS,
    OTHER,
    OWN,
    WRITE,
    InventoryEntry,
)
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.system import SystemSpec
from workspace_manager.core.account_link import subs_of
from workspace_manager.people import unlinked_sign_ins
from workspace_manager.reconcile.found_difference import FoundDifference
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.recorded_things import DATABASE, GROUP, REPOSITORY
from workspace_manager.records.models import (
    Account,
    Component,
    Membership,
    Person,
    Project,
    ReconcileItem,
    ServiceKey,
)
from workspace_manager.systems.identity_provider import names as identity_names

Difference = ReconcileItem.Difference

HELD_BY: Final[Mapping[str, str]] = {
    DATABASE: reader_access.USERS[Component.Kind.SQL_DATABASE],
    REPOSITORY: reader_access.USERS[Component.Kind.TRIPLESTORE_REPOSITORY],
    GROUP: unlinked_sign_ins.KIND,
}
"""The kind of account that may use a kind of thing, where the system tells. The ontology editor
does not list members.
"""
MOST: Final[Mapping[str, str]] = {REPOSITORY: WRITE}
"""Kinds of things whose owner has no more than this level."""


@dataclass
class Rights:
    """The rights to one thing. `required`: people who must have access; `managing`: people who
    decide on members of its project; `machines`: accounts of its keys.
    """

    owner: uuid.UUID
    people: dict[uuid.UUID, str] = field(default_factory=dict)
    required: set[uuid.UUID] = field(default_factory=set)
    machines: dict[str, str] = field(default_factory=dict)
    managing: set[uuid.UUID] = field(default_factory=set)

    def of_who_manages(self) -> "Rights":
        """Return the rights limited to the people who decide on members, for their group."""
        people = {one: level for one, level in self.people.items() if one in self.managing}
        return replace(self, people=people, required=self.required & self.managing)

    def level(self, name: str, holder: "Holder | None") -> str:
        """Return the level of an account; "" for no access."""
        if name in self.machines:
            return self.machines[name]
        if holder is None or holder.person is None or holder.machine:
            return ""
        return self.people.get(holder.person, "")


@dataclass(frozen=True)
class Holder:
    """The owner of an account that may use things. `person` is None for a user of the identity
    provider whom nobody signs in as any more.
    """

    person: uuid.UUID | None
    username: str
    machine: bool
    made: bool


@dataclass
class Holders:
    """Compares the accounts that may use the things of a page."""

    spec: SystemSpec[Any]
    settings: SystemSettings | None

    def wrong(self, held: Sequence[tuple[InventoryEntry, Component]]) -> Iterator[FoundDifference]:
        """Yield wrong rights to finished things."""
        if not held:
            return
        rights = _rights([thing for _, thing in held])
        accounts = _accounts([one for one, _ in held], rights)
        for one, thing in held:
            may = rights[thing.pk]
            if one.kind == GROUP and _is_of_admins(one):
                may = may.of_who_manages()
            yield from self._too_much(one, may, accounts[HELD_BY[one.kind]])
            yield from _lacking(one, may, accounts[HELD_BY[one.kind]])

    def _too_much(
        self, one: InventoryEntry, rights: Rights, accounts: Mapping[str, Holder]
    ) -> Iterator[FoundDifference]:
        """Yield accounts with access that is not recorded, or with more than recorded."""
        for name in one.holders:
            holder = accounts.get(name)
            wanted, there = rights.level(name, holder), one.levels.get(name, "")
            if wanted:
                if holder and _is_more(there, _most(one, wanted)):
                    yield _otherwise(Difference.HOLDER_NOT_SHARED, one, rights, name, holder)
            elif not self._uses_itself(name, recorded=holder is not None):
                username = holder.username if holder else ""
                why = (
                    message("not_shared", account=name, person=Named(person=username))
                    if holder
                    else message("not_shared_unknown", account=name)
                )
                yield FoundDifference(Difference.HOLDER_NOT_SHARED, one, why, username, name)

    def _uses_itself(self, name: str, *, recorded: bool) -> bool:
        if self.settings is None or recorded:
            return False
        return self.spec.own_names(self.settings).has(name)


def _lacking(
    one: InventoryEntry, rights: Rights, accounts: Mapping[str, Holder]
) -> Iterator[FoundDifference]:
    """Yield recorded rights that are absent, or less than recorded."""
    for name, holder in accounts.items():
        wanted = rights.level(name, holder)
        if not wanted or holder.person not in rights.required:
            continue
        if name in one.holders:
            there = one.levels.get(name, "")
            if there in LEVELS and _is_more(_most(one, wanted), there):
                yield _otherwise(Difference.HOLDER_LACKS, one, rights, name, holder)
        elif holder.made or one.kind == GROUP:
            here = Named(person=holder.username)
            by_hand = _is_by_hand(one, rights, holder)
            why = message("owner_lacks" if by_hand else "lacks", account=name, person=here)
            yield FoundDifference(Difference.HOLDER_LACKS, one, why, holder.username, name)


def _otherwise(
    difference: str, one: InventoryEntry, rights: Rights, name: str, holder: Holder
) -> FoundDifference:
    """Build the difference of an account with more or less than recorded."""
    why = message(
        "owner_level" if _is_by_hand(one, rights, holder) else "other_level",
        account=name,
        person=Named(person=holder.username),
        there=message(f"level.{one.levels[name]}"),
        wanted=message(f"level.{_most(one, rights.level(name, holder))}"),
    )
    return FoundDifference(difference, one, why, holder.username, name)


def _is_by_hand(one: InventoryEntry, rights: Rights, holder: Holder) -> bool:
    """Return whether no plan repairs it: the rights of a database's owner in it."""
    return one.kind == DATABASE and holder.person == rights.owner and not holder.machine


def _is_more(one: str, other: str) -> bool:
    """Return whether a level exceeds another; an unknown level exceeds none."""
    if one == OTHER:
        return True
    return bool(one) and LEVELS.index(one) > LEVELS.index(other)


def _most(one: InventoryEntry, level: str) -> str:
    """Return the level, cut to the most that the kind of thing allows."""
    return min(level, MOST.get(one.kind, OWN), key=LEVELS.index)


def _is_of_admins(group: InventoryEntry) -> bool:
    stack = identity_names.stack_of_group(group.name)
    return bool(stack) and group.name == identity_names.stack_groups(stack)[0]


# --- what is recorded -----------------------------------------------------------------------------


def _rights(things: Iterable[Component]) -> dict[uuid.UUID, Rights]:
    """Return the rights by the id of each thing; the number of queries does not grow with the
    things.
    """
    rights: dict[uuid.UUID, Rights] = {}
    of_project: dict[uuid.UUID, set[uuid.UUID]] = defaultdict(set)
    for thing in things:
        each = rights[thing.pk] = Rights(thing.owner_id)
        _add(each, thing.owner_id, thing.owner.state, Membership.Role.MANAGE, OWN)
        if thing.project_id:
            of_project[thing.project_id].add(thing.pk)
    manages = Value(Membership.Role.MANAGE.value)
    owners = Project.objects.filter(pk__in=of_project).values_list(
        "pk", "owner", "owner__state", manages
    )
    members = Membership.objects.filter(project__in=of_project).values_list(
        "project", "person", "person__state", "role"
    )
    for project, person, state, role in [*owners.order_by(), *members.order_by()]:
        for thing_id in of_project[project]:
            _add(rights[thing_id], person, state, role, level_of_role(role))
    keys = ServiceKey.objects.filter(component__in=rights).order_by()
    for component, account, owner in keys.values_list("component", "account", "owner"):
        may = rights[component].people.get(owner, "")
        rights[component].machines[account] = DEFINE if may == OWN else may
    return rights


def _add(rights: Rights, person: uuid.UUID, state: str, role: str, level: str) -> None:
    if role == Membership.Role.MANAGE:
        rights.managing.add(person)
    if state == Person.State.ACTIVE:
        rights.required.add(person)
    # The owner has every right, whatever their role in the project.
    rights.people.setdefault(person, level)


def _accounts(
    held: Sequence[InventoryEntry], rights: Mapping[uuid.UUID, Rights]
) -> dict[str, dict[str, Holder]]:
    """Return the recorded accounts of all who have or hold a right, by kind and name."""
    kinds = {HELD_BY[one.kind] for one in held}
    names = {name for one in held for name in one.holders}
    people = {person for each in rights.values() for person in each.people}
    rows = Account.objects.filter(
        Q(person__in=people) | Q(name__in=names), kind__in=kinds, gone_at=None
    )
    signs_in_as: Mapping[uuid.UUID, str] = {}
    if unlinked_sign_ins.KIND in kinds:
        signs_in_as = subs_of(Person.objects.filter(id__in=list(people)).order_by())
    found: dict[str, dict[str, Holder]] = defaultdict(dict)
    for kind, name, person, username, machine, made in rows.order_by().values_list(
        "kind", "name", "person", "username", "machine", "made_by_us"
    ):
        former = kind == unlinked_sign_ins.KIND and signs_in_as.get(person) != name
        found[kind][name] = Holder(None if former else person, username, machine, made)
    return found


# --- everybody ------------------------------------------------------------------------------------


def wrong_public(opened: Iterable[tuple[InventoryEntry, Component]]) -> Iterator[FoundDifference]:
    """Yield things that everybody may use there, though the records do not make them public."""
    for one, thing in opened:
        writes = one.levels.get(EVERYBODY) == WRITE
        if writes or not thing.public_read:
            why = message("everybody_writes" if writes else "everybody_reads")
            yield FoundDifference(Difference.HOLDER_NOT_SHARED, one, why, thing.owner.username)
