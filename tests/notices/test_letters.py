"""People are told of what waits for them: once, in their language, and that it is over."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.inbox.test_waiting import everything
from tests.web.pages.healthy import healthy
from workspace_manager.core.refusal import BadInput
from workspace_manager.inbox import waiting
from workspace_manager.notices import began, choices, letters, outbox, who
from workspace_manager.notices.choices import How
from workspace_manager.records.models import (
    Health,
    Mail,
    NoticeSent,
    Person,
    Registration,
    WebhookDelivery,
    WebhookEndpoint,
)

pytestmark = pytest.mark.django_db
NOW = datetime(2030, 5, 2, 12, tzinfo=UTC)
EARLY = NOW.replace(hour=6)


@pytest.fixture
def down(ada: Person) -> Health:
    """A system that is down since a while."""
    healthy("drive", "down", "it does not answer")
    since = timezone.now() - timedelta(minutes=10)
    Health.objects.filter(system="drive").update(since=since)
    return Health.objects.get(system="drive")


def subjects(person: Person) -> list[str]:
    rows = Mail.objects.filter(person=person).order_by("created_at", "id")
    return list(rows.values_list("kind", flat=True))


def mended() -> None:
    Health.objects.filter(system="drive").update(state="up")


def test_each_thing_is_told_once_and_once_that_it_is_over(ada: Person, down: Health) -> None:
    letters.tell_everybody()
    letters.tell_everybody()
    mail = Mail.objects.get()
    assert (mail.kind, mail.to, mail.person) == ("notice", ada.email, ada)
    assert mail.subject == "The drive is down."
    assert "it does not answer" in mail.text
    assert "/manage/systems#drive" in mail.text
    mended()
    letters.tell_everybody()
    letters.tell_everybody()
    assert subjects(ada) == ["notice", "notice_over"]
    assert Mail.objects.get(kind="notice_over").subject == "It is over: The drive is down."


def test_what_begins_together_is_one_letter_and_a_long_one_says_how_many_more(
    ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "MOST_IN_A_LETTER", 2)
    for name in ("drive", "triplestore", "sql_server"):
        healthy(name, "down", "it does not answer")
    letters.tell_everybody()
    mail = Mail.objects.get()
    assert mail.subject == "3 things wait for you"
    assert "and 1 more" in mail.text
    assert NoticeSent.objects.count() == 3


def test_two_workers_write_one_letter(
    ada: Person, down: Health, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have seen that nobody was told."""
    seen = waiting.of(ada, timezone.now(), kinds=["system_down"]).items
    letters.tell_everybody()
    letters._write(ada, "notice", seen, How.AT_ONCE, named=seen)
    assert Mail.objects.count() == 1


def test_what_comes_and_goes_is_told_once_an_hour(ada: Person, down: Health) -> None:
    letters.tell_everybody()
    Health.objects.update(since=timezone.now() - timedelta(seconds=5))
    letters.tell_everybody()
    assert subjects(ada) == ["notice", "notice_over"]
    NoticeSent.objects.update(sent_at=timezone.now() - letters.AGAIN_AFTER)
    letters.tell_everybody()
    assert subjects(ada) == ["notice", "notice_over", "notice"]


def test_in_german(ada: Person, down: Health) -> None:
    Person.objects.update(locale="de-AT")
    letters.tell_everybody()
    mail = Mail.objects.get()
    assert "Was auf Sie wartet" in mail.text
    assert "waits" not in mail.text + mail.html


@pytest.mark.parametrize(
    "change",
    [
        {"state": Person.State.SUSPENDED},
        {"state": Person.State.LEAVING},
        {"email": ""},
        {"role": Person.Role.USER},
    ],
)
def test_who_is_not_told(ada: Person, down: Health, change: dict[str, str]) -> None:
    Person.objects.update(**change)
    letters.tell_everybody()
    assert not Mail.objects.exists()


