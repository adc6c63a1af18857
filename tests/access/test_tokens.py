"""API tokens end, say when they were used, and are ended by others."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone

from tests.database_writes import record_writes
from tests.fake_world.people import make_person
from workspace_manager.access import tokens
from workspace_manager.core.refusal import BadInput
from workspace_manager.notices import choices, letters
from workspace_manager.people import roles
from workspace_manager.records.models import ApiToken, AuditEntry, Mail, Person

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def alice() -> Person:
    return make_person("alice")


def create_token(person: Person, **terms: object) -> tuple[ApiToken, str]:
    return tokens.create(person, name="laptop", actor=person.username, **terms)  # type: ignore[arg-type]


def ends_in(token: ApiToken, left: timedelta, *, lived: timedelta = 90 * DAY) -> None:
    now = timezone.now()
    times = {"expires_at": now + left, "created_at": now + left - lived}
    ApiToken.objects.filter(id=token.id).update(**times)


def test_a_token_ends_after_ninety_days(alice: Person, settings: LazySettings) -> None:
    token, clear = create_token(alice)
    assert abs(token.expires_at - timezone.now() - 90 * DAY) < timedelta(minutes=1)
    assert tokens.find_token(clear)
    ends_in(token, -timedelta(seconds=1))
    assert tokens.find_token(clear) is None
    settings.TOKEN_DAYS = 7
    assert create_token(alice)[0].expires_at < timezone.now() + 8 * DAY
    settings.TOKEN_MOST_DAYS = 2
    assert create_token(alice)[0].expires_at < timezone.now() + 3 * DAY


def test_no_token_lives_longer_than_the_setting(alice: Person, settings: LazySettings) -> None:
    now = timezone.now()
    for until in (now + 367 * DAY, now - SECOND, now - DAY, datetime(9999, 12, 31, tzinfo=UTC)):
        with pytest.raises(BadInput):
            create_token(alice, until=until)
    assert create_token(alice, until=now + 366 * DAY - SECOND)
    settings.TOKEN_MOST_DAYS = 5
    with pytest.raises(BadInput) as refused:
        create_token(alice, until=now + 6 * DAY)
    assert (
        "Write a date (2026-12-31) or a time (2026-12-31T08:00+01:00) in the future, at most 5 "
        "days from now."
    ) in refused.value.messages["expires_at"].english


@pytest.mark.parametrize(
    "text", ["", "never", "2026-13-01", "tomorrow", "9" * 40, "0001-01-01T00:00+01:00"]
)
def test_an_end_that_names_no_moment_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        tokens.read_end(text, UTC)


def test_the_last_use_is_written_once_a_minute(alice: Person) -> None:
    token, clear = create_token(alice)
    with record_writes() as writes:
        assert [bool(tokens.find_token(clear)) for _ in range(5)] == [True] * 5
    assert len(writes) == 1
    before = timezone.now() - timedelta(seconds=61)
    ApiToken.objects.filter(id=token.id).update(last_used_at=before)
    assert tokens.find_token(clear)
    assert ApiToken.objects.get().last_used_at != before


def test_only_administrators_have_tokens_for_administration(alice: Person) -> None:
    for scope in tokens.FOR_THE_ROLE:
        with pytest.raises(BadInput):
            create_token(alice, scope=scope)
    assert not ApiToken.objects.exists()


def test_such_a_token_ends_with_the_role(alice: Person) -> None:
    """Else it would come back to life with the role, unseen."""
    ada, _ = make_person("ada", role="administrator"), make_person("eva", role="administrator")
    kept, gone = create_token(ada)[0], create_token(ada, scope=tokens.Scope.ADMINISTRATION)[0]
    other = create_token(alice)[0]
    roles.make_user("ada", actor="eva")
    assert set(ApiToken.objects.all()) == {kept, other}
    assert gone.id not in set(ApiToken.objects.values_list("id", flat=True))


def test_making_and_ending_are_in_the_audit(alice: Person) -> None:
    token, clear = create_token(alice, scope=tokens.Scope.READ)
    tokens.revoke(token, actor="ada")
    began, ended = AuditEntry.objects.filter(event__startswith="token:").order_by("id")
    assert (began.actor, ended.actor) == ("alice", "ada")
    for entry in (began, ended):
        assert entry.subject == "alice"
        assert entry.details["scope"] == "read"
        assert entry.details["until"]
        assert clear not in str(entry.details)


def test_a_letter_comes_once_before_the_end(alice: Person) -> None:
    token, clear = create_token(alice)
    short, _ = create_token(alice, until=timezone.now() + 2 * DAY)
    letters.tell_everybody()
    assert not Mail.objects.exists()
    ends_in(token, 6 * DAY)
    for _ in range(2):
        letters.tell_everybody()
    (letter,) = Mail.objects.all()
    assert letter.to == "alice@example.org"
    assert "laptop" in letter.subject
    assert clear not in letter.text
    ends_in(short, timedelta(hours=20), lived=2 * DAY)
    letters.tell_everybody()
    letters.tell(alice, timezone.now() + DAY / 2)
    assert Mail.objects.count() == 2


def test_no_letter_comes_to_who_wants_none(alice: Person) -> None:
    choices.choose(alice, {"token": "never"})
    token, _ = create_token(alice)
    ends_in(token, 6 * DAY)
    letters.tell_everybody()
    assert not Mail.objects.exists()


def test_what_ended_long_ago_is_forgotten(alice: Person) -> None:
    old, recent = create_token(alice)[0], create_token(alice)[0]
    ends_in(old, -31 * DAY)
    ends_in(recent, -29 * DAY)
    tokens.forget_ended()
    assert list(ApiToken.objects.all()) == [recent]
    assert not tokens.valid_tokens(alice).exists()
