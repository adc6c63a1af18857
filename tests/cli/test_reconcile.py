"""`reconcile` compares here and now; `reconcile items` lists what is otherwise."""

import json

import pytest
from click.testing import CliRunner, Result
from django.utils import timezone

from workspace_manager.cli.reconcile import reconcile
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Account, Person, Plan, ReconcileItem, ReconcileRun

pytestmark = pytest.mark.django_db


def test_what_cannot_be_read_is_named() -> None:
    done = CliRunner().invoke(reconcile, ["--json"])
    assert done.exit_code == 0, done.output
    rows = {row["system"]: row for row in json.loads(done.output)["items"]}
    assert rows["drive"]["state"] == "unread"
    assert "not configured" in rows["drive"]["reason"]
    assert rows["drive"]["not_looked_at"] == 0
    assert ReconcileRun.objects.get().state == "done"


def test_what_is_otherwise_is_listed() -> None:
    now = timezone.now()
    ReconcileItem.objects.create(
        difference="unknown_thing", system="sql_server", kind="sql_server.database",
        name="ws_old_1", target={"database": "ws_old_1"}, first_seen=now, last_seen=now,
    )  # fmt: skip
    listed = CliRunner().invoke(reconcile, ["items"]).output
    assert "ws_old_1" in listed
    none = CliRunner().invoke(reconcile, ["items", "--system", "drive"]).output
    assert "ws_old_1" not in none


@pytest.fixture
def item() -> ReconcileItem:
    now = timezone.now()
    return ReconcileItem.objects.create(
        difference="unknown_account", system="sql_server", kind="sql_server.user", name="gina_g",
        target={"user": "gina_g"}, first_seen=now, last_seen=now,
    )  # fmt: skip


def typed(*words: str, said: str = "") -> Result:
    return CliRunner().invoke(reconcile, words, input=said)


def test_a_repair_is_shown_and_starts_when_somebody_says_so(item: ReconcileItem) -> None:
    refused = typed("remove", str(item.n), said="n\n")
    assert refused.exit_code == 1
    assert "It is deleted there permanently, with everything in it." in refused.output
    assert Plan.objects.get().state == "draft"
    started = typed("remove", str(item.n), said="y\n")
    assert (started.exit_code, Plan.objects.latest("created_at").state) == (0, "running")
    assert {plan.state for plan in Plan.objects.all()} == {"stale", "running"}


def test_what_cannot_be_done_about_it_is_refused(item: ReconcileItem) -> None:
    for what in ("shut", "take", "give-back"):
        assert isinstance(typed(what, str(item.n), "--yes").exception, Refused)
    assert typed("ignore", str(item.n), "--reason", "x", "--until", "soon").exit_code == 2


def test_an_account_is_connected_disconnected_and_put_off(
    item: ReconcileItem, alice: Person
) -> None:
    assert (
        "gina_g is recorded as an account of alice."
        in typed("connect", str(item.n), "alice").output
    )
    assert Account.objects.get(name="gina_g").person == alice
    assert typed("disconnect", str(item.n)).exit_code == 0
    assert not Account.objects.filter(name="gina_g").exists()
    ReconcileItem.objects.update(ended_at=None)
    put_off = typed("ignore", str(item.n), "--reason", "known", "--until", "2090-01-31")
    item.refresh_from_db()
    assert (put_off.exit_code, item.ignored_why) == (0, "known")
