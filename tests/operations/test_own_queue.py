"""Tasks that were dropped from the queue are named by `check` and by the health of the manager
itself, for a day.
"""

import json
from datetime import timedelta

import pytest
from click.testing import CliRunner

from workspace_manager.cli.__main__ import main
from workspace_manager.contract.message import in_words
from workspace_manager.core import dropped_tasks
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import MANAGER
from workspace_manager.operations import own_health
from workspace_manager.operations.health_findings import open_findings
from workspace_manager.records.models import DroppedTasks

pytestmark = pytest.mark.django_db
QUEUE = "a queue"


def check_queue() -> tuple[str, str]:
    said = json.loads(CliRunner().invoke(main, ["check", "--json"]).stdout)
    [finding] = [one for one in said["items"] if one["name"] == "queue"]
    return finding["severity"], finding["message"]["code"].removeprefix("operations.")


def test_what_was_dropped_is_said_with_what_to_do() -> None:
    assert check_queue() == ("ok", "queue_ours")
    dropped_tasks.count(QUEUE)
    assert check_queue() == ("failing", "queue_dropped")
    for _ in range(2):
        dropped_tasks.count(QUEUE)
    [finding] = [one for one in own_health.findings() if one.name == "queue"]
    assert finding.message
    assert finding.message.params["n"] == 3
    assert "3 entries of the queue were dropped" in finding.text
    assert "WORKSPACE_SECRET_KEYS" in finding.remedy
    assert "3 Einträge der Warteschlange" in in_words(finding.message, "de")


def test_it_is_kept_with_the_health_of_the_manager_until_none_has_come_for_a_day() -> None:
    dropped_tasks.count(QUEUE)
    own_health.look()
    assert [one.finding["name"] for one in open_findings(MANAGER)] == ["queue"]
    dropped_tasks.forget_old()
    assert DroppedTasks.objects.exists()
    DroppedTasks.objects.update(last_at=database_now() - dropped_tasks.SAID_FOR)
    own_health.look()
    assert not open_findings(MANAGER)
    dropped_tasks.forget_old()
    assert not DroppedTasks.objects.exists()


def test_after_a_quiet_day_it_begins_anew() -> None:
    dropped_tasks.count(QUEUE)
    long_ago = database_now() - dropped_tasks.SAID_FOR - timedelta(hours=1)
    DroppedTasks.objects.update(since=long_ago, last_at=long_ago, times=40)
    dropped_tasks.forget_old()
    dropped_tasks.count(QUEUE)
    assert DroppedTasks.objects.get().times == 1
