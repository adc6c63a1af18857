"""The whole of an inbox: its order, its parts, its cost, and whose it is."""

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone

from tests.web.pages import scenes
from tests.web.pages.healthy import healthy
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.message import quote_words
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.clock import database_now
from workspace_manager.inbox import waiting_items
from workspace_manager.inbox.messages import THINGS
from workspace_manager.operations import health_findings
from workspace_manager.people import end_dates, unlinked_sign_ins
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import (
    Announcement,
    ApiToken,
    Invitation,
    MembershipRequest,
    Permission,
    Person,
    Plan,
    PlanChange,
    Project,
    ProviderState,
    ReconcileItem,
    ReconcilePart,
    ReconcileRun,
    Registration,
    Snapshot,
    SnapshotSchedule,
    Stack,
    SystemStatus,
    UnapprovedSignIn,
    WebhookEndpoint,
)
from workspace_manager.systems import registry

pytestmark = pytest.mark.django_db
SOON = timedelta(days=5)
OWN = {
    *("component_failed", "stack_failed", "request", "invitation", "token", "own_account"),
    *("snapshot_failed", "snapshot_damaged", "snapshot_late", "restore_stuck"),
}


def everything(ada: Person, n: int) -> None:
    """One of each kind that may wait for an administrator, the n-th of its kind."""
    now = timezone.now()
    soon = end_dates.today() + timedelta(days=3)
    other = Person.objects.create_user(f"guest{n}", ends_at=soon)
    Person.objects.filter(pk=ada.pk).update(ends_at=soon)
    Registration.objects.create(username=f"new{n}", email=f"new{n}@example.org")
    UnapprovedSignIn.objects.create(
        sub=f"s{n}", username=f"who{n}", why=unlinked_sign_ins.RefusalReason.NOT_APPROVED
    )
    Announcement.objects.create(username=other.username, until=now + SOON, created_by="root")
    Permission.objects.create(person=other, name="view_stacks", until=now + SOON, given_by="root")
    ApiToken.objects.create(
        person=ada, name=f"t{n}", digest=str(n), scope="own", expires_at=now + SOON,
        created_at=now - timedelta(days=80),
    )  # fmt: skip
    mine = Project.objects.create(owner=ada, label=f"Herbarium {n}")
    MembershipRequest.objects.create(project=mine, person=other)
    theirs = Project.objects.create(owner=other, label=f"Letters {n}")
    Invitation.objects.create(
        project=theirs, username="ada", person=ada, created_by=other.username, expires_at=now + SOON
    )
    scenes.database(ada, f"Index {n}", state="failed")
    Stack.objects.create(owner=ada, label=f"All {n}", name=f"st-{n}", state="failed")
    _snapshots(ada, n)
    _plans(n)
    WebhookEndpoint.objects.create(label=f"W{n}", origin="https://w.test", disabled="gone")
    names = registry().names()
    SystemStatus.objects.create(system=names[0], paused=True, paused_at=now) if n == 0 else None
    run = ReconcileRun.objects.create(started_by="ada", state=ReconcileRun.State.DONE)
    ReconcilePart.objects.create(run=run, system=names[0], state=ReconcilePart.State.DONE)
    ReconcileItem.objects.create(
        difference="missing", system=names[0], kind="x", name=f"x{n}", first_seen=now, last_seen=now
    )
    SocialAccount.objects.create(user=other, provider=PROVIDER, uid=f"gone{n}")
    ProviderState.objects.create(sub=f"gone{n}", state=ProviderState.State.GONE)
    healthy(names[1], "down", "it does not answer")
    healthy(names[2], "degraded", "it is slow")
    found = Finding(
        system=names[3], name=f"check {n}", severity=Severity.FAILING, text="no", remedy="do"
    )
    health_findings.record_findings(names[3], [found], database_now())


def _snapshots(ada: Person, n: int) -> None:
    """One that failed, one that is damaged, one that is late, and a restore that is stuck."""
    source = scenes.database(ada, f"Kept {n}")
    said = quote_words("object 1 was changed")
    for state, damage in (("failed", None), ("ready", said)):
        Snapshot.objects.create(
            owner=ada, component=source, label=f"{state} {n}", state=state, damage=damage
        )
    late = timezone.now() - timedelta(hours=3)
    SnapshotSchedule.objects.create(component=source, every="day", keep=2, next_at=late)
    stuck = Plan.objects.create(
        kind="snapshot.restore_in_place", person="ada", subject=str(ada.pk), state="stuck",
        about=str(source.pk),
    )  # fmt: skip
    stuck.steps.create(n=1, name="x", system="snapshots", state="stuck", reason="no")


def _plans(n: int) -> None:
    now = timezone.now()
    stuck = Plan.objects.create(kind="removal", person=f"gone{n}", state="stuck")
    stuck.steps.create(n=1, name="x", system="drive", state="stuck", reason="no", cause="denied")
    waits = Plan.objects.create(kind="component.create", person=f"p{n}", state="waiting")
    waits.steps.create(
        n=1, name="x", system="drive", state="waiting", cause="unavailable", reason="no answer",
        since=now - timedelta(hours=1),
    )  # fmt: skip
    done = Plan.objects.create(
        kind="removal", person=f"left{n}", state="done", finished_at=now, by_hand=["The key."]
    )
    Plan.objects.create(kind="recheck", state="stuck", belongs_to=done)
    found = Plan.objects.create(kind="recheck", state="done", finished_at=now, belongs_to=done)
    step = found.steps.create(n=1, name="x", system="drive", state="done")
    step.changes.create(
        position=1, kind="drive.account", name="x", change={}, state=PlanChange.State.DONE
    )


