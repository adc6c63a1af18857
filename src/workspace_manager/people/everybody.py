"""Everybody in one list, however they stand: who asks to join, who was approved and never came, who
is here, and who left.

They are kept in three tables, and the database puts them together: a list of many costs as many
statements as one of few, and no more rows are read than are shown
(docs/decisions/0049-one-list-of-everybody.md).
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
"""Of who left the name goes, once no entry of the audit bears it any more."""
TYPES: Final[Mapping[str, "Field[Any, Any]"]] = {
    "last_sign_in": DateTimeField(),
    "left_at": DateTimeField(),
    "ends_at": DateField(),
}
"""Of what a list is sorted by; everything else is text."""


def columns_of(model: type[Model]) -> dict[str, Expression | F]:
    """The columns of a table that the list is ordered by, under the names of the orders."""
    there = {one.name for one in model._meta.fields}
    return {one.name: F(one.order) for one in PEOPLE.orders if one.order in there}


def state_of(row: Row) -> str:
    """How somebody stands, by the words of `STATES`."""
    if isinstance(row, Tombstone):
        return FORMER_STATE
    return STATUS[row.status] if isinstance(row, Registration) else str(row.state)


def open_applicants() -> QuerySet[Registration]:
    """Who asks to join, and who was approved and never came. An approval is over with the first
    sign-in; when its person has left it has no id any more.
    """
    here = Exists(Person.objects.filter(username=OuterRef("username")))
    linked = Exists(SocialAccount.objects.filter(provider=PROVIDER, uid=OuterRef("sub")))
    approved = Q(~here, ~linked, ~Q(sub=""), status=Registration.Status.APPROVED)
    return Registration.objects.filter(Q(status=Registration.Status.PENDING) | approved)


def coming_as(username: str) -> Registration | None:
    """Who was approved under this name, or else who asked for it first."""
    found = open_applicants().filter(username=username)
    return found.order_by("status", "created_at", "pk").first()


def found_as(username: str) -> Row | None:
    """Whom a name stands for: who has it, was approved under it, left with it, or asks for it."""
    person = Person.objects.filter(username=username).first()
    asked = None if person else coming_as(username)
    if person or (asked and state_of(asked) == APPROVED):
        return person or asked
    left = Tombstone.objects.filter(username=username, erased=False)
    return left.order_by("-created_at", "-id").first() or asked


def find_subject(username: str) -> TimelineSubject:
    """Whose life a name stands for. Raises Person.DoesNotExist when it is nobody's."""
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
    """How many stand how, by `STATES`; in three statements."""
    people = Person.objects.order_by().values_list("state").annotate(Count("pk"))
    asked = open_applicants().order_by().values_list("status").annotate(Count("pk"))
    found = {**dict(people), **{STATUS[status]: count for status, count in asked}}
    return {state: found.get(state, 0) for state in STATES} | {
        FORMER_STATE: Tombstone.objects.count()
    }


@dataclass(frozen=True)
class _Source:
    """One of the tables. `columns`: what it has of what a list is sorted by."""

    name: str
    rows: QuerySet[Any]
    how: ListSpec
    columns: Mapping[str, Expression | F]


class PeopleList:
    """Who is asked for, as a list that can be counted and sliced. `here`: those who are here and
    may be found; `gone_first`: before all others those who were deleted at the identity provider.
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
            # Who has no name any more is looked for by nobody.
            order = F("sorted_by").asc(nulls_last=True) if sort == "username" else order
        self._rows = rows.order_by("place", order, order_by("called"), "key")

    def count(self) -> int:
        """How many there are."""
        return self._rows.count()

    def __len__(self) -> int:
        return self.count()

    def __iter__(self) -> Iterator[Row]:
        """All of them; pages are slices."""
        return iter(self[:])

    def __getitem__(self, part: slice) -> list[Row]:
        return self._read([(source, key) for *_, source, key in self._rows[part]])

    def in_parts(self, size: int) -> Iterator[list[Row]]:
        """All in their order, so many at a time: who takes them slowly keeps no connection to the
        database. Who is gone meanwhile is left out.
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
            # SQLite keeps an id as 32 digits, PostgreSQL as people write one.
            by_id = {key if source == FORMER_STATE else str(UUID(key)): key for key in some}
            for row in tables[source].filter(pk__in=by_id):
                found[source, by_id[str(row.pk)]] = row
        return [found[one] for one in keys if one in found]


PERSON: Final = "person"
REGISTRATION: Final = "registration"


def _sort(asked: ListQuery, sources: Sequence[_Source]) -> str:
    """Who left last is first among those who left, unless an order is asked for that is known of
    them.
    """
    if [one.name for one in sources] != [FORMER_STATE]:
        return asked.sort or "username"
    known = asked.sort.removeprefix("-") in sources[0].columns
    return asked.sort if known else "-left_at"


def _sources(asked: ListQuery, here: QuerySet[Person]) -> list[_Source]:
    """The tables in which somebody can be found who is asked for."""
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
    """Of each row where it stands in the order, and which it is; nothing else is read of what is
    not shown.
    """
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
