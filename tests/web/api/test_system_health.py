"""`GET /systems/{name}/health`: the state with its reason, what lasts, and the strip."""

from datetime import timedelta

import pytest

from tests.visitors import Visitor
from tests.web.pages.healthy import healthy
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.core.clock import database_now
from workspace_manager.operations import health_findings, health_strip


def finding(text: str) -> Finding:
    return Finding(
        system="drive", name="rights", severity=Severity.FAILING, text=text, remedy="do it"
    )


@pytest.mark.django_db
def test_the_health_of_a_system(as_administrator: Visitor) -> None:
    now = database_now()
    healthy("drive", "down", "it answered HTTP 503")
    health_strip.count("drive", "down", now - timedelta(seconds=60), now)
    health_findings.record_findings("drive", [finding("no administrator")], now - timedelta(days=2))
    health_findings.record_findings("drive", [], now - timedelta(days=1))
    health_findings.record_findings("drive", [finding("no administrator")], now)
    found = as_administrator.ask("GET", "/systems/drive/health").json()
    assert (found["state"], found["reason"]) == ("down", "it answered HTTP 503")
    assert found["latency_ms"] == 40
    assert [one["closed_at"] is None for one in found["findings"]] == [True, False]
    assert found["findings"][0]["first_seen"] > found["findings"][1]["closed_at"]
    assert (len(found["days"]), len(found["hours"])) == (90, 168)
    assert sum(one["down"] for one in found["days"]) == 60
    assert found["days"][0]["gap"] == 86400
    assert found["days"][0]["up"] == 0


@pytest.mark.django_db
def test_nothing_is_claimed_before_the_first_look(as_administrator: Visitor) -> None:
    found = as_administrator.ask("GET", "/systems/triplestore/health").json()
    assert (found["state"], found["since"], found["told_by"]) == ("not_asked", None, "")
    assert found["reason"] == "its availability has not been recorded yet"
    assert as_administrator.ask("GET", "/systems/kiln/health").status_code == 404
