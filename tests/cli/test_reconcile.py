"""`reconcile` compares here and now; `reconcile items` lists what is otherwise."""

import json

import pytest
from click.testing import CliRunner
from django.utils import timezone

from workspace_manager.cli.reconcile import reconcile
from workspace_manager.records.models import ReconcileItem, ReconcileRun

pytestmark = pytest.mark.django_db


def test_what_cannot_be_read_is_named() -> None:
    done = CliRunner().invoke(reconcile, ["--json"])
    assert done.exit_code == 0, done.output
    rows = {row["system"]: row for row in json.loads(done.output)["items"]}
    assert rows["drive"]["state"] == "unread"
    assert "not configured" in rows["drive"]["reason"]
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
