"""The terms of a suspension: what is said with it, what reminds of its end, and what ends it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.people_in_motion.people import ROOT, administrator, make, settle_person
from workspace_manager.access import tokens
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.people import suspend, suspension_ends
from workspace_manager.people.suspension_terms import UNCHANGED, Terms, read_until
from workspace_manager.people.suspension_view import suspension_view
from workspace_manager.records.models import AuditEntry, Mail, Person, Plan, Suspension

pytestmark = pytest.mark.django_db(transaction=True)
WEEK = timedelta(days=7)


@pytest.fixture
def world() -> WorldWithIdentities:
    root = administrator()
    root.email = "root@example.org"
    root.save()
    return WorldWithIdentities()


def out(world: WorldWithIdentities, terms: Terms = UNCHANGED) -> Plan:
    return suspend.suspend("alice", actor=ROOT, systems=world.systems(), terms=terms)


def state() -> str:
    return str(Person.objects.get(username="alice").state)


def test_the_plan_says_why_and_until_when(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    until = timezone.now() + WEEK
    plan = out(world, Terms(reason=" Leave ", until=until))
    row = Suspension.objects.get()
    assert (row.reason, row.until, row.by) == ("Leave", until, ROOT)
    assert "Leave" in str(plan.remarks[0])
    assert "The suspension ends automatically: " in str(plan.remarks[1])
    assert not any("Leave" in str(entry.details) for entry in AuditEntry.objects.all())


def test_whose_time_has_come_is_let_back_in(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    out(world, Terms(until=timezone.now() + WEEK))
    work(world)
    assert suspension_ends.end_due(world.systems()) == 0
    Suspension.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert suspension_ends.end_due(world.systems()) == 1
    work(world)
    assert state() == "active"
    assert Plan.objects.get(kind="resumption").state == Plan.State.DONE
    assert next(iter(world.users("alice").values()))["enabled"] is True
    assert not Suspension.objects.exists()
    assert suspension_ends.end_due(world.systems()) == 0
    assert AuditEntry.objects.filter(event="person:resumed", actor="manager").count() == 1


def test_administrators_are_reminded_once_and_anew_of_another_end(
    world: WorldWithIdentities,
) -> None:
    settle_person("alice", world)
    out(world, Terms(reason="Leave", until=timezone.now() + WEEK))
    Mail.objects.all().delete()
    suspension_ends.end_due(world.systems())
    assert not Mail.objects.exists()
    Suspension.objects.update(until=timezone.now() + timedelta(days=2), since=timezone.now() - WEEK)
    suspension_ends.end_due(world.systems())
    suspension_ends.end_due(world.systems())
    letter = Mail.objects.get()
    assert letter.to == "root@example.org"
    assert "alice" in letter.subject
    assert "Leave" in letter.text
    out(world, Terms(until=timezone.now() + timedelta(days=1)))
    Suspension.objects.update(since=timezone.now() - WEEK)
    suspension_ends.end_due(world.systems())
    assert Mail.objects.count() == 2


def test_a_short_suspension_is_reminded_of_after_half_its_time(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    out(world, Terms(until=timezone.now() + timedelta(hours=2)))
    Mail.objects.all().delete()
    suspension_ends.end_due(world.systems())
    assert not Mail.objects.exists()
    Suspension.objects.update(since=timezone.now() - timedelta(hours=3))
    suspension_ends.end_due(world.systems())
    assert Mail.objects.count() == 1


def test_whoever_is_leaving_by_then_is_not_let_in(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    out(world, Terms(until=timezone.now() + WEEK))
    Suspension.objects.update(until=timezone.now() - WEEK)
    Person.objects.filter(username="alice").update(state=Person.State.LEAVING)
    assert suspension_ends.end_due(world.systems()) == 0
    assert state() == "leaving"


def test_a_second_order_needs_something_to_say_and_keeps_what_it_does_not(
    world: WorldWithIdentities,
) -> None:
    settle_person("alice", world)
    until = timezone.now() + WEEK
    first = out(world, Terms(reason="Leave", until=until))
    with pytest.raises(Refused, match="suspended, not active"):
        out(world)
    second = out(world, Terms(reason="Longer leave"))
    row = Suspension.objects.get()
    assert (row.reason, row.until) == ("Longer leave", until)
    first.refresh_from_db()
    assert (first.state, second.state) == (Plan.State.SUPERSEDED, Plan.State.RUNNING)
    out(world, Terms(endless=True))
    assert Suspension.objects.get().until is None
    assert Suspension.objects.get().reason == "Longer leave"


def test_terms_that_cannot_be(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    now = timezone.now()
    for terms in (
        Terms(until=now - timedelta(seconds=1)),
        Terms(until=now + timedelta(days=4000)),
        Terms(reason="x" * 2001),
    ):
        with pytest.raises(BadInput):
            out(world, terms)
    assert state() == "active"
    for text in ("tomorrow", "2026-13-01", "", "2026-1-1"):
        with pytest.raises(BadInput):
            read_until(text, UTC)
    assert read_until("2030-01-31", UTC) == datetime(2030, 1, 31, tzinfo=UTC)
    assert read_until("2030-01-31T08:00+01:00", UTC) == datetime(2030, 1, 31, 7, tzinfo=UTC)
    assert read_until("Never", UTC) is None


def test_the_preview_is_what_runs_and_stores_nothing(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    make(alice, "sql_database", world)
    make(alice, "triplestore_repository", world)
    work(world)
    tokens.create(alice, name="one", actor="alice")
    before = Plan.objects.count()
    view = suspension_view("alice", world.systems(), actor=ROOT)
    assert Plan.objects.count() == before
    assert (view.state, view.kind, view.since, view.api_tokens) == ("active", "suspension", None, 1)
    plan = out(world)
    assert [(step.n, step.name) for step in view.steps] == [
        (step.n, step.name) for step in plan.steps.order_by("n")
    ]
    assert view.by_hand_messages == tuple(plan.by_hand)
    assert view.remarks_messages == tuple(plan.remarks)
    assert [step.name for step in view.steps if step.changes] == [
        *("stop_notebook", "fence_identity", "disable_drive_account", "lock_sql_user"),
        *("take_triplestore_rights", "take_ontology_memberships", "stop_notebook_again"),
    ]
    work(world)
    during = suspension_view("alice", world.systems(), actor=ROOT)
    assert (during.kind, during.by, during.plan) == ("resumption", ROOT, str(plan.id))
    assert during.api_tokens == 0


def test_a_system_that_is_down_is_said_and_shut_as_soon_as_it_is_back(
    world: WorldWithIdentities,
) -> None:
    alice = settle_person("alice", world)
    make(alice, "triplestore_repository", world)
    work(world)
    world.broken["triplestore"] = lambda verb: Unavailable(
        quote_words("down"), kind="triplestore.user", doing=quote_words(verb)
    )
    plan = out(world)
    work(world, turns=2)
    plan.refresh_from_db()
    assert plan.state == Plan.State.WAITING
    step = plan.steps.get(name="take_triplestore_rights")
    assert (step.state, str(step.reason)) == ("waiting", "down")
    # Let in while it is down: what was never taken is not given back, and nothing is left shut.
    back = suspend.resume("alice", actor=ROOT, systems=world.systems())
    work(world, turns=2)
    world.broken.clear()
    work(world)
    back.refresh_from_db()
    assert back.state == Plan.State.DONE
    assert len(world.things["triplestore.user:alice"]["authorities"]) > 1
