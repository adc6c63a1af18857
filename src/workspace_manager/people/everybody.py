"""The list of all people: applicants, approved people, present people, and former members.

They are rows of three tables, combined by the database: the number of queries does not grow with
the list, and only shown rows are read (docs/decisions/0049-one-list-of-everybody.md).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias
from uuid import UUID

from allauth.socialaccount.models import SocialAccount
from django.db.models import (
    Case,
    Count,
    DateField,
    DateTimeField,
    Exists,
    Expression,
    F,
    Field,
    IntegerField,
    Model,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast

from workspace_manager.audit.timeline import TimelineSubject
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.lists import ListQuery, ListSpec, order_by
from workspace_manager.operations.who_is_there import said_of
from workspace_manager.people.filters import (
    APPROVED,
    COMING,
    EVERYBODY,
    FORMER,
    FORMER_STATE,
    GROUPS,
    PEOPLE,
    STATES,
    WAITING,
)
from workspace_manager.records.models import Person, Plan, ProviderState, Registration, Tombstone

Row: TypeAlias = Person | Registration | Tombstone
COLUMNS: Final = ("place", "sorted_by", "called", "source", "key")
STATUS: Final[Mapping[str, str]] = {
    Registration.Status.PENDING.value: WAITING,
    Registration.Status.APPROVED.value: APPROVED,
}
STATUS_OF: Final = {state: status for status, state in STATUS.items()}
NAME_KEPT: Final = Case(When(erased=False, then=F("username")), output_field=TextField())
"""A former member's name disappears once no audit entry contains it."""
TYPES: Final[Mapping[str, "Field[Any, Any]"]] = {
    "last_sign_in": DateTimeField(),
    "left_at": DateTimeField(),
    "ends_at": DateField(),
}
"""Types of sort columns; others are text."""


def columns_of(model: type[Model]) -> dict[str, Expression | F]:
    """The columns of a table that the list is ordered by, under the names of the orders."""
    there = {one.name for one in model._meta.fields}
    return {one.name: F(one.order) for one in PEOPLE.orders if one.order in there}


def state_of(row: Row) -> str:
    """Return the state of a row, one of `STATES`."""
    if isinstance(row, Tombstone):
        return FORMER_STATE
    return STATUS[row.status] if isinstance(row, Registration) else str(row.state)


def open_applicants() -> QuerySet[Registration]:
    """Return applicants, and approved people who never signed in. An approval ends with the first
    sign-in, and has no id any more once its person has left.
    """
    here = Exists(Person.objects.filter(username=OuterRef("username")))
    linked = Exists(SocialAccount.objects.filter(provider=PROVIDER, uid=OuterRef("sub")))
    approved = Q(~here, ~linked, ~Q(sub=""), status=Registration.Status.APPROVED)
    return Registration.objects.filter(Q(status=Registration.Status.PENDING) | approved)


def coming_as(username: str) -> Registration | None:
    """Return the approval under this name, or the first registration for it."""
    found = open_applicants().filter(username=username)
    return found.order_by("status", "created_at", "pk").first()


def found_as(username: str) -> Row | None:
    """Return the row of a name: the person, the approval, the former member, or the
    registration.
    """
    person = Person.objects.filter(username=username).first()
    asked = None if person else coming_as(username)
    if person or (asked and state_of(asked) == APPROVED):
        return person or asked
    left = Tombstone.objects.filter(username=username, erased=False)
    return left.order_by("-created_at", "-id").first() or asked


def find_subject(username: str) -> TimelineSubject:
    """Return the subject of a name's timeline. Raises Person.DoesNotExist for an unknown name."""
    found = found_as(username)
    if isinstance(found, Person):
        return TimelineSubject(username, str(found.id), found)
    if isinstance(found, Registration):
        return TimelineSubject(username, registration=found.pk)
    if found is None:
        raise Person.DoesNotExist(username)
    removal = Plan.objects.filter(id=found.plan).first() if found.plan else None
    return TimelineSubject(username, removal.subject if removal else "", tombstone=found.pk)


def counts() -> dict[str, int]:
    """Count people by `STATES`, in three queries."""
    people = Person.objects.order_by().values_list("state").annotate(Count("pk"))
    asked = open_applicants().order_by().values_list("status").annotate(Count("pk"))
    found = {**dict(people), **{STATUS[status]: count for status, count in asked}}
    return {state: found.get(state, 0) for state in STATES} | {
        FORMER_STATE: Tombstone.objects.count()
    }


@dataclass(frozen=True)
class _Source:
    """One of the tables. `columns`: its columns for sorting."""

    name: str
    rows: QuerySet[Any]
    how: ListSpec
    columns: Mapping[str, Expression | F]


