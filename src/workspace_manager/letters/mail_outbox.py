"""Letters that wait to be sent, and how they are sent.

A mail server that is down delays a letter, never the thing it tells of; a letter that it does not
take delays no other.
"""

import contextlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from workspace_manager.contract.deadline import moment, time_limit
from workspace_manager.contract.message import Message
from workspace_manager.core.batch_deletion import clear
from workspace_manager.core.clock import database_now
from workspace_manager.core.messages import message
from workspace_manager.core.wake import wake_letters
from workspace_manager.letters.letter import Letter
from workspace_manager.records.models import Mail, Person, Registration

BATCH = 50
LONGEST_WAIT_S = 900
MOST_CLEARED: Final = 1000
"""Letters forgotten at a time."""
A_LETTER_S: Final = 60
"""For a letter in all, from looking the server's name up to its last word."""
FOR_A_WHILE_S: Final = 60
"""So long one after another is sent before the worker's thread goes back."""


class MailFailure(StrEnum):
    """A reason why a letter did not go out; each is a message of this room."""

    UNREACHABLE = "unreachable"
    SLOW = "slow"
    CREDENTIAL = "credential"
    RECIPIENT = "recipient"
    NOT_TAKEN = "not_taken"
    BROKE_OFF = "broke_off"


SERVER_DOWN: Final = (MailFailure.UNREACHABLE, MailFailure.SLOW, MailFailure.CREDENTIAL)
"""Troubles that the next letter would have too: no connection was made, or nobody let us in."""
TROUBLES: Final = {
    "SMTPRecipientsRefused": MailFailure.RECIPIENT,
    "SMTPSenderRefused": MailFailure.RECIPIENT,
    "SMTPDataError": MailFailure.NOT_TAKEN,
    "SMTPResponseException": MailFailure.NOT_TAKEN,
    "SMTPNotSupportedError": MailFailure.NOT_TAKEN,
}
"""What smtplib calls what it is answered about one letter; everything else is a connection that
broke while the letter was given.
"""


@dataclass(frozen=True)
class Outbox:
    """The letters that wait to be sent. `trouble`: why the last try of the oldest did not work;
    None before a try.
    """

    waiting: int
    since: datetime | None = None
    attempts: int = 0
    trouble: Message | None = None
    next_try_at: datetime | None = None


def administrators_to_tell(username: str) -> list[Person]:
    """Whom a letter goes to about what an administrator ordered: that one; all of them when it was
    ordered on the command line, or that one is none any more. Only those with an address.
    """
    known = Person.objects.active_administrators()
    return [one for one in known.filter(username=username) or known if one.email]


def post(letter: Letter, kind: str, *, to: Person | Registration | str) -> None:
    """Leave a letter for the worker to send: to a person, in whose log it stands then, to somebody
    who asks to join, in whose log it stands once they came, or to an address.
    """
    Mail.objects.create(
        to=to if isinstance(to, str) else to.email,
        person=to if isinstance(to, Person) else None,
        registration=to if isinstance(to, Registration) else None,
        kind=kind,
        subject=letter.subject,
        text=letter.text,
        html=letter.html,
    )
    wake_letters()


def assign_letters(person: Person, sub: str) -> None:
    """Give a new person the letters that they got while they asked to join, in the caller's
    transaction.
    """
    approved = Registration.objects.filter(sub=sub, status=Registration.Status.APPROVED)
    Mail.objects.filter(registration__in=approved).update(person=person, registration=None)


def to_person(person: Person) -> QuerySet[Mail]:
    """The letters to somebody; never by their address, which was somebody else's before maybe."""
    return Mail.objects.filter(person=person)


def forget_old(now: datetime | None = None) -> None:
    """Forget the oldest letters, also one that nobody takes."""
    oldest = (now or database_now()) - timedelta(days=settings.LETTERS_DAYS)
    clear(Mail.objects.filter(created_at__lt=oldest), most=MOST_CLEARED)


