"""Announcements: the administrator's role for somebody who has not signed in yet, never bound to a
name alone.

Anybody may register a name. So the role is given at the first sign-in only if the announcement
names the account (`sub`), or an address that the identity provider confirms. An announcement of a
name alone needs the confirmation of an administrator afterwards. Only the first administrator, whom
nobody can confirm, is accepted by name, unless a registration here made the account.

See docs/decisions/0018-a-role-is-never-given-by-name.md.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils.dateparse import parse_date, parse_datetime

from workspace_manager.access import tokens
from workspace_manager.access.administrators import forget_announcement, named_first
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core import hold
from workspace_manager.core.address_owners import is_same_address
from workspace_manager.core.clock import database_now
from workspace_manager.core.housekeeping_failures import attempt, due_rows
from workspace_manager.core.refusal import BadInput
from workspace_manager.people.messages import message
from workspace_manager.records.models import Announcement, Person, Registration, UnapprovedSignIn

LASTS = timedelta(days=30)
LONGEST = timedelta(days=365)


class Binding(StrEnum):
    """The identifier of an announcement. Stored in the audit log: the words stay."""

    SUB = "sub"
    EMAIL = "email"
    NAME = "name"


TOLD = {
    Binding.NAME: "announced.name",
    Binding.EMAIL: "announced.email",
    Binding.SUB: "announced.sub",
    "another": "announced.another",
}
"""Messages about an announcement for those who decide on the registration of its name."""


@dataclass(frozen=True)
class SignInIdentity:
    """The identity that signs in, as the identity provider reports it. `confirmed_email`: "" if
    unconfirmed.
    """

    username: str
    sub: str
    confirmed_email: str = ""


def open_announcements() -> QuerySet[Announcement]:
    """Return announcements that have not ended."""
    return Announcement.objects.filter(until__gt=hold.ends_by()).order_by("username")


def find_announcement(username: str) -> Announcement | None:
    return open_announcements().filter(username=username).first()


def find_announcements(usernames: Iterable[str]) -> dict[str, Announcement]:
    """Return the open announcements of many names."""
    return {one.username: one for one in open_announcements().filter(username__in=list(usernames))}


def names() -> list[str]:
    """Return the announced names."""
    return list(open_announcements().values_list("username", flat=True))


def read_binding(announcement: Announcement) -> Binding:
    if announcement.sub:
        return Binding.SUB
    return Binding.EMAIL if announcement.email else Binding.NAME


def announce(username: str, *, sub: str, email: str, until: str, actor: str) -> None:
    """Announce an administrator; a repetition without changes has no effect. Raises BadInput."""
    sub, email, ends = _sub(sub), _email(email), _ends(until)
    found = find_announcement(username)
    if found and not (sub or email or until):
        return
    row, _ = Announcement.objects.update_or_create(
        username=username,
        defaults={
            "sub": sub,
            "email": email,
            "until": ends,
            "created_at": database_now(),
            "created_by": actor,
        },
    )
    day = row.until.date().isoformat()
    note("administrator:announced", username, actor=actor, bound=read_binding(row), until=day)


def proof(who: SignInIdentity) -> str:
    """Return how a person who signs in is proven to be the announced one; "" without proof."""
    found = find_announcement(who.username)
    if found and found.sub and found.sub == who.sub:
        return Binding.SUB
    if (
        found
        and found.email
        and not found.sub
        and is_same_address(found.email, who.confirmed_email)
    ):
        return Binding.EMAIL
    return "first administrator" if _is_first(who) else ""


def redeem_announcement(person: Person, who: SignInIdentity) -> None:
    """Give the role to an announced person with proof, in the transaction that lets them in."""
    how = proof(who)
    if how:
        give(person, how=how, actor=MANAGER)
    elif named_first(who.username) and not find_announcement(who.username):
        # Only the operator of the command line can confirm the first one.
        announce(who.username, sub="", email="", until="", actor=MANAGER)


def give(person: Person, *, how: str, actor: str) -> None:
    """Make a person an administrator. `how`: the proof."""
    forget_announcement(person.username)
    if person.role == Person.Role.ADMINISTRATOR:
        return
    person.role = Person.Role.ADMINISTRATOR
    person.save(update_fields=["role"])
    # A token made with fewer rights must not gain any.
    tokens.end_of_role(person)
    note("administrator:added", person.username, actor=actor, how=how)


def _is_first(who: SignInIdentity) -> bool:
    if not named_first(who.username):
        return False
    sub, email = settings.FIRST_ADMINISTRATOR_SUB, settings.FIRST_ADMINISTRATOR_EMAIL
    if sub or email:
        return who.sub == sub if sub else is_same_address(email, who.confirmed_email)
    # A registration for the name made this account; without one the identity provider had it
    # before.
    return not Registration.objects.filter(sub=who.sub).exists()


def of_registration(registration: Registration) -> tuple[str, str]:
    """Return the identifier for which a registration's name is announced, and the remark of its
    letter; "" if the announcement is for somebody else.
    """
    found = find_announcement(registration.username)
    if found is None:
        return "", ""
    said = {Binding.NAME: "to_confirm", Binding.EMAIL: "by_itself", Binding.SUB: "by_itself"}
    return read_binding(found), said[read_binding(found)] if is_about(found, registration) else ""


def is_about(found: Announcement, registration: Registration | UnapprovedSignIn) -> bool:
    """Return whether it may mean this applicant, as far as is known before a sign-in."""
    if read_binding(found) is Binding.SUB:
        return bool(found.sub == registration.sub)
    return not found.email or is_same_address(found.email, registration.email)


def announcement_message(
    registration: Registration | UnapprovedSignIn, found: Announcement
) -> Message:
    """Return the remark on an announcement for those who decide about this applicant."""
    how = read_binding(found) if is_about(found, registration) else "another"
    return message(
        TOLD[how],
        name=registration.username,
        by=Named(person=found.created_by),
        until=found.until.date().isoformat(),
        **({"email": found.email} if how is Binding.EMAIL else {}),
    )


def forget_ended(now: datetime | None = None) -> None:
    """Delete announcements that have ended."""
    ended = Announcement.objects.filter(until__lte=now or database_now())
    for row in due_rows("end_announcements", ended):
        with attempt("end_announcements", row.pk), transaction.atomic():
            note("administrator:announcement_ended", row.username, actor=MANAGER)
            row.delete()


def _sub(text: str) -> str:
    text = text.strip()
    if len(text) > 255 or not text.isprintable():
        raise BadInput({"sub": message("usable_sub")})
    return text


def _email(text: str) -> str:
    text = text.strip()
    if not text:
        return ""
    try:
        validate_email(text)
    except ValidationError as wrong:
        raise BadInput({"email": message("email")}) from wrong
    return text


def _ends(text: str) -> datetime:
    """Return the end: of a day, or a moment (UTC); in 30 days by default."""
    now = database_now()
    if not text.strip():
        return now + LASTS
    try:
        day = parse_date(text.strip())
        moment = datetime.combine(day, time.max, UTC) if day else parse_datetime(text.strip())
    except ValueError:
        moment = None
    if moment and moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    if moment is None or not now < moment <= now + LONGEST:
        raise BadInput({"until": message("until", days=LONGEST.days)})
    return moment
