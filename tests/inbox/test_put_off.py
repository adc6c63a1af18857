"""Putting something off: until a day, and not beyond its end."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from tests.inbox.reading import the_one, waits
from tests.web.pages.healthy import healthy
from workspace_manager.core.refusal import BadInput
from workspace_manager.inbox import put_off, waiting_items
from workspace_manager.records.models import AuditEntry, Health, Person, Registration, Snooze

pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")


def day(days: int) -> str:
    return (timezone.now().astimezone(BERLIN) + timedelta(days=days)).date().isoformat()


def off(person: Person, key: str, until: str = "") -> put_off.PutOff:
    return put_off.put_off(person, key, until or day(3), zone=BERLIN, actor=person.username)


def test_it_is_neither_shown_nor_counted_and_comes_back_on_its_day(ada: Person) -> None:
    Registration.objects.create(username="dora", email="dora@example.org")
    Registration.objects.create(username="fay", email="fay@example.org")
    first, second = waits(ada, "registration")
    done = off(ada, first.key)
    assert done.until.astimezone(BERLIN).isoformat()[:19] == f"{day(3)}T00:00:00"
    assert waits(ada, "registration") == [second]
    told_of = waiting_items.list_keys(ada, timezone.now(), ["registration"])
    assert [place.key for place in told_of] == [second.key]
    assert put_off.list_put_off(ada, timezone.now()) == [done]
    assert waits(ada, "registration", after=timedelta(days=3)) == [first, second]
    assert put_off.list_put_off(ada, timezone.now() + timedelta(days=3)) == []


def test_it_is_put_off_for_who_did_so_alone(ada: Person) -> None:
    eva = Person.objects.create_user("eva", role=Person.Role.ADMINISTRATOR)
    Registration.objects.create(username="dora", email="dora@example.org")
    off(ada, the_one(ada, "registration").key)
    assert the_one(eva, "registration")
    assert put_off.list_put_off(eva, timezone.now()) == []


def test_again_is_until_that_day_and_taking_it_up_is_at_once(ada: Person) -> None:
    Registration.objects.create(username="dora", email="dora@example.org")
    item = the_one(ada, "registration")
    off(ada, item.key)
    off(ada, item.key, day(60))
    assert Snooze.objects.count() == 1
    assert not waits(ada, "registration", after=timedelta(days=30))
    put_off.take_up(ada, item.key, actor="ada")
    assert the_one(ada, "registration") == item
    with pytest.raises(put_off.NotWaiting):
        put_off.take_up(ada, item.key, actor="ada")
    noted = AuditEntry.objects.values_list("event", "subject", "actor", "details__what")
    assert list(noted) == [
        ("inbox:put_off", "ada", "ada", item.key),
        ("inbox:put_off", "ada", "ada", item.key),
        ("inbox:taken_up", "ada", "ada", item.key),
    ]


def test_what_ended_and_began_again_is_shown_again(ada: Person) -> None:
    healthy("drive", "down", "it does not answer")
    item = the_one(ada, "system_down")
    off(ada, item.key)
    assert not waits(ada, "system_down")
    healthy("drive", "up")
    healthy("drive", "down", "it does not answer")
    Health.objects.update(since=item.since + timedelta(minutes=1))
    assert the_one(ada, "system_down").key == item.key
    assert put_off.list_put_off(ada, timezone.now()) == []


def test_what_does_not_wait_for_somebody_cannot_be_put_off(ada: Person, bob: Person) -> None:
    Registration.objects.create(username="dora", email="dora@example.org")
    key = the_one(ada, "registration").key
    for person, name in ((bob, key), (ada, "registration:7"), (ada, "nothing:7"), (ada, "")):
        with pytest.raises(put_off.NotWaiting):
            off(person, name)
    assert not Snooze.objects.exists()


@pytest.mark.parametrize("until", ["", "soon", "2026-13-40", "0001-01-01", "9999-12-31"])
def test_no_day_is_refused(ada: Person, until: str) -> None:
    Registration.objects.create(username="dora", email="dora@example.org")
    key = the_one(ada, "registration").key
    with pytest.raises(BadInput) as no:
        put_off.put_off(ada, key, until, zone=BERLIN, actor="ada")
    assert list(no.value.errors) == ["until"]


def test_from_tomorrow_on_and_for_at_most_ninety_days(ada: Person) -> None:
    Registration.objects.create(username="dora", email="dora@example.org")
    key = the_one(ada, "registration").key
    for wrong in (day(-1), day(0), day(91)):
        with pytest.raises(BadInput):
            off(ada, key, wrong)
    for right in (day(1), day(90)):
        off(ada, key, right)


def test_days_are_counted_by_the_calendar_over_the_change_of_summer_time() -> None:
    """An hour before midnight, so that the 91st day begins less than 90 times 24 hours later."""
    now = datetime(2035, 2, 20, 22, 41, tzinfo=UTC)
    assert put_off.first_moment("2035-05-21", BERLIN, now) < now + timedelta(days=90)
    with pytest.raises(BadInput):
        put_off.first_moment("2035-05-22", BERLIN, now)


def test_what_is_over_is_forgotten(ada: Person) -> None:
    now = datetime.now(UTC)
    for n, until in enumerate((now - timedelta(days=1), now + timedelta(days=1))):
        Snooze.objects.create(person=ada, kind="token", subject=str(n), since=now, until=until)
    put_off.forget_old()
    assert [row.subject for row in Snooze.objects.all()] == ["1"]