def test_each_kind_can_wait_and_leads_to_a_page_of_ours(ada: Person) -> None:
    everything(ada, 0)
    found = waiting_items.list_items(ada, timezone.now())
    assert set(found.counts) == set(waiting_items.KINDS) - {"own_permission"}
    assert found.total == len(found.items) == sum(found.counts.values())
    for item in found.items:
        assert item.action.address.startswith("/")
        assert resolve(urlsplit(item.action.address).path)
        assert item.kind in waiting_items.KINDS
        assert item.serious == waiting_items.SOURCES[item.kind].serious
    assert len({item.key for item in found.items}) == found.total


def test_what_waits_is_not_over(ada: Person) -> None:
    everything(ada, 0)
    now = timezone.now()
    there = waiting_items.list_keys(ada, now, waiting_items.KINDS)
    assert {place.kind for place in there} == set(waiting_items.KINDS) - {"own_permission"}
    for place in there:
        assert waiting_items.unfinished_names(ada, now, place.kind, [place.subject, "?"]) == {
            place.subject
        }
    found = waiting_items.items(ada, now, there)
    assert [(item.key, item.since) for item in found] == [(one.key, one.since) for one in there]
    assert found == waiting_items.list_items(ada, now).items


def test_every_kind_has_its_words() -> None:
    assert {f"things.{kind}" for kind in waiting_items.KINDS} == set(THINGS)


@pytest.mark.parametrize("kind", sorted(PLAN_KINDS))
def test_every_kind_of_plan_says_who_needs_you(ada: Person, kind: str) -> None:
    Plan.objects.create(kind=kind, person="anna", state="stuck")
    (item,) = waiting_items.list_items(ada, timezone.now(), kinds=["plan_stuck"]).items
    named = f"{PLAN_KINDS[kind].label.english}: anna needs attention."
    assert item.what.english == (
        ("The removal of anna needs attention.") if kind == "removal" else named
    )


def test_what_is_serious_comes_first_and_then_the_oldest(ada: Person) -> None:
    now = timezone.now()
    for days, name in ((1, "late"), (9, "early")):
        scenes.registration(name, "", age=timedelta(days=days))
        scenes.database(ada, name, state="failed")
        ada.components.filter(label=name).update(created_at=now - timedelta(days=days))
    found = waiting_items.list_items(ada, now).items
    assert [item.kind for item in found] == ["component_failed"] * 2 + ["registration"] * 2
    assert [item.what.english.strip("“")[:4] for item in found] == ["earl", "late"] * 2
    assert waiting_items.list_items(ada, now, most=2, skip=1).items == found[1:3]
    assert waiting_items.list_items(ada, now, most=2, skip=1).total == 4
    only = waiting_items.list_items(ada, now, kinds=["registration"])
    assert (only.items, only.total) == (found[2:], 2)
    assert only.counts == {"registration": 2, "component_failed": 2}


def test_much_costs_as_many_statements_as_little(ada: Person) -> None:
    everything(ada, 0)
    few = _statements(ada)
    for n in range(1, 8):
        everything(ada, n)
    assert waiting_items.list_items(ada, timezone.now(), most=5).total > 100
    assert _statements(ada) == few


def _statements(ada: Person) -> int:
    with CaptureQueriesContext(connection) as queries:
        waiting_items.list_items(ada, timezone.now(), most=200)
    return len(queries)


def test_an_empty_inbox_costs_two_statements(bob: Person) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert waiting_items.list_items(bob, timezone.now()) == waiting_items.WaitingItems(
            [], {}, 0
        )
    # With who decides about registrations.
    assert len(queries) == 3


def test_nobody_sees_what_waits_for_somebody_else(
    ada: Person, alice: Person, bob: Person, charlie: Person
) -> None:
    everything(ada, 0)
    now = timezone.now()
    Permission.objects.create(person=bob, name="approve_registrations", given_by="ada")
    assert set(waiting_items.list_items(bob, now).counts) == {"registration"}
    assert waiting_items.list_items(charlie, now).total == 0
    project = Project.objects.create(owner=alice, label="Hers")
    MembershipRequest.objects.create(project=project, person=charlie)
    assert set(waiting_items.list_items(alice, now).counts) == {"request"}
    other = Person.objects.create_user("eva", role=Person.Role.ADMINISTRATOR)
    own = OWN
    assert (
        set(waiting_items.list_items(other, now).counts)
        == set(waiting_items.list_items(ada, now).counts) - own
    )


def test_nothing_waits_for_who_is_suspended_or_may_do_own_things_only(ada: Person) -> None:
    everything(ada, 0)
    ada.limited_to = ()
    own = OWN
    assert set(waiting_items.list_items(ada, timezone.now()).counts) == own
    ada.state = Person.State.SUSPENDED
    assert waiting_items.list_items(ada, timezone.now()).total == 0


def test_an_unknown_kind_is_no_kind(ada: Person) -> None:
    with pytest.raises(KeyError):
        waiting_items.list_items(ada, timezone.now(), kinds=["nothing"])
