"""People are told of what waits for them: once, in their language, and that it is over."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from tests.inbox.test_waiting_items import everything
from tests.web.pages.healthy import healthy
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.refusal import BadInput
from workspace_manager.inbox import put_off, waiting_items
from workspace_manager.inbox.item import Item, ItemView
from workspace_manager.notices import audience, choices, letters, waiting_events
from workspace_manager.notices.choices import How
from workspace_manager.records.models import (
    Health,
    Mail,
    NoticeSent,
    Person,
    ProviderState,
    Registration,
    Snooze,
    WebhookDelivery,
    WebhookEndpoint,
)
from workspace_manager.webhooks import outbox

pytestmark = pytest.mark.django_db
NOW = datetime(timezone.now().year + 1, 5, 2, 12, tzinfo=UTC)
"""In the summer, when it is four hours earlier in New York."""
DAY = timedelta(days=1)


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
    assert mail.subject == "The drive does not answer."
    assert "it does not answer" in mail.text
    assert "/manage/systems#drive" in mail.text
    mended()
    letters.tell_everybody()
    letters.tell_everybody()
    assert subjects(ada) == ["notice", "notice_over"]
    assert Mail.objects.get(kind="notice_over").subject == "Resolved: The drive does not answer."


def test_what_begins_together_is_one_letter_and_a_long_one_says_how_many_more(
    ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "MOST_IN_A_LETTER", 2)
    for name in ("drive", "triplestore", "sql_server"):
        healthy(name, "down", "it does not answer")
    letters.tell_everybody()
    mail = Mail.objects.get()
    assert mail.subject == "3 items are waiting for you"
    assert "and 1 more" in mail.text
    assert NoticeSent.objects.count() == 3


def test_two_workers_write_one_letter(
    ada: Person, down: Health, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have seen that nobody was told."""
    now = timezone.now()
    seen = waiting_items.list_keys(ada, now, ["system_down"])
    letters.tell_everybody()
    letters._write(ada, "notice", seen, How.AT_ONCE, now, named=seen)
    assert Mail.objects.count() == 1


def test_what_comes_and_goes_is_told_once_an_hour(ada: Person, down: Health) -> None:
    letters.tell_everybody()
    mended()
    letters.tell_everybody()
    assert subjects(ada) == ["notice", "notice_over"]
    Health.objects.update(state="down", since=timezone.now())
    letters.tell_everybody()
    assert subjects(ada) == ["notice", "notice_over"]
    NoticeSent.objects.update(sent_at=timezone.now() - letters.AGAIN_AFTER)
    letters.tell_everybody()
    assert subjects(ada) == ["notice", "notice_over", "notice"]


def test_in_german(ada: Person, down: Health) -> None:
    Person.objects.update(locale="de-AT")
    letters.tell_everybody()
    mail = Mail.objects.get()
    assert "Ihr Eingang" in mail.text
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
    assert choices.read_choices(ada)["system_down"] == How.NEVER
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
    letters.tell(ada, NOW.replace(hour=11, minute=1) + DAY)
    assert "mira" in Mail.objects.latest("id").text
    assert "nora" in Mail.objects.latest("id").text
    letters.tell(ada, NOW.replace(hour=11, minute=1) + 2 * DAY)
    assert Mail.objects.count() == 2, "nothing is new"


def test_a_letter_of_a_clock_that_was_ahead_is_not_the_last_for_forty_days(ada: Person) -> None:
    Registration.objects.create(username="mira", email="m@x.org")
    Registration.objects.update(created_at=NOW - DAY)
    letters.tell(ada, NOW + 40 * DAY)
    assert Mail.objects.count() == 1
    Registration.objects.create(username="nora", email="n@x.org")
    Registration.objects.filter(username="nora").update(created_at=NOW - timedelta(hours=8))
    for _ in range(2):
        letters.tell(ada, NOW)
    assert Mail.objects.count() == 2
    assert "nora" in Mail.objects.latest("id").text


def test_a_thing_that_was_told_of_in_the_future_is_told_of_when_it_comes_again(
    ada: Person, down: Health
) -> None:
    letters.tell(ada, timezone.now())
    NoticeSent.objects.update(sent_at=timezone.now() + 40 * DAY)
    again = timezone.now() - timedelta(minutes=1)
    Health.objects.filter(system="drive").update(since=again, looked_at=timezone.now())
    letters.tell(ada, timezone.now())
    assert subjects(ada) == ["notice", "notice"]


