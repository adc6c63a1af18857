"""The letters that a person got are shown while the tombstone stands, and never as another's."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.visitors import Visitor
from workspace_manager.audit.erasure import erase_ended
from workspace_manager.audit.timeline import Timeline
from workspace_manager.letters import mail_outbox
from workspace_manager.people.everybody import find_subject
from workspace_manager.records.models import FormerLetter, Mail, Person, Registration, Tombstone
from workspace_manager.removal.close import _keep_letters

ADDRESS = "zora@example.org"


@pytest.fixture
def zora(db: None) -> Person:
    Registration.objects.create(username="zora", email=ADDRESS, status="approved")
    return Person.objects.create_user("zora", email=ADDRESS)


def tombstone(days: int = 1) -> Tombstone:
    return Tombstone.objects.create(
        username="zora", expires_at=timezone.now() + timedelta(days=days)
    )


def letter(kind: str, whose: Person | Registration | None = None, *, out: bool = True) -> Mail:
    return Mail.objects.create(
        to=ADDRESS.upper(),
        person=whose if isinstance(whose, Person) else None,
        registration=whose if isinstance(whose, Registration) else None,
        kind=kind,
        subject=f"Secret {kind}",
        sent_at=timezone.now() if out else None,
    )


def leave(person: Person, days: int = 1) -> Tombstone:
    """As the transaction does it that ends a removal."""
    left = tombstone(days)
    _keep_letters(left, person)
    person.delete()
    return left


def read_timeline() -> list[str]:
    return [one.text.english for one in Timeline(find_subject("zora"))]


def test_they_are_told_without_what_they_said(zora: Person, as_administrator: Visitor) -> None:
    letter("approved", Registration.objects.get())
    letter("by_administrator", zora)
    letter("notice", zora, out=False)
    letter("of another version", zora)
    leave(zora)
    page = as_administrator.get("/manage/people/zora?kind=letter").content.decode()
    assert read_timeline() == [
        "The manager sent zora an e-mail: of another version",
        "The manager wrote zora an e-mail that was not sent: new inbox item",
        "The manager sent zora an e-mail: message from an administrator",
        "The manager sent zora an e-mail: registration approved",
    ]
    for text in ("message from an administrator", "was not sent: new inbox item"):
        assert text in page
    assert "Secret" not in page
    assert not Mail.objects.exists(), "neither address nor subject is kept"


def test_letters_of_others_by_that_address_are_not_theirs(zora: Person) -> None:
    Mail.objects.all().delete()
    old = letter("rejected")
    Mail.objects.filter(id=old.pk).update(created_at=timezone.now() - timedelta(days=400))
    waiting = letter("confirm_email", out=False)
    leave(zora)
    assert read_timeline() == []
    assert set(Mail.objects.all()) == {old, waiting}


def test_a_newcomer_inherits_none(zora: Person) -> None:
    letter("approved")
    letter("notice", zora)
    leave(zora)
    newcomer = Person.objects.create_user("zora", email=ADDRESS)
    assert read_timeline() == []
    assert not mail_outbox.to_person(newcomer).exists()
    letter("access_ends", newcomer)
    newest = leave(newcomer)
    Tombstone.objects.filter(id=newest.pk).update(created_at=timezone.now() + timedelta(1))
    assert read_timeline() == ["The manager sent zora an e-mail: access ends soon"]


def test_they_go_when_the_tombstone_has_ended(zora: Person) -> None:
    letter("notice", zora)
    leave(zora, days=-1)
    assert FormerLetter.objects.count() == 1
    assert erase_ended(timezone.now()) == 1
    assert not FormerLetter.objects.exists()
