"""However much waits, what is new is told; and a look costs as much for many people as for few."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.web.pages.healthy import healthy
from workspace_manager.notices import letters, waiting_events
from workspace_manager.people import end_dates
from workspace_manager.records.models import (
    Health,
    Mail,
    NoticeSent,
    Person,
    Plan,
    Registration,
    WebhookDelivery,
    WebhookEndpoint,
)
from workspace_manager.webhooks import outbox

pytestmark = pytest.mark.django_db
MANY = 230


def stuck(many: int) -> None:
    before = timezone.now() - timedelta(days=2)
    Plan.objects.bulk_create(
        Plan(kind="component.create", person="bob", state="stuck", created_at=before)
        for _ in range(many)
    )


def mails() -> Iterator[str]:
    rows = Mail.objects.order_by("created_at", "id")
    return iter(rows.values_list("subject", flat=True))


def test_what_is_new_is_told_however_much_waits(ada: Person) -> None:
    stuck(MANY)
    letters.tell_everybody()
    assert list(mails()) == [f"{MANY} items are waiting for you"]
    assert f"and {MANY - letters.MOST_IN_A_LETTER} more" in Mail.objects.get().text
    healthy("drive", "down", "it does not answer")
    Health.objects.update(since=timezone.now() - timedelta(minutes=9))
    letters.tell_everybody()
    letters.tell_everybody()
    assert list(mails())[1:] == ["The drive does not answer."]
    healthy("drive", "up")
    letters.tell_everybody()
    assert list(mails())[2:] == ["Resolved: The drive does not answer."]


def test_that_many_things_are_over_is_one_letter(ada: Person) -> None:
    stuck(MANY)
    letters.tell_everybody()
    Plan.objects.update(state="done")
    letters.tell_everybody()
    letters.tell_everybody()
    assert list(mails())[1:] == [f"{MANY} items are resolved"]
    assert not NoticeSent.objects.filter(ended_at=None).exists()


def test_the_daily_letter_names_what_is_new_however_much_waits(ada: Person) -> None:
    noon = timezone.now().replace(hour=12) + timedelta(days=1)
    before = noon - timedelta(days=3)
    Registration.objects.bulk_create(
        Registration(username=f"r{n}", email=f"r{n}@x.org", created_at=before) for n in range(MANY)
    )
    letters.tell(ada, noon)
    letters.tell(ada, noon + timedelta(days=1))
    assert list(mails()) == [f"Your day: {MANY} items are waiting for you"]
    Registration.objects.create(username="new", email="new@x.org")
    letters.tell(ada, noon + timedelta(days=2))
    assert list(mails())[1:] == [f"Your day: {MANY + 1} items are waiting for you"]


def test_webhooks_are_told_of_all_of_it_bit_by_bit(
    ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_events, "MOST_AT_ONCE", 3)
    WebhookEndpoint.objects.create(label="T", origin="https://x.org", events=["waiting.*"])
    stuck(8)
    counts = []
    for _ in range(4):
        waiting_events.tell()
        counts.append(WebhookDelivery.objects.count())
    assert counts == [3, 6, 8, 8]
    Plan.objects.update(state="done")
    waiting_events.tell()
    assert WebhookDelivery.objects.filter(type=outbox.ENDED).count() == 8


def test_a_look_costs_as_much_for_many_people_as_for_few(ada: Person) -> None:
    """All have had the letter of the day, whatever the hour is: also those whose last day comes
    near.
    """

    def cost(many: int) -> int:
        Person.objects.bulk_create(
            Person(
                username=f"p{many}-{n}",
                email=f"p{many}-{n}@x.org",
                ends_at=end_dates.today() + timedelta(days=20),
                created_at=timezone.now() - timedelta(days=90),
            )
            for n in range(many)
        )
        for person in Person.objects.all():
            letters.tell(person, timezone.now().replace(hour=23))
        with CaptureQueriesContext(connection) as queries:
            letters.tell_everybody()
        return len(queries)

    few = cost(1)
    assert NoticeSent.objects.filter(kind="own_account").exists()
    assert cost(30) == few
