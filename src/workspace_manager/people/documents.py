"""People and registrations as programs read them: the same document by REST and on the command
line. No secret and no hash is in one.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

from django.db.models import Prefetch, prefetch_related_objects

from workspace_manager.access import permissions, provider_state
from workspace_manager.core.lists import Choice, Either, ListSpec, Member
from workspace_manager.core.messages import encode_message
from workspace_manager.core.timestamps import in_utc
from workspace_manager.people import announcements
from workspace_manager.people.filters import APPROVED, FORMER_STATE, WAITING
from workspace_manager.records.models import (
    Account,
    Announcement,
    Permission,
    Person,
    Registration,
    Standing,
    Stranger,
)

OPEN = (Registration.Status.PENDING, Registration.Status.APPROVED)
"""What somebody may still sign in by."""


REGISTRATIONS: Final = ListSpec(
    "registrations_list",
    __file__,
    searched=("username", "email", "first_name", "last_name"),
    order=("created_at",),
    search_for="Search by name or e-mail",
    by_itself="who waits longest, or who was decided about last",
    members=(
        Member("created_at", label="Received", order="created_at"),
        Member("decided_at", label="Decided", order="decided_at"),
        Member("username", label="User name", order="username"),
        Member("email", label="E-mail", order="email"),
        Member(
            "status",
            Choice(tuple(map(str, Registration.Status.values))),
            "State",
            "Only those that stand so.",
            filter="status",
        ),
        Member(
            "email_confirmed",
            Either("email-unconfirmed", "confirmed", "not confirmed"),
            "E-mail",
            "Only those whose address is confirmed, or is not.",
            filter="email_confirmed",
        ),
    ),
)
ACCOUNTS = "standing_accounts"
PERMISSIONS = "standing_permissions"
ACTIONS: Final = {
    WAITING: ("approve", "reject"),
    APPROVED: ("withdraw",),
    str(Person.State.ACTIVE): ("suspend", "removal"),
    str(Person.State.SUSPENDED): ("resume", "removal"),
    str(Person.State.LEAVING): (),
    FORMER_STATE: ("release",),
}
"""What an administrator can order, by how somebody stands: each is the end of an address of REST.
Nobody orders it of themselves.
"""
BATCH: Final = 500
T = TypeVar("T")


def of_person(person: Person) -> dict[str, Any]:
    """One person with the accounts we recorded, and what the identity provider last said."""
    (document,) = of_people([person])
    return document


def of_people(people: Sequence[Person]) -> list[dict[str, Any]]:
    """Each of many people, with as many queries as for one."""
    return list(of_many_people(people))


def of_many_people(people: Iterable[Person]) -> Iterator[dict[str, Any]]:
    """The same of more than shall stand in memory at once: some of them at a time."""
    return (one for some in split_batches(people) for one in _people(some))


def split_batches(rows: Iterable[T]) -> Iterator[list[T]]:
    """A statement takes so many values and no more."""
    left = iter(rows)
    while some := list(islice(left, BATCH)):
        yield some


def _people(people: Sequence[Person]) -> list[dict[str, Any]]:
    accounts = Account.objects.filter(gone_at=None, machine=False)
    given = Permission.objects.filter(permissions.not_ended())
    prefetch_related_objects(
        people,
        Prefetch("accounts", accounts, to_attr=ACCOUNTS),
        Prefetch("permissions", given, to_attr=PERMISSIONS),
    )
    links = provider_state.linked_all(people)
    return [_person(person, *links.get(person.pk, ("", None))) for person in people]


def _person(person: Person, sub: str, said: Standing | None) -> dict[str, Any]:
    return {
        "id": str(person.id),
        "former": False,
        "username": person.username,
        "email": person.email,
        "email_confirmed": person.email_confirmed,
        "first_name": person.first_name,
        "last_name": person.last_name,
        "sub": sub or None,
        "at_identity_provider": at_provider(said),
        "role": person.role,
        "permissions": [row.name for row in getattr(person, PERMISSIONS)],
        "locale": person.locale,
        "timezone": person.timezone,
        "state": person.state,
        "last_sign_in": in_utc(person.last_sign_in),
        "ends_at": person.ends_at.isoformat() if person.ends_at else None,
        "accounts": [of_account(row) for row in getattr(person, ACCOUNTS)],
        "actions": list(ACTIONS[person.state]),
    }


def at_provider(said: Standing | None) -> dict[str, Any] | None:
    """What the identity provider last said of somebody."""
    if said is None:
        return None
    asked = {"since": in_utc(said.since), "asked_at": in_utc(said.answered_at)}
    return {"state": said.state, **asked}


def of_account(row: Account) -> dict[str, Any]:
    """An account as recorded."""
    seen = {"seen_at": in_utc(row.seen_at)}
    return {"system": row.system, "kind": row.kind, "name": row.name, **seen}


def of_registrations(rows: Sequence[Registration]) -> list[dict[str, Any]]:
    """Each of many registrations, and how it was decided, with as many queries as for one."""
    return [one for some in split_batches(rows) for one in _registrations(some)]


def _registrations(rows: Sequence[Registration]) -> list[dict[str, Any]]:
    found = announcements.find_announcements(row.username for row in rows if row.status in OPEN)
    return [_registration(row, found.get(row.username)) for row in rows]


def _registration(row: Registration, found: Announcement | None) -> dict[str, Any]:
    names = (
        "username",
        "email",
        "email_confirmed",
        "first_name",
        "last_name",
        "locale",
        "timezone",
        "status",
    )
    failed = None if row.reason else row.last_failure
    return {
        "id": str(row.id),
        **{name: getattr(row, name) for name in names},
        "created_at": in_utc(row.created_at),
        "duplicate_of": row.duplicate_of or None,
        "decided_at": in_utc(row.decided_at),
        "decided_by": row.decided_by or None,
        "reason": failed.english if failed else row.reason or None,
        "reason_message": encode_message(failed),
        "announced": announced_as(row, found) if row.status in OPEN else None,
    }


def announced_as(row: Registration | Stranger, found: Announcement | None) -> dict[str, Any] | None:
    """That an administrator was announced under this name, and whether it is about this one."""
    if found is None:
        return None
    text = announcements.announcement_message(row, found)
    return {
        "role": "administrator",
        **of_announcement(found),
        "text": text.english,
        "text_message": encode_message(text),
    }


def of_announcements() -> list[dict[str, Any]]:
    """Who is announced as an administrator, and whether somebody has come under that name."""
    standing = announcements.open_announcements()
    here = Person.objects.filter(username__in=[one.username for one in standing])
    names = set(here.values_list("username", flat=True))
    return [
        {
            "username": one.username,
            "state": "to_confirm" if one.username in names else "announced",
            **of_announcement(one),
        }
        for one in standing
    ]


def of_announcement(found: Announcement) -> dict[str, Any]:
    """For whom a role is announced, by whom, and until when."""
    return {
        "bound": announcements.read_binding(found),
        "sub": found.sub or None,
        "email": found.email or None,
        "until": in_utc(found.until),
        "announced_by": found.created_by,
    }