class PeopleList:
    """The requested people, as a list that can be counted and sliced. `here`: the present people
    among whom to search; `gone_first` puts people deleted at the identity provider first.
    """

    def __init__(
        self, asked: ListQuery, *, here: QuerySet[Person] | None = None, gone_first: bool = False
    ) -> None:
        people = Person.objects.all() if here is None else here
        sources = _sources(asked, people)
        sort = _sort(asked, sources)
        told = [_told(one, asked, sort, gone_first=gone_first) for one in sources]
        first, *others = told or [_told(_former(), ListQuery(), sort, gone_first=False).none()]
        rows = first.union(*others, all=True) if others else first
        order = order_by("sorted_by", descending=sort[:1] == "-")
        if not asked.sort:
            # Erased names cannot be searched.
            order = F("sorted_by").asc(nulls_last=True) if sort == "username" else order
        self._rows = rows.order_by("place", order, order_by("called"), "key")

    def count(self) -> int:
        return self._rows.count()

    def __len__(self) -> int:
        return self.count()

    def __iter__(self) -> Iterator[Row]:
        """Yield all of them; pages are slices."""
        return iter(self[:])

    def __getitem__(self, part: slice) -> list[Row]:
        return self._read([(source, key) for *_, source, key in self._rows[part]])

    def in_parts(self, size: int) -> Iterator[list[Row]]:
        """Yield all in order, in batches: a slow reader holds no database connection. People
        deleted meanwhile are left out.
        """
        keys = [(source, key) for *_, source, key in self._rows]
        for begin in range(0, len(keys), size):
            yield self._read(keys[begin : begin + size])

    def _read(self, keys: Sequence[tuple[str, str]]) -> list[Row]:
        wanted: dict[str, list[str]] = defaultdict(list)
        for source, key in keys:
            wanted[source].append(key)
        tables: dict[str, QuerySet[Any]] = {
            PERSON: Person.objects.all(),
            REGISTRATION: Registration.objects.all(),
            FORMER_STATE: Tombstone.objects.all(),
        }
        found: dict[tuple[str, str], Row] = {}
        for source, some in wanted.items():
            # SQLite stores an id as 32 digits, PostgreSQL with hyphens.
            by_id = {key if source == FORMER_STATE else str(UUID(key)): key for key in some}
            for row in tables[source].filter(pk__in=by_id):
                found[source, by_id[str(row.pk)]] = row
        return [found[one] for one in keys if one in found]


PERSON: Final = "person"
REGISTRATION: Final = "registration"


def _sort(asked: ListQuery, sources: Sequence[_Source]) -> str:
    """Return the order; former members are sorted by departure, the last first, unless a sort
    column of theirs is requested.
    """
    if [one.name for one in sources] != [FORMER_STATE]:
        return asked.sort or "username"
    known = asked.sort.removeprefix("-") in sources[0].columns
    return asked.sort if known else "-left_at"


def _sources(asked: ListQuery, here: QuerySet[Person]) -> list[_Source]:
    """Return the tables that can contain requested people."""
    filters = dict(asked.filters)
    word = str(filters.pop("state", EVERYBODY))
    states = GROUPS.get(word, (word,))
    found = []
    if of_people := [one for one in states if one in Person.State.values]:
        found.append(_Source(PERSON, here.filter(state__in=of_people), PEOPLE, columns_of(Person)))
    statuses = [STATUS_OF[one] for one in states if one in STATUS_OF]
    if statuses and filters.keys() <= {one.name for one in COMING.filters}:
        told = Case(
            *(When(status=status, then=Value(state)) for status, state in STATUS.items()),
            output_field=TextField(),
        )
        rows = open_applicants().filter(status__in=statuses)
        columns = {**columns_of(Registration), "state": told}
        found.append(_Source(REGISTRATION, rows, COMING, columns))
    if FORMER_STATE in states and not filters:
        found.append(_former(searched=bool(asked.q.split())))
    return found


def _former(*, searched: bool = False) -> _Source:
    rows = Tombstone.objects.filter(erased=False) if searched else Tombstone.objects.all()
    state = Value(FORMER_STATE, output_field=TextField())
    columns: dict[str, Expression | F] = {
        "username": NAME_KEPT,
        "left_at": F("created_at"),
        "state": state,
    }
    return _Source(FORMER_STATE, rows, FORMER, columns)


def _told(source: _Source, asked: ListQuery, sort: str, *, gone_first: bool) -> QuerySet[Any, Any]:
    """Return the position and the key of each row; other columns are read for shown rows alone."""
    filters = {name: what for name, what in asked.filters.items() if name != "state"}
    name = sort.removeprefix("-")
    place: Expression = Value(1, output_field=IntegerField())
    if asked.q.strip() and not asked.sort:
        place = source.how.exact(asked.q)
    elif gone_first and source.name == PERSON:
        gone = Q(there=ProviderState.State.GONE)
        place = Case(When(gone, then=Value(0)), default=Value(1), output_field=IntegerField())
    rows = source.how.narrowed(source.rows, replace(asked, filters=filters)).order_by()
    if gone_first and source.name == PERSON:
        rows = rows.annotate(there=said_of())
    unknown = Cast(Value(None), TYPES.get(name, TextField()))
    told: QuerySet[Any, Any] = rows.annotate(
        place=place,
        sorted_by=source.columns.get(name, unknown),
        called=source.columns["username"],
        source=Value(source.name, output_field=TextField()),
        key=Cast("pk", TextField()),
    ).values_list(*COLUMNS)
    return told
