"""A letter that the mail server does not take delays no other; a server that is not there is
knocked at by one letter at a time.
"""

import smtplib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from workspace_manager.letters import mail_outbox
from workspace_manager.letters.letter import Letter
from workspace_manager.letters.mail_outbox import MailFailure
from workspace_manager.records.models import Mail, Person, Registration

pytestmark = pytest.mark.django_db
GONE = smtplib.SMTPServerDisconnected("Connection unexpectedly closed")


class Server(BaseEmailBackend):
    """A mail server by whose `door` nobody gets in, and that answers some letters with an error."""

    door: OSError | None = None
    answers: dict[str, OSError] = {}
    farewell: OSError | None = None
    tried: list[str] = []

    def open(self) -> bool:
        if Server.door:
            raise Server.door
        return True

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        (to,) = email_messages[0].to
        Server.tried.append(to)
        if to in Server.answers:
            raise Server.answers[to]
        return 1

    def close(self) -> None:
        if Server.farewell:
            raise Server.farewell


@pytest.fixture
def server(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> type[Server]:
    settings.EMAIL_BACKEND = f"{__name__}.Server"
    monkeypatch.setattr(Server, "door", None)
    monkeypatch.setattr(Server, "farewell", None)
    monkeypatch.setattr(Server, "answers", {})
    monkeypatch.setattr(Server, "tried", [])
    return Server


class Clock:
    """What the outbox takes for now."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now: datetime = timezone.now()
        monkeypatch.setattr(mail_outbox, "database_now", lambda: self.now)

    def minutes(self, count: int) -> int:
        sent = 0
        for _ in range(count):
            self.now += timedelta(minutes=1)
            sent += mail_outbox.send_due()
        return sent


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def _post(*names: str) -> None:
    for name in names:
        letter = Letter(subject="s", text="t", html="<p>t</p>")
        mail_outbox.post(letter, "notice", to=f"{name}@example.org")


@pytest.mark.parametrize("broken", [GONE, TimeoutError(), BrokenPipeError()])
def test_a_letter_that_breaks_the_connection_delays_no_other(
    server: type[Server], clock: Clock, broken: OSError
) -> None:
    server.answers["bad@example.org"] = broken
    _post("bad", "one", "two")
    assert clock.minutes(1) == 2
    _post("three")
    assert clock.minutes(1) == 1
    assert Mail.objects.get(sent_at=None).trouble == MailFailure.BROKE_OFF


def test_what_was_tried_least_comes_first(
    server: type[Server], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many that are never taken as are tried at a time keep nobody from it."""
    monkeypatch.setattr(mail_outbox, "BATCH", 2)
    server.answers |= {f"{name}@example.org": GONE for name in ("bad", "worse")}
    _post("bad", "worse", "good")
    clock.minutes(1)
    Mail.objects.update(next_try_at=clock.now)
    assert clock.minutes(1) == 1
    assert server.tried[2] == "good@example.org"


def test_a_round_ends_after_a_while(
    server: type[Server], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letters that each take a minute do not hold the worker's thread for an hour."""
    times = iter(range(0, 10_000, 40))
    monkeypatch.setattr(mail_outbox, "moment", lambda: next(times))
    _post("one", "two", "three", "four")
    assert clock.minutes(1) == 1
    assert clock.minutes(1) == 1


def test_one_letter_knocks_at_a_server_that_is_down(server: type[Server], clock: Clock) -> None:
    server.door = ConnectionRefusedError()
    _post("one", "two", "three")
    assert clock.minutes(1) == 0
    assert list(Mail.objects.values_list("attempts", flat=True)) == [1, 0, 0]
    clock.now += timedelta(seconds=10)
    mail_outbox.send_due()
    assert Mail.objects.filter(attempts=0).count() == 2, "its next try is still to come"
    clock.minutes(1)
    waits = mail_outbox.outbox()
    assert (waits.waiting, waits.attempts) == (3, 1)
    assert waits.next_try_at == clock.now + timedelta(seconds=30), "when the next one knocks"
    server.door = None
    assert clock.minutes(1) == 3


def test_what_is_said_at_the_farewell_sends_no_letter_twice(
    server: type[Server], clock: Clock
) -> None:
    server.farewell = GONE
    _post("one")
    assert clock.minutes(5) == 1
    assert server.tried == ["one@example.org"]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (smtplib.SMTPAuthenticationError(535, b"no"), MailFailure.CREDENTIAL),
        (TimeoutError(), MailFailure.SLOW),
        (GONE, MailFailure.UNREACHABLE),
    ],
)
def test_why_the_server_is_down_is_told_in_words_of_ours(
    server: type[Server], error: OSError, told: str
) -> None:
    server.door = error
    _post("one")
    assert mail_outbox.send_due() == 0
    assert _stands() == (told, "t", 1, None)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (smtplib.SMTPRecipientsRefused({"one@example.org": (550, b"no")}), MailFailure.RECIPIENT),
        (smtplib.SMTPDataError(554, b"one@example.org: spam"), MailFailure.NOT_TAKEN),
        (GONE, MailFailure.BROKE_OFF),
    ],
)
def test_why_a_letter_was_not_taken_is_told_in_words_of_ours(
    server: type[Server], error: OSError, told: str
) -> None:
    server.answers["one@example.org"] = error
    _post("one")
    assert mail_outbox.send_due() == 0
    assert _stands() == (told, "t", 1, None)


def _stands() -> tuple[Any, ...]:
    return Mail.objects.values_list("trouble", "text", "attempts", "sent_at").get()


def test_old_letters_are_forgotten_some_at_a_time(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LETTERS_DAYS = 30
    monkeypatch.setattr(mail_outbox, "MOST_CLEARED", 2)
    old = timezone.now() - timedelta(days=31)
    for n in range(3):
        Mail.objects.create(to="a@example.org", subject=f"Old {n}", created_at=old, sent_at=old)
    Mail.objects.create(to="a@example.org", subject="Young", created_at=old + timedelta(days=2))
    mail_outbox.forget_old()
    assert Mail.objects.count() == 2
    mail_outbox.forget_old()
    assert [row.subject for row in Mail.objects.all()] == ["Young"]


def test_letters_of_a_registration_are_its_persons_and_nobody_elses() -> None:
    letter = Letter(subject="No room", text="t", html="h")
    approved = Registration.Status.APPROVED
    before = Registration.objects.create(username="m", email="m@example.org", status="rejected")
    asked = Registration.objects.create(
        username="mira", email="m@example.org", status=approved, sub="sub-1"
    )
    mail_outbox.post(letter, "rejected", to=before)
    mail_outbox.post(letter, "approved", to=asked)
    person = Person.objects.create_user("mira", email="m@example.org")
    assert not mail_outbox.to_person(person)
    mail_outbox.assign_letters(person, "sub-1")
    assert [row.kind for row in mail_outbox.to_person(person)] == ["approved"]
    asked.delete()
    assert mail_outbox.to_person(person).count() == 1
