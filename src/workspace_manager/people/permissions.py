"""Permissions of single people, given and taken by administrators, until a day.

They are rows; `access/permissions.py` says what each allows. Nobody gives themselves one: an
administrator would keep it after losing the role.

See docs/explanation/permissions.md#permissions.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Final, Literal

from django.db import transaction

from workspace_manager.access import permissions, tokens
from workspace_manager.access.administrators import lock_administrators, refuse_former
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.member_description import UserName, When, describe
from workspace_manager.core.clock import database_now
from workspace_manager.core.housekeeping_failures import attempt, due_rows
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.timestamps import in_utc
from workspace_manager.core.views import View
from workspace_manager.letters import change_notices
from workspace_manager.letters.messages import message as of_what_happened
from workspace_manager.people.messages import message
from workspace_manager.people.suspension_terms import FURTHEST
from workspace_manager.records.models import Permission, Person

NAMES: Final = tuple(Permission.Name.values)
PermissionName = Literal[
    "view_components",
    "view_stacks",
    "administer_projects",
    "administer_components",
    "administer_stacks",
    "administer_snapshots",
    "approve_registrations",
]


class PermissionView(View):
    """One permission of a person."""

    name: Annotated[PermissionName, describe("Which it is.", "view_components")]
    until: Annotated[When | None, describe("When it ends by itself; null: when it is taken.")]
    given_at: Annotated[When, describe("When it was given.")]
    given_by: Annotated[UserName, describe("Who gave it.")]


class PermissionsView(View):
    """A person's permissions. They have no effect while the person is suspended or leaving."""

    permissions: Annotated[
        list[PermissionName],
        describe("All that have not ended.", ["approve_registrations", "view_components"]),
    ]
    until: Annotated[
        When | None, describe("When the next of them ends by itself; null: none does.")
    ]
    given: Annotated[list[PermissionView], describe("The same, each with its end and its giver.")]


def view_permissions(rows: Sequence[Permission]) -> PermissionsView:
    return PermissionsView(
        permissions=[row.name for row in rows],
        until=min((row.until for row in rows if row.until), default=None),
        given=list(map(PermissionView.from_row, rows)),
    )


def held_permissions(person: Person) -> list[Permission]:
    """Return a person's permissions that have not ended, by name."""
    return list(permissions.in_force(person))


def let_have(
    username: str, wanted: Mapping[str, datetime | None], *, actor: str
) -> list[Permission]:
    """Set a person's permissions to exactly these, each until its moment (None: no end).

    Raises BadInput for an unknown permission or a past end; Refused for oneself, for a leaving
    person, and by a former administrator; Person.DoesNotExist.
    """
    with transaction.atomic():
        return _have(_lock(username, actor), wanted, actor=actor)


def change(
    username: str,
    *,
    give: Mapping[str, datetime | None],
    take: Collection[str] = (),
    actor: str,
) -> list[Permission]:
    """Give some and take some; others stay. Raises as `let_have` does."""
    if set(give) & set(take):
        raise BadInput({"permissions": message("given_and_taken")})
    _refuse_unknown(take)
    with transaction.atomic():
        person = _lock(username, actor)
        kept = {row.name: row.until for row in held_permissions(person) if row.name not in take}
        return _have(person, {**kept, **give}, actor=actor)


def forget_ended(now: datetime | None = None) -> None:
    """Delete and note permissions that have ended; they have no effect any more."""
    ended = Permission.objects.filter(until__lte=now or database_now()).select_related("person")
    for row in due_rows("end_permissions", ended):
        with attempt("end_permissions", row.pk), transaction.atomic():
            # Locks the same row as the making of a token or a renewed permission.
            Person.objects.select_for_update().get(id=row.person_id)
            if Permission.objects.filter(id=row.id, until=row.until).delete()[0]:
                tokens.end_of_permission(row.person, row.name)
                whose = row.person.username
                note("permission:ended", whose, actor=MANAGER, **_told(row))


def _lock(username: str, actor: str) -> Person:
    lock_administrators()
    refuse_former(actor)
    person = Person.objects.select_for_update().get(username=username)
    if person.username == actor:
        raise Refused(message("not_your_permissions"))
    if person.state == Person.State.LEAVING:
        raise Refused(message("leaving", name=person.username))
    return person


def _have(person: Person, wanted: Mapping[str, datetime | None], *, actor: str) -> list[Permission]:
    _refuse_unknown(wanted)
    now = database_now()
    before = {row.name: row for row in held_permissions(person)}
    for name, row in before.items():
        if name not in wanted:
            row.delete()
            tokens.end_of_permission(person, name)
            note("permission:taken", person.username, actor=actor, **_told(row))
            by = change_notices.by_whom(actor)
            taken = of_what_happened("permission_taken", by=by, permission=name)
            change_notices.tell([person], taken, about=name, by=actor)
    for name, until in sorted(wanted.items()):
        if name in before and before[name].until == until:
            continue
        if until is not None and not now < until <= now + FURTHEST:
            raise BadInput({"until": message("until_in_future")})
        if name not in before:
            tokens.end_of_permission(person, name)
        row, _ = Permission.objects.update_or_create(
            person=person,
            name=name,
            defaults={"until": until, "given_at": now, "given_by": actor},
        )
        note("permission:given", person.username, actor=actor, **_told(row))
    return held_permissions(person)


def _refuse_unknown(names: Iterable[str]) -> None:
    if set(names) - set(NAMES):
        raise BadInput({"permissions": message("no_permission", names=", ".join(NAMES))})


def _told(row: Permission) -> dict[str, str | None]:
    """Return a permission for the audit log."""
    return {"permission": row.name, "until": in_utc(row.until)}