def test_whoever_something_waits_for_is_looked_at(ada: Person) -> None:
    everything(ada, 0)
    now = timezone.now()
    Person.objects.filter(email="").update(email="x@example.org")
    looked_at = dict(audience.may_be_told(now))
    for person in Person.objects.all():
        waits = waiting_items.list_items(person, now).counts
        assert waits.keys() <= looked_at.get(person, frozenset())
    Person.objects.filter(pk=ada.pk).update(role=Person.Role.USER)
    ada.refresh_from_db()
    assert waiting_items.list_items(ada, now).counts.keys() >= {"token", "request", "invitation"}
    for kind in waiting_items.list_items(ada, now).counts:
        assert kind in waiting_items.KINDS
    assert dict(audience.may_be_told(now))[ada] >= {"token", "request", "invitation"}


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
    waiting_events.tell()
    assert not WebhookDelivery.objects.exists()
    WebhookEndpoint.objects.create(label="T", origin="https://x.org", events=["waiting.*"])
    with translation.override("de"):
        waiting_events.tell()
    waiting_events.tell()
    (row,) = WebhookDelivery.objects.all()
    assert row.type == outbox.BEGAN
    (item,) = bodies()
    assert item.keys() == ItemView.model_fields.keys()
    said = ("The drive does not answer.", "inbox.down")
    assert (item["what"], item["what_message"]["code"]) == said
    mended()
    waiting_events.tell()
    waiting_events.tell()
    assert WebhookDelivery.objects.count() == 2
    assert WebhookDelivery.objects.filter(type=outbox.ENDED).count() == 1


def test_every_kind_that_is_told_of_is_one_that_there_is() -> None:
    assert {*waiting_items.KINDS} >= choices.AT_ONCE | choices.TOLD_WHEN_OVER
    assert {*waiting_items.OF_ADMINISTRATORS} >= choices.TOLD_WHEN_OVER


def test_a_zone_that_this_host_does_not_know_keeps_no_letter_back(
    ada: Person, down: Health
) -> None:
    Person.objects.update(timezone="Europe/Atlantis")
    letters.tell_everybody()
    assert subjects(ada) == ["notice"]


def test_webhooks_are_told_of_everything_that_waits_for_administrators(ada: Person) -> None:
    """Whoever administers: as if nobody in particular looked."""
    everything(ada, 0)
    eva = Person.objects.create_user("eva", role=Person.Role.ADMINISTRATOR)
    WebhookEndpoint.objects.create(label="T", origin="https://x.org", events=["waiting.*"])
    waiting_events.tell()
    told = {(row["kind"], row["key"]) for row in bodies()}
    kinds = {kind for kind, _ in told}
    assert kinds == {*waiting_items.KINDS} - waiting_items.OWN
    assert kinds >= {"identity_gone", "drift", "webhook_off"}
    assert ("account", f"account:{ada.id}") in told, "her own too"
    Person.objects.filter(pk=eva.pk).update(role=Person.Role.USER)
    Person.objects.filter(pk=ada.pk).update(state=Person.State.SUSPENDED, ends_at=None)
    waiting_events.tell()
    ended = WebhookDelivery.objects.filter(type=outbox.ENDED)
    assert [json.loads(row.body)["data"]["kind"] for row in ended] == ["account"]


def bodies() -> list[dict[str, Any]]:
    return [json.loads(row.body)["data"] for row in WebhookDelivery.objects.all()]


def test_who_is_gone_at_the_identity_provider_until_it_is_over(ada: Person, bob: Person) -> None:
    SocialAccount.objects.create(user=bob, provider=PROVIDER, uid="s-bob")
    since = timezone.now() - timedelta(minutes=30)
    ProviderState.objects.create(sub="s-bob", state=ProviderState.State.GONE, since=since)
    letters.tell_everybody()
    ProviderState.objects.all().delete()
    letters.tell_everybody()
    assert subjects(ada) == ["notice", "notice_over"]


def test_a_row_that_cannot_be_read_keeps_back_no_other_letter(
    ada: Person, down: Health, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    eva = Person.objects.create_user("eva", email="e@x.org", role=Person.Role.ADMINISTRATOR)
    items = waiting_items.items

    def unreadable(person: Person, *args: Any) -> list[Item]:
        if person == ada:
            raise ValueError("a row of another version")
        return items(person, *args)

    monkeypatch.setattr(waiting_items, "items", unreadable)
    letters.tell_everybody()
    assert (subjects(ada), subjects(eva)) == ([], ["notice"])
    assert str(ada.pk) in caplog.text


def test_what_was_put_off_is_not_told_of(ada: Person) -> None:
    for name in ("mira", "nora"):
        Registration.objects.create(username=name, email=f"{name}@x.org")
    Registration.objects.update(created_at=NOW - timedelta(days=1))
    mira = Registration.objects.get(username="mira")
    later = (timezone.now() + timedelta(days=9)).date().isoformat()
    put_off.put_off(ada, f"registration:{mira.pk}", later, zone=UTC, actor="ada")
    Snooze.objects.update(until=NOW + timedelta(days=1))
    letters.tell(ada, NOW)
    assert "nora" in Mail.objects.get().text
    assert "mira" not in Mail.objects.get().text