def trouble_of(mail: Mail) -> Message | None:
    """Return why the last try of a letter did not work."""
    return message(mail.trouble) if mail.trouble else None


def outbox() -> Outbox:
    """Return how the letters stand that are not out yet."""
    waiting = Mail.objects.filter(sent_at=None)
    oldest = waiting.order_by("created_at", "id").first()
    if oldest is None:
        return Outbox(0)
    next_try_at = max(oldest.next_try_at, _down_until() or oldest.next_try_at)
    why, tried = trouble_of(oldest), oldest.attempts
    return Outbox(waiting.count(), oldest.created_at, tried, why, next_try_at)


def send_due() -> int:
    """Send what waits, for a while; gives how many went out. A failure is tried again later, until
    the letter is forgotten, and tells nobody's address.

    What was tried least comes first, so that a letter that is never taken stands in nobody's way.
    One letter at a time knocks at a mail server that is down: the worker's threads are there for
    plans, not for waiting.
    """
    sent, end = 0, moment() + FOR_A_WHILE_S
    # A first attempt waits for no time: whatever clock wrote it down.
    waiting = ~_later(database_now()) | Q(attempts=0)
    due = Mail.objects.filter(waiting, sent_at=None).order_by("attempts", "created_at", "id")
    for mail in due[:BATCH]:
        if _down_until() or moment() >= end:
            break
        # Moved on before the attempt: a worker killed in between sends late rather than twice at
        # once.
        wait = timedelta(seconds=min(30 * 2 ** min(mail.attempts, 10), LONGEST_WAIT_S))
        taken = Mail.objects.filter(id=mail.id, attempts=mail.attempts, sent_at=None).update(
            attempts=mail.attempts + 1, next_try_at=database_now() + wait
        )
        if taken:
            sent += _send(mail)
    return sent


def _down_until() -> datetime | None:
    """Return when the mail server is knocked at again, after a letter found none; None when it may
    be there.
    """
    waiting = Mail.objects.filter(_later(database_now()), sent_at=None)
    found = waiting.filter(trouble__in=SERVER_DOWN).aggregate(until=Max("next_try_at"))
    until: datetime | None = found["until"]
    return until


def _later(now: datetime) -> Q:
    """Letters that wait for their time. None waits longer than the longest: the clock was turned
    back.
    """
    return Q(next_try_at__gt=now, next_try_at__lte=now + timedelta(seconds=LONGEST_WAIT_S))


def _send(mail: Mail) -> bool:
    with time_limit(A_LETTER_S):
        trouble = _trouble_with(mail)
    if trouble:
        Mail.objects.filter(id=mail.id).update(trouble=trouble)
        return False
    Mail.objects.filter(id=mail.id).update(sent_at=timezone.now(), text="", html="", trouble="")
    return True


def _trouble_with(mail: Mail) -> MailFailure | None:
    """Send it; gives why it did not go out, in a word of ours: what a mail server answers repeats
    people's addresses.
    """
    line = get_connection()
    letter = EmailMultiAlternatives(
        mail.subject, mail.text, settings.DEFAULT_FROM_EMAIL, [mail.to], connection=line
    )
    letter.attach_alternative(mail.html, "text/html")
    try:
        # By itself: what goes wrong here says something of the server, later of this letter.
        line.open()
    except OSError as error:  # smtplib's errors are OSErrors too
        return _why_down(error)
    try:
        letter.send()
    except OSError as error:
        # By name: stories import nothing that speaks to the network.
        return TROUBLES.get(type(error).__name__, MailFailure.BROKE_OFF)
    finally:
        # What it says to a farewell changes nothing of what it took.
        with contextlib.suppress(OSError):
            line.close()
    return None


def _why_down(error: OSError) -> MailFailure:
    if isinstance(error, TimeoutError):
        return MailFailure.SLOW
    refused = type(error).__name__ == "SMTPAuthenticationError"
    return MailFailure.CREDENTIAL if refused else MailFailure.UNREACHABLE
