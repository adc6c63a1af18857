"""Rows of the list of people in every state, with their actions."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db.models import Prefetch, prefetch_related_objects
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.access import provider_state
from workspace_manager.people.everybody import Row, state_of
from workspace_manager.people.everybody_views import kept_names, recorded_for
from workspace_manager.records.models import Account, Person, Registration, Tombstone
from workspace_manager.web.pages.manage.tombstones import kept_plans

STANDING: Final = Account.objects.filter(gone_at=None, machine=False).order_by("system", "kind")


@dataclass(frozen=True)
class Deed:
    """An action and its address."""

    word: str
    address: str


@dataclass(frozen=True)
class PersonLine:
    """A person in the list. `address`: their page, "" without one; `tick`: whether they can be part
    of a bulk action; `there`: the state at the identity provider.
    """

    state: str
    username: str
    name: str
    address: str
    deeds: Sequence[Deed]
    tick: bool = False
    email: str = ""
    email_confirmed: bool = False
    role: str = ""
    there: str = ""
    last_sign_in: datetime | None = None
    ends_at: date | None = None
    left_at: datetime | None = None
    systems: Sequence[str] = ()


@dataclass(frozen=True)
class _Read:
    """Data read for all rows together."""

    there: dict[uuid.UUID, str]
    recorded: dict[str, list[Account]]
    plans: set[uuid.UUID]
    names: set[int]


def people_lines(rows: Sequence[Row], reader: Person) -> list[PersonLine]:
    """Return the rows; the number of queries does not grow with them."""
    people = [row for row in rows if isinstance(row, Person)]
    former = [row for row in rows if isinstance(row, Tombstone)]
    prefetch_related_objects(people, Prefetch("accounts", STANDING, to_attr="standing"))
    linked = provider_state.linked_all(people) if people else {}
    read = _Read(
        {key: said.state for key, (_sub, said) in linked.items() if said},
        recorded_for([row for row in rows if isinstance(row, Registration)]),
        kept_plans(row.plan for row in former) if former else set(),
        kept_names(former),
    )
    return [_line(row, read, reader) for row in rows]


def _line(row: Row, read: _Read, reader: Person) -> PersonLine:
    if isinstance(row, Person):
        return _here(row, read, reader)
    return _coming(row, read) if isinstance(row, Registration) else _former(row, read)


def _here(row: Person, read: _Read, reader: Person) -> PersonLine:
    page = reverse("person", args=[row.username])
    return PersonLine(
        state=row.state,
        username=row.username,
        name=row.full_name,
        address=page,
        deeds=_deeds_of_person(row, page) if row != reader else (),
        tick=row != reader,
        email=row.email,
        email_confirmed=row.email_confirmed,
        role=row.role,
        there=read.there.get(row.pk, ""),
        last_sign_in=row.last_sign_in,
        ends_at=row.ends_at,
        systems=_systems(getattr(row, "standing")),  # noqa: B009  it is prefetched
    )


def _deeds_of_person(row: Person, page: str) -> tuple[Deed, ...]:
    remove = Deed(_("remove"), f"{page}#remove")
    match row.state:
        case Person.State.ACTIVE:
            return Deed(_("suspend"), reverse("suspension", args=[row.username])), remove
        case Person.State.SUSPENDED:
            return Deed(_("end the suspension"), f"{page}#resume"), remove
        case _:
            return (Deed(_("see the progress"), page),)


def _coming(row: Registration, read: _Read) -> PersonLine:
    state = state_of(row)
    page = f"{reverse('person', args=[row.username])}?registration={row.id}"
    waits = row.status == Registration.Status.PENDING
    word = _("approve or reject") if waits else _("withdraw the approval")
    return PersonLine(
        state=state,
        username=row.username,
        name=f"{row.first_name} {row.last_name}".strip() or row.username,
        address=page,
        deeds=(Deed(word, page),),
        email=row.email,
        email_confirmed=row.email_confirmed,
        systems=() if waits else _systems(read.recorded[row.username]),
    )


def _former(row: Tombstone, read: _Read) -> PersonLine:
    deeds: list[Deed] = []
    if row.plan and row.plan in read.plans:
        deeds.append(Deed(_("removal and proof"), reverse("plan", args=[row.plan])))
    if row.pk in read.names and not row.erased:
        deeds.append(Deed(_("release the name"), reverse("tombstones")))
    return PersonLine(
        state=state_of(row),
        username="" if row.erased else row.username,
        name=_("name no longer reserved") if row.erased else row.username,
        address="" if row.erased else reverse("person", args=[row.username]),
        deeds=deeds,
        left_at=row.created_at,
    )


def _systems(accounts: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(one.system for one in accounts))
