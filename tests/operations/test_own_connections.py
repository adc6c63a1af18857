"""The number of connections that the database has left is said by `check`, by the health of the
manager itself and where a load balancer asks.
"""

import json

import pytest
from click.testing import CliRunner

from tests.visitors import Visitor
from workspace_manager.cli.__main__ import main
from workspace_manager.core import connections
from workspace_manager.core.connected_systems import MANAGER
from workspace_manager.core.connections import WEB, Room
from workspace_manager.operations import own_health
from workspace_manager.operations.health_findings import open_findings

pytestmark = pytest.mark.django_db
MOST = 97


def check_connections(monkeypatch: pytest.MonkeyPatch, taken: int) -> tuple[str, str]:
    monkeypatch.setattr(connections, "room", lambda: Room(taken, MOST))
    said = json.loads(CliRunner().invoke(main, ["check", "--json"]).stdout)
    [finding] = [one for one in said["items"] if one["name"] == "connections"]
    return finding["severity"], finding["message"]["code"].removeprefix("operations.")


def test_what_is_left_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_connections(monkeypatch, MOST - WEB) == ("ok", "connections_free")
    assert check_connections(monkeypatch, MOST - WEB + 1) == ("warning", "connections_few")
    assert check_connections(monkeypatch, MOST) == ("failing", "connections_gone")
    assert check_connections(monkeypatch, MOST + 3) == ("failing", "connections_gone")


def test_it_is_kept_with_the_health_of_the_manager_until_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "room", lambda: Room(MOST, MOST))
    own_health.look()
    assert [one.finding["name"] for one in open_findings(MANAGER)] == ["connections"]
    monkeypatch.setattr(connections, "room", lambda: Room(1, MOST))
    own_health.look()
    assert not open_findings(MANAGER)


def test_a_load_balancer_is_told(monkeypatch: pytest.MonkeyPatch, as_nobody: Visitor) -> None:
    assert as_nobody.get("/health/ready").json() == {"status": "ready"}
    monkeypatch.setattr(connections, "room", lambda: Room(MOST - 1, MOST))
    answer = as_nobody.get("/health/ready")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "database": "few connections are left"}


def test_where_there_is_no_limit_nothing_is_said() -> None:
    assert connections.room() is None
    assert "connections" not in {one.name for one in own_health.findings()}
