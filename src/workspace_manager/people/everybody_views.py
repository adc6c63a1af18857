"""Views of all people, with the possible actions for each, for REST, pages and the command line."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeVar
from uuid import UUID, uuid5

from django.db.models import Prefetch, prefetch_related_objects

from workspace_manager.access import permissions, provider_state
from workspace_manager.people.everybody import Row, state_of
from workspace_manager.people.filters import APPROVED, FORMER_STATE, PEOPLE, WAITING
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.people.person_views import (
    ComingView,
    EverybodyView,
    FormerView,
    PersonView,
)
from workspace_manager.records.models import (
    Account,
    Permission,
    Person,
    ProviderState,
    Registration,
    Tombstone,
)

ACCOUNTS = "standing_accounts"
PERMISSIONS = "standing_permissions"
BATCH: Final = 500
ACTIONS: Final = {
    WAITING: ("approve", "reject"),
    APPROVED: ("withdraw",),
    str(Person.State.ACTIVE): ("suspend", "removal"),
    str(Person.State.SUSPENDED): ("resume", "removal"),
    str(Person.State.LEAVING): (),
    FORMER_STATE: ("release",),
}
"""Actions of administrators by state, named as the ends of REST addresses. Nobody can use them on
themselves.
"""
LEFT: Final = UUID("7d0c6f0e-6b0b-4f0a-9d5e-6a1f3c1b8e21")
"""The namespace of former members' ids: a tombstone's number would reveal the number of
removals.
"""
T = TypeVar("T", bound=Row)
R = TypeVar("R")


def split_batches(rows: Iterable[R]) -> Iterator[list[R]]:
    """Split rows into batches that fit into one query."""
    left = iter(rows)
    while some := list(islice(left, BATCH)):
        yield some


def view_person(person: Person) -> PersonView:
    (view,) = view_people([person])
    return view


def view_people(people: Iterable[Person]) -> list[PersonView]:
    """Return views; the number of queries does not grow with the people."""
    return [view for some in split_batches(people) for view in _people(some)]


def _people(people: Sequence[Person]) -> Iterator[PersonView]:
    accounts = Account.objects.filter(gone_at=None, machine=False)
    given = Permission.objects.filter(permissions.not_ended())
    prefetch_related_objects(
        people,
        Prefetch("accounts", accounts, to_attr=ACCOUNTS),
        Prefetch("permissions", given, to_attr=PERMISSIONS),
    )
    links = provider_state.linked_all(people)
    for person in people:
        sub, said = links.get(person.pk, ("", None))
        yield PersonView.from_row(
            person,
            former=False,
            sub=sub,
            at_identity_provider=said,
            permissions=[row.name for row in getattr(person, PERMISSIONS)],
            accounts=getattr(person, ACCOUNTS),
            actions=ACTIONS[person.state],
        )


def view_everybody(rows: Sequence[Row]) -> list[EverybodyView]:
    """Return views in the given order; the number of queries does not grow with the rows."""
    people, coming, former = _of(rows, Person), _of(rows, Registration), _of(rows, Tombstone)
    apart: list[Row] = [*people, *coming, *former]
    views: list[EverybodyView] = [*view_people(people), *view_coming(coming), *view_former(former)]
    found = {id(row): view for row, view in zip(apart, views, strict=True)}
    return [found[id(row)] for row in rows]


def _of(rows: Iterable[Row], kind: type[T]) -> list[T]:
    return [row for row in rows if isinstance(row, kind)]


def table_rows(parts: Iterable[Sequence[Row]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table; values unknown for a state are empty."""
    for rows in parts:
        for view in view_everybody(rows):
            yield {name: getattr(view, name, None) for name in PEOPLE.columns}


def view_coming(rows: Sequence[Registration]) -> list[ComingView]:
    """Return views of applicants and approved people, with the registration and what is recorded
    for the name.
    """
    accounts = recorded_for(rows)
    subs = [row.sub for row in rows if row.sub]
    said = ProviderState.objects.in_bulk(subs) if subs else {}
    return [
        ComingView.from_row(
            row,
            former=False,
            at_identity_provider=said.get(row.sub),
            **dict.fromkeys(("role", "last_sign_in", "ends_at")),
            permissions=[],
            state=state_of(row),
            accounts=accounts[row.username] if state_of(row) == APPROVED else [],
            registration=row.id,
            actions=ACTIONS[state_of(row)],
        )
        for row in rows
    ]


def recorded_for(rows: Iterable[Registration]) -> dict[str, list[Account]]:
    """Return the accounts that approvals recorded, by name."""
    names = [row.username for row in rows if state_of(row) == APPROVED]
    found: dict[str, list[Account]] = defaultdict(list)
    if names:
        for one in Account.objects.filter(
            person=None, username__in=names, gone_at=None, machine=False
        ):
            found[one.username].append(one)
    return found


def view_former(rows: Sequence[Tombstone]) -> list[FormerView]:
    """Return views of former members: name and user id until no audit entry contains them, the
    moment, and the removal whose plan is the proof.
    """
    kept = kept_names(rows)
    return [
        FormerView.from_row(
            row,
            id=uuid5(LEFT, str(row.pk)),
            former=True,
            state=FORMER_STATE,
            actions=ACTIONS[FORMER_STATE] if row.pk in kept and not row.erased else [],
            **({"username": None, "sub": None} if row.erased else {}),
        )
        for row in rows
    ]


def kept_names(rows: Iterable[Tombstone]) -> set[int]:
    """Return the tombstones that still keep their name."""
    keys = [row.pk for row in rows]
    found = standing_tombstones().filter(pk__in=keys) if keys else Tombstone.objects.none()
    return set(found.values_list("pk", flat=True))
