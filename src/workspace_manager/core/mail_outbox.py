"""Letters that wait to be sent, and how they are sent.

A mail server that is down delays a letter, never the thing it tells of.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import Q, QuerySet
from django.utils import timezone

from workspace_manager.contract.message import Message
from workspace_manager.core.clock import database_now
from workspace_manager.core.letter import Letter
from workspace_manager.core.listing import Listing
from workspace_manager.core.messages import message
from workspace_manager.core.wake import wake_letters
from workspace_manager.records.models import Mail, Person

BATCH = 50
SENT: Final = Listing(searched=("subject", "to"), order=("-created_at",))
LONGEST_WAIT_S = 900


class Trouble(StrEnum):
    """Why a letter did not go out; each is a message of this room."""

    UNREACHABLE = "unreachable"
    SLOW = "slow"
    CREDENTIAL = "credential"
    RECIPIENT = "recipient"
    NOT_TAKEN = "not_taken"


SERVER_DOWN: Final = (Trouble.UNREACHABLE, Trouble.SLOW, Trouble.CREDENTIAL)
"""Troubles that the next letter would have too."""
TROUBLES: Final = {
    "SMTPAuthenticationError": Trouble.CREDENTIAL,
    "SMTPRecipientsRefused": Trouble.RECIPIENT,
    "SMTPSenderRefused": Trouble.RECIPIENT,
    "SMTPDataError": Trouble.NOT_TAKEN,
    "SMTPResponseException": Trouble.NOT_TAKEN,
    "SMTPNotSupportedError": Trouble.NOT_TAKEN,
}
"""What smtplib calls them; everything else is a connection that was not made or broke."""


@dataclass(frozen=True)
class Outbox:
    """What waits to be sent. `trouble`: why the last try of the oldest did not work; None when none
    was made yet.
    """

    waiting: int
    since: datetime | None = None
    attempts: int = 0
    trouble: Message | None = None
    next_try_at: datetime | None = None


def post(letter: Letter, kind: str, *, to: str = "", person: Person | None = None) -> None:
    """Leave a letter for the worker to send: to an address, or to a person, in whose log it stands
    then.
    """
    Mail.objects.create(
        to=to or (person.email if person else ""),
        person=person,
        kind=kind,
        subject=letter.subject,
        text=letter.text,
        html=letter.html,
    )
    wake_letters()


def to_person(person: Person) -> QuerySet[Mail]:
    """The letters to somebody; also those to their address from before they were here."""
    before = Q(person=None, to__iexact=person.email) if person.email else Q(pk=None)
    return Mail.objects.filter(Q(person=person) | before)


def trouble_of(mail: Mail) -> Message | None:
    """Why the last try of a letter did not work."""
    return message(mail.trouble) if mail.trouble else None


def outbox() -> Outbox:
    """How the letters stand that are not out yet."""
    waiting = Mail.objects.filter(sent_at=None)
    oldest = waiting.order_by("created_at", "id").first()
    if oldest is None:
        return Outbox(0)
    why, tried = trouble_of(oldest), oldest.attempts
    return Outbox(waiting.count(), oldest.created_at, tried, why, oldest.next_try_at)


def send_due() -> int:
    """Send what waits; gives how many went out. A failure is tried again later, for ever, and tells
    nobody's address.

    One letter at a time knocks at a mail server that is down: the worker's threads are there for
    plans, not for waiting.
    """
    sent = 0
    # A first attempt waits for no time: whatever clock wrote it down.
    waiting = Q(next_try_at__lte=database_now()) | Q(attempts=0)
    for mail in Mail.objects.filter(waiting, sent_at=None)[:BATCH]:
        if _server_is_down():
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


def _server_is_down() -> bool:
    """Whether a letter found no mail server and its next try is still to come."""
    waiting = Mail.objects.filter(sent_at=None, next_try_at__gt=database_now())
    return waiting.filter(trouble__in=SERVER_DOWN).exists()


def _send(mail: Mail) -> bool:
    letter = EmailMultiAlternatives(mail.subject, mail.text, settings.DEFAULT_FROM_EMAIL, [mail.to])
    letter.attach_alternative(mail.html, "text/html")
    try:
        letter.send()
    except OSError as error:  # smtplib's errors are OSErrors too
        Mail.objects.filter(id=mail.id).update(trouble=_why(error))
        return False
    Mail.objects.filter(id=mail.id).update(sent_at=timezone.now(), text="", html="", trouble="")
    return True


def _why(error: OSError) -> Trouble:
    """What went wrong, in a word of ours: what a mail server answers repeats people's addresses."""
    if isinstance(error, TimeoutError):
        return Trouble.SLOW
    # By name: stories import nothing that speaks to the network.
    return TROUBLES.get(type(error).__name__, Trouble.UNREACHABLE)
