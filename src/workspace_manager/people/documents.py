"""People and registrations as programs read them: the same document by REST and on the command
line. No secret and no hash is in one.
"""

from typing import Any

from workspace_manager.core import standing
from workspace_manager.core.messages import coded
from workspace_manager.core.timestamps import in_utc
from workspace_manager.people import announced
from workspace_manager.records.models import Announcement, Person, Registration, Stranger

OPEN = (Registration.Status.PENDING, Registration.Status.APPROVED)
"""What somebody may still sign in by."""


def of_person(person: Person) -> dict[str, Any]:
    """One person with the accounts we recorded, and what the identity provider last said."""
    sub, said = standing.linked(person.pk)
    return {
        "username": person.username,
        "email": person.email,
        "first_name": person.first_name,
        "last_name": person.last_name,
        "sub": sub or None,
        "at_identity_provider": {
            "state": said.state,
            "since": in_utc(said.since),
            "asked_at": in_utc(said.answered_at),
        }
        if said
        else None,
        "role": person.role,
        "locale": person.locale,
        "timezone": person.timezone,
        "state": person.state,
        "last_sign_in": in_utc(person.last_sign_in),
        "accounts": [
            {
                "system": row.system,
                "kind": row.kind,
                "name": row.name,
                "seen_at": in_utc(row.seen_at),
            }
            for row in person.accounts.filter(gone_at=None)
        ],
    }


def of_registration(row: Registration) -> dict[str, Any]:
    """One registration, and how it was decided."""
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
        "reason_message": coded(failed),
        "announced": announced_as(row) if row.status in OPEN else None,
    }


def announced_as(row: Registration | Stranger) -> dict[str, Any] | None:
    """That an administrator was announced under this name, and whether it is about this one."""
    found = announced.of(row.username)
    if found is None:
        return None
    text = announced.told(row, found)
    return {
        "role": "administrator",
        **of_announcement(found),
        "text": text.english,
        "text_message": coded(text),
    }


def of_announcements() -> list[dict[str, Any]]:
    """Who is announced as an administrator, and whether somebody has come under that name."""
    standing = announced.standing()
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
        "bound": announced.bound(found),
        "sub": found.sub or None,
        "email": found.email or None,
        "until": in_utc(found.until),
        "announced_by": found.created_by,
    }
