"""The last day of somebody: told before, done once, changed by whoever may, and nothing removed."""

from datetime import date, timedelta

import pytest

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.people_in_motion.people import ROOT, administrator, settle_person
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.people import end_dates, suspend
from workspace_manager.people.end_dates import end_due, set_end, today
from workspace_manager.records.models import AuditEntry, Mail, Person, Plan, Suspension

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> WorldWithIdentities:
    root = administrator()
    root.email = "root@example.org"
    root.save()
    made = WorldWithIdentities()
    settle_person("alice", made)
    Mail.objects.all().delete()
    return made


def alice() -> Person:
    return Person.objects.get(username="alice")


def ends(days: int, **more: object) -> None:
    """As if it had been set long ago."""
    Person.objects.filter(username="alice").update(
        ends_at=today() + timedelta(days=days), end_set_by=ROOT, **more
    )


def test_whose_last_day_is_over_is_suspended_once(world: WorldWithIdentities) -> None:
    ends(0)
    assert end_due(world.systems()) == 0
    ends(-1)
    assert end_due(world.systems()) == 1
    work(world)
    row = Suspension.objects.get()
    assert (alice().state, row.by, row.until) == ("suspended", "manager", None)
    assert row.reason == f"The end date was reached: {alice().ends_at}."
    assert next(iter(world.users("alice").values()))["enabled"] is False
    assert end_due(world.systems()) == 0
    # Whoever is let back in by a person stays in.
    suspend.resume("alice", actor=ROOT, systems=world.systems())
    work(world)
    assert end_due(world.systems()) == 0
    assert alice().state == "active"
    assert not Plan.objects.filter(kind="removal").exists()


def test_another_day_counts_anew(world: WorldWithIdentities) -> None:
    ends(-1)
    end_due(world.systems())
    suspend.resume("alice", actor=ROOT, systems=world.systems())
    set_end("alice", today(), actor=ROOT)
    assert end_due(world.systems()) == 0
    assert alice().end_done_at is None


def test_administrators_read_of_it_two_weeks_before_and_once(world: WorldWithIdentities) -> None:
    ends(15)
    end_due(world.systems())
    assert not Mail.objects.exists()
    ends(14)
    end_due(world.systems())
    end_due(world.systems())
    letter = Mail.objects.get()
    assert letter.to == "root@example.org"
    assert "alice" in letter.subject
    assert "/manage/people/alice" in letter.text
    set_end("alice", today() + timedelta(days=3), actor=ROOT)
    end_due(world.systems())
    assert Mail.objects.count() == 2


def test_it_is_written_down_and_said_again_changes_nothing(world: WorldWithIdentities) -> None:
    day = today() + timedelta(days=100)
    for _ in range(2):
        set_end("alice", day, actor=ROOT)
    set_end("alice", None, actor=ROOT)
    entries = AuditEntry.objects.filter(event="person:end_date")
    assert [one.details for one in entries] == [{"until": day.isoformat()}, {"until": None}]
    assert alice().ends_at is None


def test_what_cannot_be_is_refused(world: WorldWithIdentities) -> None:
    for day in (today() - timedelta(days=1), date.max):
        with pytest.raises(BadInput):
            set_end("alice", day, actor=ROOT)
    with pytest.raises(BadInput):
        end_dates.read_day("soon")
    with pytest.raises(Refused, match="their own"):
        set_end(ROOT, today(), actor=ROOT)
    with pytest.raises(Refused, match="last active administrator"):
        set_end(ROOT, today(), actor="shell")
    Person.objects.filter(username="alice").update(state="leaving")
    with pytest.raises(Refused, match="alice is being removed"):
        set_end("alice", today(), actor=ROOT)


def test_the_last_administrator_stays(world: WorldWithIdentities) -> None:
    Person.objects.filter(username=ROOT).update(ends_at=today() - timedelta(days=1))
    assert end_due(world.systems()) == 0
    assert Person.objects.get(username=ROOT).state == "active"


def test_whoever_is_suspended_already_is_left_until_let_back_in(
    world: WorldWithIdentities,
) -> None:
    suspend.suspend("alice", actor=ROOT, systems=world.systems())
    ends(-1)
    assert end_due(world.systems()) == 0
    suspend.resume("alice", actor="manager", systems=world.systems())
    assert end_due(world.systems()) == 1
