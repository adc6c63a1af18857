"""Letters to people, written in their language and left for the worker to send.

A mail server that is down delays a letter, never the thing it tells of.
"""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final
from urllib.parse import quote

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import Q
from django.utils import timezone

from workspace_manager.contract.message import Message, in_words
from workspace_manager.core import access_letters
from workspace_manager.core.clock import database_now
from workspace_manager.core.letter import Letter, in_language, post, written, zone_of
from workspace_manager.core.messages import message, stored
from workspace_manager.records.models import ApiToken, Mail, Person, Plan, Registration, Suspension

BATCH = 50
LONGEST_WAIT_S = 900
LANGUAGES: Final = ("en", "de")
LETTERS: Final = (
    "confirm_email",
    "approved",
    "rejected",
    "expires_soon",
    "expired",
    "removal_finished",
    "suspension_ends",
    "access_ends",
    "by_administrator",
    "token_ends",
)
"""Every letter there is, in the order of a life."""


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


def approved(registration: Registration, *, announced: str = "") -> None:
    """Tell somebody that the account is there and how to sign in. `announced`: that they shall be
    an administrator ("by_itself"), or shall be confirmed as one ("to_confirm").
    """
    url = f"{settings.BASE_URL}/sign-in"
    _write("approved", registration, sign_in_url=url, announced=announced)


def rejected(registration: Registration) -> None:
    """Tell somebody no, and why."""
    _write("rejected", registration, reason=registration.reason)


def confirm_email(registration: Registration, clear: str) -> None:
    """Send the link that confirms an address. The letter holds the link and nothing of
    the account.
    """
    _write(
        "confirm_email", registration, confirm_url=f"{settings.BASE_URL}/register/confirm/{clear}"
    )


def expires_soon(registration: Registration) -> None:
    """Tell somebody that nobody has decided yet and when the registration ends."""
    _write("expires_soon", registration)


def expired(registration: Registration) -> None:
    """Tell somebody that the registration ended undecided."""
    _write("expired", registration)


def removal_finished(plan: Plan) -> None:
    """Tell the administrator who approved a removal that it is finished; all of them when it was
    approved on the command line.
    """
    known = Person.objects.active_administrators()
    for administrator in known.filter(username=plan.approved_by) or known:
        if administrator.email:
            post(administrator.email, _removal_finished(plan, in_language(administrator.locale)))


def suspension_ends(suspension: Suspension) -> None:
    """Tell the administrator who ordered a suspension that it ends soon, by itself; all of them
    when it was ordered on the command line.
    """
    known = Person.objects.active_administrators()
    for administrator in known.filter(username=suspension.by) or known:
        if administrator.email:
            letter = _suspension_ends(
                suspension, in_language(administrator.locale), administrator.timezone
            )
            post(administrator.email, letter)


def _suspension_ends(suspension: Suspension, language: str, zone: str = "") -> Letter:
    name = suspension.person.username
    url = f"{settings.BASE_URL}/manage/people/{quote(name, safe='')}/suspension"
    until = message("at", moment=suspension.until or suspension.since)
    moment = in_words(until, language, zone_of(zone))
    words = {"name": name, "until": moment, "reason": suspension.reason, "url": url}
    return written("suspension_ends", language, words)


def token_ends(token: ApiToken) -> None:
    """Tell somebody that a token of theirs ends soon, so that no program stops by surprise."""
    person = token.person
    if person.email:
        post(person.email, _token_ends(token, in_language(person.locale), person.timezone))


def _token_ends(token: ApiToken, language: str, zone: str = "") -> Letter:
    until = in_words(message("at", moment=token.expires_at), language, zone_of(zone))
    words = {"label": token.name, "until": until, "url": f"{settings.BASE_URL}/tokens"}
    return written("token_ends", language, words)


def _removal_finished(plan: Plan, language: str) -> Letter:
    url = f"{settings.BASE_URL}/manage/plans/{plan.id}"
    findings = [in_words(stored(finding), language) for finding in plan.findings]
    words = {"plan": plan, "plan_url": url, "findings": findings}
    return written("removal_finished", language, words)


def _write(letter: str, registration: Registration, **words: object) -> None:
    if registration.email:
        language = in_language(registration.locale)
        post(registration.email, written(letter, language, {"registration": registration, **words}))


def preview(letter: str, language: str) -> Letter:
    """One letter with made-up words, as it would be sent. Raises KeyError for a letter or language
    there is not.
    """
    if letter not in LETTERS or language not in LANGUAGES:
        raise KeyError(letter)
    if letter == "suspension_ends":
        person = Person(username="carla.rossi")
        row = Suspension(person=person, until=datetime(2030, 1, 31, 7, tzinfo=UTC), by="")
        return _suspension_ends(row, language)
    if letter in access_letters.LETTERS:
        return access_letters.preview(letter, language)
    if letter == "token_ends":
        ends = datetime(2030, 1, 31, 7, tzinfo=UTC)
        return _token_ends(ApiToken(name="Import", expires_at=ends), language)
    if letter == "removal_finished":
        left = message("left_by_hand", label="Notes", name="ws_notes")
        plan = Plan(
            id=uuid.UUID(int=0), person="carla.rossi", findings=[left.model_dump(mode="json")]
        )
        return _removal_finished(plan, language)
    registration = Registration(
        username="carla.rossi",
        email="carla.rossi@example.org",
        first_name="Carla",
        last_name="Rossi",
        locale=language,
    )
    words: dict[str, object] = {
        "registration": registration,
        "reason": "Die Gruppe ist voll." if language == "de" else "The group is full.",
        "sign_in_url": f"{settings.BASE_URL}/sign-in",
        "confirm_url": f"{settings.BASE_URL}/register/confirm/…",
    }
    return written(letter, language, words)


def outbox() -> Outbox:
    """How the letters stand that are not out yet."""
    waiting = Mail.objects.filter(sent_at=None)
    oldest = waiting.order_by("created_at", "id").first()
    if oldest is None:
        return Outbox(0)
    why = message(oldest.trouble) if oldest.trouble else None
    return Outbox(waiting.count(), oldest.created_at, oldest.attempts, why, oldest.next_try_at)


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
