"""A person who was turned away, or not decided about in time, is forgotten after a while: the
registration with the address, its letters, and the name in the audit.
"""

import uuid
from datetime import datetime, timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone

from tests.fake_world.people import make_person
from workspace_manager import housekeeping
from workspace_manager.audit.note import note
from workspace_manager.audit.seals import seal_waiting
from workspace_manager.audit.verify import verify
from workspace_manager.people import confirm_email, old_registrations, undo_approval
from workspace_manager.records.models import (
    AuditEntry,
    HousekeepingFailure,
    Mail,
    Plan,
    Registration,
    Tombstone,
)

pytestmark = pytest.mark.django_db
Status = Registration.Status


@pytest.fixture(autouse=True)
def days(settings: LazySettings) -> None:
    settings.REGISTRATION_RETENTION_DAYS = 90


def turned_away(name: str, status: str = Status.REJECTED, *, days: int = 91) -> Registration:
    row = Registration.objects.create(
        username=name, email=f"{name}@example.org", first_name="Max", last_name="Muster"
    )
    note("registration:received", name, actor=name, id=str(row.id))
    confirm_email.send_link(row)
    row.status, row.decided_at = status, timezone.now() - timedelta(days=days)
    row.save()
    note("registration:rejected", name, actor="ada", reason=f"{name} is not of the group")
    return row


def noted() -> str:
    rows = AuditEntry.objects.order_by("id").values_list("actor", "subject", "details")
    return "\n".join(map(str, rows))


@pytest.mark.parametrize("status", [Status.REJECTED, Status.EXPIRED, Status.WITHDRAWN])
@pytest.mark.parametrize("name", ["max", "an", "anna.maria"])
def test_nothing_is_left_of_who_was_turned_away(name: str, status: str) -> None:
    row = turned_away(name, status)
    seal_waiting()
    assert old_registrations.forget_old() == 1
    assert not Registration.objects.exists()
    assert not Mail.objects.exists()
    for one in (f"'{name}", f"{name} is", str(row.id)):
        assert one not in noted()
    pseudonyms = set(AuditEntry.objects.exclude(subject="").values_list("subject", flat=True))
    assert len(pseudonyms) == 1
    assert verify().verifies
    assert old_registrations.forget_old() == 0


@pytest.mark.parametrize(
    ("status", "days"), [(Status.REJECTED, 89), (Status.PENDING, 400), (Status.APPROVED, 400)]
)
def test_who_is_not_turned_away_or_was_just_now_stays(status: str, days: int) -> None:
    turned_away("max", status, days=days)
    assert old_registrations.forget_old() == 0
    assert "max" in noted()


def test_without_a_period_they_are_kept(settings: LazySettings) -> None:
    settings.REGISTRATION_RETENTION_DAYS = 0
    turned_away("max", days=4000)
    assert old_registrations.forget_old() == 0
    assert Registration.objects.exists()


def test_what_a_plan_is_still_about_is_kept() -> None:
    row = turned_away("max")
    Plan.objects.create(
        kind=undo_approval.UNDOING.name, about=str(row.id), state=Plan.State.WAITING
    )
    assert old_registrations.forget_old() == 0
    Plan.objects.update(state=Plan.State.DONE)
    assert old_registrations.forget_old() == 1


def test_whoever_has_the_name_now_keeps_it_in_the_audit() -> None:
    turned_away("max")
    turned_away("an")
    turned_away("eva")
    turned_away("eva", Status.PENDING)
    make_person("max")
    Tombstone.objects.create(username="an", expires_at=timezone.now() + timedelta(days=9))
    before = noted()
    assert old_registrations.forget_old() == 3
    assert noted() == before, "it is taken out when they have left"
    assert [row.status for row in Registration.objects.all()] == [Status.PENDING]


def test_one_that_fails_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = turned_away("max", days=100), turned_away("eva")
    whole = old_registrations._forget

    def forget(row: Registration, now: datetime) -> int:
        if row.pk == first.pk:
            raise ValueError(uuid.uuid4())
        return whole(row, now)

    monkeypatch.setattr(old_registrations, "_forget", forget)
    assert old_registrations.forget_old() == 1
    assert not Registration.objects.filter(pk=second.pk).exists()
    assert HousekeepingFailure.objects.get(task="forget_registrations").row == str(first.pk)
    assert "forget_registrations" in housekeeping.TASKS
