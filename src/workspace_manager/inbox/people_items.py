"""Items for those who decide about people: registrations, refused sign-ins, announced
administrators, and accounts and permissions that end soon.

See docs/explanation/inbox.md#what-waits.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Greatest

from workspace_manager.access import permissions
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.message import Person as Named
from workspace_manager.inbox.item import Action
from workspace_manager.inbox.messages import message
from workspace_manager.inbox.source import ItemText, Source, day_before, of_administrators
from workspace_manager.people import announcements, end_dates
from workspace_manager.people.unlinked_sign_ins import WRITTEN_DOWN, RefusalReason
from workspace_manager.records.models import (
    Announcement,
    Permission,
    Person,
    Registration,
    UnapprovedSignIn,
)

SOON: Final = timedelta(days=14)
"""Items about an end date appear this long before it."""


def _registrations(person: Person, _now: datetime) -> QuerySet[Registration] | None:
    if not permissions.has(person, Permission.Name.APPROVE_REGISTRATIONS):
        return None
    return Registration.objects.filter(status=Registration.Status.PENDING)


def _told_registration(row: Registration) -> ItemText:
    why = row.last_failure or (None if row.email_confirmed else message("not_confirmed"))
    what = message("registration", name=Named(person=row.username))
    return ItemText(what, Action(message("decide"), "/manage/registrations"), why)


@of_administrators
def _strangers(_person: Person, _now: datetime) -> QuerySet[UnapprovedSignIn]:
    return UnapprovedSignIn.objects.filter(state=UnapprovedSignIn.State.OPEN)


def _told_stranger(row: UnapprovedSignIn) -> ItemText:
    why = message(f"why.{RefusalReason(row.why).name.lower()}") if row.why in WRITTEN_DOWN else None
    what = message("stranger", name=Named(person=row.username))
    return ItemText(what, Action(message("decide"), "/manage/strangers"), why)


@of_administrators
def _announced(_person: Person, _now: datetime) -> QuerySet[Announcement]:
    """Return announcements whose user name is taken by a person who was not identified for sure."""
    here = Person.objects.filter(
        username=OuterRef("username"), state=Person.State.ACTIVE, role=Person.Role.USER
    )
    return announcements.open_announcements().filter(Exists(here), sub="", email="")


def _told_announced(row: Announcement) -> ItemText:
    what = message("announced", name=Named(person=row.username))
    to = Action(message("confirm"), "/manage/administrators")
    return ItemText(what, to, message("announced.why"))


@of_administrators
def _accounts(person: Person, _now: datetime) -> QuerySet[Person]:
    return end_dates.people_ending(end_dates.WARNING).exclude(pk=person.pk)


def _told_account(row: Person) -> ItemText:
    name = row.username
    to = Action(message("extend_account"), f"/manage/people/{name}")
    return ItemText(
        message("account", name=Named(person=name), day=str(row.ends_at)), to, _AT_THE_END
    )


_AT_THE_END: Final = message("account.why")


def _ending(now: datetime) -> QuerySet[Permission]:
    rows = Permission.objects.filter(until__gt=now, until__lte=now + SOON)
    return rows.filter(person__state=Person.State.ACTIVE)


@of_administrators
def _permissions(person: Person, now: datetime) -> QuerySet[Permission]:
    """Return other people's permissions that end soon."""
    return _ending(now).exclude(person=person)


def _own_permissions(person: Person, now: datetime) -> QuerySet[Permission] | None:
    return None if person.is_administrator else _ending(now).filter(person=person)


def _told_permission(row: Permission) -> ItemText:
    name = row.person.username
    what = message("permission", name=Named(person=name), at=_until(row))
    to = Action(message("extend"), f"/manage/people/{name}/permissions")
    return ItemText(what, to, _what(row))


def _told_own_permission(row: Permission) -> ItemText:
    to = Action(message("see_permissions"), "/settings")
    return ItemText(message("own_permission", at=_until(row)), to, _what(row))


def _what(row: Permission) -> Message:
    known = row.name in Permission.Name
    permission = message(f"permission.{row.name}") if known else quote_words(row.name)
    return message("given_by", permission=permission, by=Named(person=row.given_by))


def _until(row: Permission) -> datetime:
    if row.until is None:
        raise ValueError("only what ends is asked for")
    return row.until


_SOON_BEFORE_END: Final = Greatest(F("until") - SOON, F("given_at"))

SOURCES: Final = (
    Source(
        "registration",
        _registrations,
        _told_registration,
        "created_at",
        ("username", "email", "first_name", "last_name"),
    ),
    Source("stranger", _strangers, _told_stranger, "first_seen", ("username", "email")),
    Source("announced", _announced, _told_announced, "created_at", ("username",)),
    Source(
        "account", _accounts, _told_account, day_before("ends_at", end_dates.WARNING), ("username",)
    ),
    Source(
        "permission",
        _permissions,
        _told_permission,
        _SOON_BEFORE_END,
        ("person__username", "name"),
        read=lambda rows: rows.select_related("person"),
    ),
    Source("own_permission", _own_permissions, _told_own_permission, _SOON_BEFORE_END, ("name",)),
)