def test_what_is_chosen_counts(ada: Person, down: Health) -> None:
    choices.choose(ada, {"system_down": How.NEVER})
    letters.tell_everybody()
    assert not Mail.objects.exists()
    assert choices.of(ada)["system_down"] == How.NEVER
    choices.choose(ada, {"system_down": How.AT_ONCE})
    letters.tell_everybody()
    assert subjects(ada) == ["notice"]
    with pytest.raises(BadInput) as wrong:
        choices.choose(ada, {"system_down": "hourly", "nonsense": How.NEVER})
    assert wrong.value.errors.keys() == {"system_down", "nonsense"}


def test_the_daily_letter_comes_in_the_morning_of_its_reader(ada: Person) -> None:
    Person.objects.update(timezone="America/New_York")
    Registration.objects.create(username="mira", email="m@x.org")
    Registration.objects.update(created_at=NOW - timedelta(days=1))
    ada.refresh_from_db()
    letters.tell(ada, NOW.replace(hour=10, minute=59))
    assert not Mail.objects.exists(), "it is 6:59 in New York"
    letters.tell(ada, NOW.replace(hour=11, minute=1))
    letters.tell(ada, NOW.replace(hour=11, minute=2))
    mail = Mail.objects.get()
    assert mail.kind == "notice_digest"
    assert "mira wants to join." in mail.text
    Registration.objects.create(username="nora", email="n@x.org")
    Registration.objects.filter(username="nora").update(created_at=NOW.replace(hour=15))
    letters.tell(ada, NOW.replace(hour=16))
    assert Mail.objects.count() == 1, "tomorrow"
    letters.tell(ada, NOW.replace(day=3, hour=11, minute=1))
    assert "mira" in Mail.objects.latest("id").text
    assert "nora" in Mail.objects.latest("id").text
    letters.tell(ada, NOW.replace(day=4, hour=11, minute=1))
    assert Mail.objects.count() == 2, "nothing is new"


def test_whoever_something_waits_for_is_looked_at(ada: Person) -> None:
    everything(ada, 0)
    now = timezone.now()
    Person.objects.filter(email="").update(email="x@example.org")
    looked_at = set(who.may_be_told(now))
    for person in Person.objects.all():
        if waiting.of(person, now).total:
            assert person in looked_at
    Person.objects.filter(pk=ada.pk).update(role=Person.Role.USER)
    ada.refresh_from_db()
    assert waiting.of(ada, now).counts.keys() >= {"token", "request", "invitation"}
    for kind in waiting.of(ada, now).counts:
        assert kind in waiting.KINDS
    assert ada in set(who.may_be_told(now))


def test_a_look_costs_no_more_for_people_for_whom_nothing_waits(ada: Person, down: Health) -> None:
    letters.tell_everybody()

    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            letters.tell_everybody()
        return len(queries)

    few = cost()
    for n in range(5):
        Person.objects.create_user(f"guest{n}", email=f"g{n}@example.org")
    assert cost() == few


def test_webhooks_are_told_what_begins_and_ends(ada: Person, down: Health) -> None:
    began.tell()
    assert not WebhookDelivery.objects.exists()
    WebhookEndpoint.objects.create(label="T", url="https://x.org", events=["waiting.*"])
    began.tell()
    began.tell()
    (row,) = WebhookDelivery.objects.all()
    assert row.type == outbox.BEGAN
    assert '"inbox.down"' in row.body
    mended()
    began.tell()
    began.tell()
    assert WebhookDelivery.objects.count() == 2
    assert WebhookDelivery.objects.filter(type=outbox.ENDED).count() == 1


def test_every_kind_that_is_told_of_is_one_that_there_is() -> None:
    assert {*waiting.KINDS} >= choices.AT_ONCE | choices.TOLD_WHEN_OVER
    assert {*waiting.KINDS} >= {*began.KINDS}


def test_a_zone_that_this_host_does_not_know_keeps_no_letter_back(
    ada: Person, down: Health
) -> None:
    Person.objects.update(timezone="Europe/Atlantis")
    letters.tell_everybody()
    assert subjects(ada) == ["notice"]
