"""Everybody as programs read them, however they stand, and what can be done about each. No secret
and no hash is in one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar
from uuid import UUID, uuid5

from workspace_manager.core.timestamps import in_utc
from workspace_manager.people.documents import (
    ACTIONS,
    at_provider,
    of_account,
    of_people,
)
from workspace_manager.people.everybody import Row, state_of
from workspace_manager.people.filters import APPROVED, FORMER_STATE, PEOPLE
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.records.models import Account, Person, Registration, Standing, Tombstone

LEFT: Final = UUID("7d0c6f0e-6b0b-4f0a-9d5e-6a1f3c1b8e21")
"""The name space of ids of those who left: a tombstone has a number, and an id tells no number."""
T = TypeVar("T", bound=Row)


def of_everybody(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Each in the order given, with as many queries as for one of every kind."""
    people, coming, former = _of(rows, Person), _of(rows, Registration), _of(rows, Tombstone)
    apart: list[Row] = [*people, *coming, *former]
    documents = [*of_people(people), *of_coming(coming), *of_former(former)]
    found = {id(row): document for row, document in zip(apart, documents, strict=True)}
    return [found[id(row)] for row in rows]


def _of(rows: Iterable[Row], kind: type[T]) -> list[T]:
    return [row for row in rows if isinstance(row, kind)]


def table_rows(parts: Iterable[Sequence[Row]]) -> Iterator[dict[str, Any]]:
    """The same as lines of a table: what is known of nobody who stands so is empty."""
    for rows in parts:
        for document in of_everybody(rows):
            yield {name: document.get(name) for name in PEOPLE.columns}


def of_coming(rows: Sequence[Registration]) -> list[dict[str, Any]]:
    """Who asks to join or was approved, and never came: as somebody who is here, with what is
    recorded for the name, and the registration.
    """
    accounts = recorded_for(rows)
    subs = [row.sub for row in rows if row.sub]
    said = Standing.objects.in_bulk(subs) if subs else {}
    return [_coming(row, accounts[row.username], said.get(row.sub)) for row in rows]


def recorded_for(rows: Iterable[Registration]) -> dict[str, list[Account]]:
    """What an approval recorded, by the name it is for."""
    names = [row.username for row in rows if state_of(row) == APPROVED]
    found: dict[str, list[Account]] = defaultdict(list)
    if names:
        for one in Account.objects.filter(
            person=None, username__in=names, gone_at=None, machine=False
        ):
            found[one.username].append(one)
    return found


def _coming(
    row: Registration, accounts: Sequence[Account], said: Standing | None
) -> dict[str, Any]:
    state = state_of(row)
    return {
        "id": str(row.id),
        "former": False,
        "username": row.username,
        "email": row.email,
        "email_confirmed": row.email_confirmed,
        "first_name": row.first_name,
        "last_name": row.last_name,
        "sub": row.sub or None,
        "at_identity_provider": at_provider(said),
        "role": None,
        "permissions": [],
        "locale": row.locale,
        "timezone": row.timezone,
        "state": state,
        "last_sign_in": None,
        "ends_at": None,
        "accounts": [of_account(one) for one in accounts] if state == APPROVED else [],
        "registration": str(row.id),
        "asked_at": in_utc(row.created_at),
        "decided_at": in_utc(row.decided_at),
        "decided_by": row.decided_by or None,
        "actions": list(ACTIONS[state]),
    }


def of_former(rows: Sequence[Tombstone]) -> list[dict[str, Any]]:
    """Who left: the name and the user id until no entry of the audit bears them, when, and the
    removal whose plan proves it. Nothing else is kept of them.
    """
    return [_former(row, kept=row.pk in kept) for kept in [kept_names(rows)] for row in rows]


def kept_names(rows: Iterable[Tombstone]) -> set[int]:
    """Which of them still keep their name from everybody."""
    keys = [row.pk for row in rows]
    found = standing_tombstones().filter(pk__in=keys) if keys else Tombstone.objects.none()
    return set(found.values_list("pk", flat=True))


def _former(row: Tombstone, *, kept: bool) -> dict[str, Any]:
    return {
        "id": str(uuid5(LEFT, str(row.pk))),
        "former": True,
        "username": None if row.erased else row.username,
        "sub": None if row.erased else row.sub or None,
        "state": FORMER_STATE,
        "left_at": in_utc(row.created_at),
        "plan": str(row.plan) if row.plan else None,
        "actions": list(ACTIONS[FORMER_STATE]) if kept and not row.erased else [],
    }
