"""A check closes what it looked at and saw no more; what it could not look at stays as it was."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.fake_world.world import World
from tests.operations.test_health import Looked, it  # noqa: F401  a fixture
from workspace_manager.contract.connector import ALL, Finding
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.operations import checks, health_findings
from workspace_manager.operations.messages import message
from workspace_manager.records.models import HealthFinding
from workspace_manager.systems.drive.checks import check as check_drive
from workspace_manager.systems.drive.messages import message as of_drive

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
SAY = Findings("drive")
REMEDY = quote_words("set it")
PREFIX, RIGHTS = of_drive("check_account_ids"), of_drive("check_administrator")
REACHABLE = of_drive("check_reachable")
SILENT = SAY.failing(REACHABLE, quote_words("no answer"), REMEDY, hides=ALL)


def _wrong(name: Message) -> Finding:
    return SAY.failing(name, quote_words("wrong"), REMEDY)


def _keep(*found: Finding, minutes: int = 0) -> list[str]:
    """Keep it, and give the names of what is open then."""
    health_findings.record_findings("drive", found, NOON + timedelta(minutes=minutes))
    return [row.key.partition("|")[0] for row in health_findings.open_findings("drive")]


def test_a_check_that_reaches_nothing_closes_nothing() -> None:
    assert _keep(_wrong(PREFIX)) == [PREFIX.code]
    assert _keep(SILENT, minutes=5) == [PREFIX.code, REACHABLE.code]
    assert _keep(_wrong(PREFIX), minutes=10) == [PREFIX.code]
    row = HealthFinding.objects.get(closed_at=None)
    assert row.first_seen == NOON, "it is the same thing all the while"
    assert _keep(minutes=15) == []


def test_one_that_was_cut_short_closes_what_it_came_to() -> None:
    assert _keep(_wrong(PREFIX), _wrong(RIGHTS)) == [PREFIX.code, RIGHTS.code]
    seen = SAY.ok(PREFIX, quote_words("right"))
    assert _keep(seen, SILENT, minutes=5) == [RIGHTS.code, REACHABLE.code]
    other = SAY.failing(REACHABLE, of_drive("in_maintenance_page"), REMEDY, hides=ALL)
    assert _keep(other, minutes=10) == [RIGHTS.code, REACHABLE.code]
    assert HealthFinding.objects.filter(closed_at=None).count() == 2


def test_what_one_finding_hides_stays_and_the_rest_closes() -> None:
    _keep(_wrong(PREFIX), _wrong(RIGHTS))
    unread = SAY.failing(PREFIX, of_drive("not_installed"), REMEDY, hides=(PREFIX.code,))
    assert _keep(unread, minutes=5) == [PREFIX.code, PREFIX.code]
    assert _keep(SAY.ok(PREFIX, quote_words("well")), minutes=10) == []


def test_what_the_manager_sees_itself_closes_while_a_system_is_away() -> None:
    name = message("check_environment")
    ignored = SAY.warning(name, quote_words("ignored"), REMEDY)
    assert _keep(ignored, SILENT) == [name.code, REACHABLE.code]
    assert _keep(SILENT, minutes=5) == [REACHABLE.code]


class InMaintenance:
    """A drive that says so."""

    def status(self) -> dict[str, object]:
        return {"installed": True, "maintenance": True, "versionstring": "31"}


def test_a_drive_in_maintenance_keeps_its_findings(it: Looked) -> None:  # noqa: F811
    it.drive.found = [_wrong(PREFIX)]
    it.look()
    it.drive.found = check_drive(InMaintenance(), None, None)  # type: ignore[arg-type]
    it.look(after=3600)
    it.drive.found = [_wrong(PREFIX)]
    it.look(after=3600)
    rows = HealthFinding.objects.filter(key__startswith=PREFIX.code)
    assert [row.closed_at for row in rows] == [None]


def test_settings_that_cannot_be_used_close_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_DRIVE__BASE_URL", "nonsense")
    systems = ConnectedSystems(by_name={}, settings=World().systems().settings)
    found = checks.findings("drive", systems)
    assert any(one.hides == ALL for one in found)


def test_one_of_the_same_kind_about_something_else_is_another() -> None:
    def missing(client: str, times: int) -> Finding:
        return SAY.failing(PREFIX, quote_words(f"{client} lacks it, seen {times} times"), REMEDY)

    for minutes, found in enumerate([missing("hub", 1), None, missing("editor", 1), None]):
        _keep(*([found] if found else []), minutes=minutes)
    _keep(missing("hub", 2), minutes=5)
    rows = HealthFinding.objects.order_by("id")
    assert [(row.finding["text"], row.closed_at is None) for row in rows] == [
        ("hub lacks it, seen 2 times", True),
        ("editor lacks it, seen 1 times", False),
    ]
