"""The collector's view of a system: each state, since when, when it asks again, and when it does
not.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings

from tests.fake_world.world import FakeSystem, World
from workspace_manager.contract.connector import Evidence, Finding
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.slots import Busy
from workspace_manager.contract.system import ObservedState, SystemSpec
from workspace_manager.core import wake
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine import pause
from workspace_manager.operations import health, health_calls, health_findings, health_strip
from workspace_manager.operations.health_state import read_health
from workspace_manager.records.models import (
    AuditEntry,
    Health,
    HealthFinding,
    HealthSpan,
    Lock,
    SystemStatus,
)
from workspace_manager.systems import registry

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
SAY = Findings("drive")


def error(reaction: type[ConnectorError], text: str = "no") -> ConnectorError:
    return reaction(quote_words(text), kind="drive", doing=quote_words("asking"))


class Drive(FakeSystem):
    """What is asked of it with a credential, and what it answers."""

    def __init__(self) -> None:
        super().__init__(World(), "drive")
        self.asked: list[str] = []
        self.credential: ConnectorError | None = None
        self.rights: ConnectorError | None = None
        self.found: list[Finding] = []

    def prove_credential(self) -> None:
        self.asked.append("credential")
        if self.credential:
            raise self.credential

    def prove_rights(self) -> Evidence:
        self.asked.append("rights")
        if self.rights:
            raise self.rights
        return Evidence.now("drive", "GET", quote_words("yes"))

    def check(self) -> list[Finding]:
        self.asked.append("check")
        return self.found


@dataclass
class Looked:
    """One drive, a clock that the test turns, and what a look without a credential shows."""

    drive: Drive = field(default_factory=Drive)
    now: datetime = NOON
    seen: ObservedState | ConnectorError | None = field(default_factory=ObservedState)
    looks: int = 0
    configured: bool = True

    def systems(self) -> ConnectedSystems:
        found = World().systems()
        ready: dict[str, Any] = {"drive": self.drive} if self.configured else {}
        return ConnectedSystems(by_name=ready, settings=found.settings)

    def look(self, after: float = 0) -> Health:
        """Look, so many seconds later, whatever was said about when."""
        self.now += timedelta(seconds=after)
        Health.objects.update(look_at=self.now)
        health.look("drive", self.systems(), now=lambda: self.now)
        return self.row

    @property
    def row(self) -> Health:
        return Health.objects.get(system="drive")

    def answer(self, _settings: object) -> ObservedState:
        self.looks += 1
        if isinstance(self.seen, ConnectorError):
            raise self.seen
        assert self.seen is not None
        return self.seen


@pytest.fixture
def it(monkeypatch: pytest.MonkeyPatch) -> Looked:
    made = Looked()

    def looker(_spec: object) -> Callable[[object], ObservedState] | None:
        return made.answer if made.seen else None

    monkeypatch.setattr(SystemSpec, "looker", looker)
    return made


def declared(monkeypatch: pytest.MonkeyPatch, **of_drive: Any) -> None:
    """Have the drive declare something else of itself."""
    specs = dict(registry().specs)
    specs["drive"] = dataclasses.replace(specs["drive"], **of_drive)
    changed = dataclasses.replace(registry(), specs=specs)
    for module in (health, health_calls):
        monkeypatch.setattr(module, "registry", lambda: changed)


def code(message: Message | None) -> str:
    return message.code if message else ""


def test_one_that_answers_is_up_and_is_asked_with_ours_each_quarter(it: Looked) -> None:
    row = it.look()
    assert (row.state, row.since, row.reason) == ("up", NOON, None)
    assert it.drive.asked == ["credential", "rights", "check"]
    assert row.latency_ms is not None
    it.look(after=60)
    assert len(it.drive.asked) == 3, "a look in between sends no credential"
    it.look(after=17 * 60)
    assert it.drive.asked[3:] == ["credential", "rights", "check"]
    assert it.row.since == NOON
    assert not AuditEntry.objects.exists(), "what it does by itself fills no audit"


def test_that_it_became_slow_is_told_before_it_is_asked_more(
    it: Looked, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ten calls of twenty seconds in its check it would be told of after minutes."""
    it.look()
    told: list[tuple[str, datetime | None]] = []

    def check() -> list[Finding]:
        told.append((it.row.state, it.row.since))
        return []

    monkeypatch.setattr(it.drive, "check", check)
    settings.HEALTH_SLOW_SECONDS = 0
    Health.objects.update(check_at=None)
    it.look(after=60)
    assert told == [("degraded", it.now)]
    assert code(it.row.reason) == "operations.health_slow"
    assert sum(one.up for one in HealthSpan.objects.filter(system="drive")) == 2 * 60, (
        "an hour, a day"
    )


def test_one_that_is_gone_is_down_and_up_again_at_once(it: Looked) -> None:
    it.look()
    it.seen = error(Unavailable, "it answered HTTP 503")
    row = it.look(after=60)
    assert (row.state, row.since) == ("down", it.now)
    assert row.reason == quote_words("it answered HTTP 503")
    assert len(it.drive.asked) == 3, "no credential is sent to one that is down"
    it.seen = error(Invalid, "a login page")
    assert it.look(after=60).state == "down"
    it.seen = ObservedState()
    row = it.look(after=60)
    assert (row.state, row.since) == ("up", it.now)
    assert it.drive.asked[3:] == ["credential", "rights", "check"], "what was wrong may be over"


def test_what_a_check_found_opens_lasts_and_closes(it: Looked) -> None:
    name, remedy = quote_words("prefix"), quote_words("set it")
    it.drive.found = [SAY.failing(name, quote_words("wrong for 3 people"), remedy)]
    row = it.look()
    assert (row.state, row.told_by) == ("degraded", "check")
    assert "wrong for 3 people" in row.reason.english
    first = HealthFinding.objects.get()
    it.drive.found = [SAY.failing(name, quote_words("wrong for 3 people"), remedy)]
    it.look(after=6 * 60)
    lasting = HealthFinding.objects.get()
    assert (lasting.id, lasting.first_seen, lasting.last_seen) == (first.id, NOON, it.now)
    it.drive.found = []
    assert it.look(after=6 * 60).state == "up"
    assert HealthFinding.objects.get().closed_at == it.now
    assert not health_findings.open_findings("drive")
    assert SystemStatus.objects.get(system="drive").findings == []


def test_a_refused_credential_is_sent_once(it: Looked) -> None:
    it.drive.credential = error(Denied, "wrong password")
    assert it.look().state == "paused"
    assert pause.paused_systems() == {"drive": quote_words("wrong password")}
    for _ in range(40):
        it.look(after=60)
    assert it.drive.asked == ["credential"]
    assert it.row.state == "paused"
    it.drive.credential = None
    pause.resume("drive", actor="ada")
    health.bring_forward("drive", why=wake.RESUMED, now=lambda: it.now)
    assert it.look().state == "up"


def test_missing_rights_pause_nothing(it: Looked) -> None:
    it.drive.rights = error(Denied, "no administrator")
    row = it.look()
    assert (row.state, row.told_by) == ("degraded", "proof")
    assert "no administrator" in row.reason.english
    assert not pause.paused_systems()


@pytest.mark.parametrize(
    ("seen", "slow_s", "why"),
    [
        (ObservedState(quote_words("it is in maintenance")), 3, "it is in maintenance"),
        (ObservedState(), 0, "seconds to answer"),
    ],
)
def test_what_answers_with_a_but_is_degraded(
    it: Looked, settings: LazySettings, seen: ObservedState, slow_s: float, why: str
) -> None:
    settings.HEALTH_SLOW_SECONDS = slow_s
    it.seen = seen
    row = it.look()
    assert (row.state, row.told_by) == ("degraded", "look")
    assert why in row.reason.english


def test_calls_that_fail_where_a_look_does_not(it: Looked) -> None:
    it.drive.rights = error(Unavailable, "it answered HTTP 503")
    row = it.look()
    assert (row.state, code(row.reason)) == ("degraded", "operations.health_call_fails")
    it.drive.rights = None
    assert it.look(after=61).state == "up", "asked again with the next look, not in 15 minutes"


def test_a_look_that_counts_is_spared_while_sign_ins_get_no_answer(
    it: Looked, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared(monkeypatch, look_counts=True)
    it.drive.credential = error(Unavailable, "no encryption was agreed on")
    it.look()
    for _ in range(60):
        row = it.look(after=60)
    assert it.looks == 1
    assert it.drive.asked.count("credential") < 15
    assert (row.state, row.reason) == ("down", quote_words("no encryption was agreed on"))
    it.drive.credential = None
    assert it.look(after=16 * 60).state == "up"
    it.look(after=60)
    assert it.looks == 2


def test_one_without_a_look_is_proved_each_quarter_alone(
    it: Looked, monkeypatch: pytest.MonkeyPatch
) -> None:
    it.seen = None
    declared(monkeypatch, look="")
    assert it.look().state == "up"
    assert it.drive.asked[0] == "credential"
    assert "rights" not in it.drive.asked
    it.drive.credential = error(Unavailable, "nothing answers")
    for _ in range(12):
        it.look(after=60)
    assert it.drive.asked.count("credential") == 1
    assert it.row.state == "up"
    assert it.look(after=6 * 60).state == "down"
    assert it.row.reason == quote_words("nothing answers")


def test_one_that_is_not_configured_is_not_asked(it: Looked) -> None:
    it.configured = False
    row = it.look()
    assert (row.state, code(row.reason)) == ("not_asked", "operations.not_configured")
    assert it.looks == 0
    assert it.drive.asked == []


def test_no_place_says_nothing_of_it(it: Looked) -> None:
    it.look()
    it.seen = error(Busy, "three calls are under way")
    assert it.look(after=60).state == "up"
    assert it.row.looked_at == NOON
    assert it.row.look_at == it.now + timedelta(seconds=5)


def test_one_host_asks(it: Looked) -> None:
    it.look()
    Health.objects.update(look_at=NOON)
    Lock.objects.create(name="health:drive", owner="another host", until=far())
    assert health.look("drive", it.systems(), now=lambda: it.now) is None
    assert it.looks == 1


def far() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=60)


def test_it_is_looked_at_each_minute_jittered_and_not_before(it: Looked) -> None:
    it.look()
    waits = set()
    for _ in range(8):
        row = it.look(after=60)
        assert row.look_at is not None
        waits.add((row.look_at - it.now).total_seconds())
        assert health.look("drive", it.systems(), now=lambda: it.now) is None
    assert all(54 <= wait <= 66 for wait in waits)
    assert len(waits) > 1
    assert it.looks == 9
    assert "drive" not in health.due_systems(lambda: it.now)
    assert "drive" in health.due_systems(lambda: it.now + timedelta(seconds=67))


def test_what_a_call_met_brings_the_look_forward_and_not_too_often(it: Looked) -> None:
    it.look()
    at = lambda: it.now  # noqa: E731  the clock as it stands
    health.bring_forward("drive", why=wake.TROUBLE, now=at)
    assert it.row.look_at == NOON + timedelta(seconds=10)
    assert it.row.prove_at == NOON + timedelta(seconds=60)
    later = it.row.check_at
    assert later is not None
    assert later > NOON + timedelta(minutes=10), "a call in trouble asks for no check"
    it.now += timedelta(seconds=30)
    health.bring_forward("drive", why=wake.REFUSED, now=at)
    assert it.row.check_at == NOON + timedelta(seconds=60)
    health.bring_forward("drive", why=wake.SETTINGS, now=at)
    assert {it.row.look_at, it.row.prove_at, it.row.check_at} == {
        NOON + timedelta(seconds=10),
        it.now,
    }


def test_the_strip_counts_what_was_seen_and_leaves_gaps(it: Looked) -> None:
    it.now = datetime(2026, 3, 2, 23, 58, tzinfo=UTC)
    it.look()
    it.look(after=60)
    it.seen = error(Unavailable)
    it.look(after=60)
    it.look(after=60)
    it.seen = ObservedState()
    it.look(after=2 * 3600)
    it.look(after=60)
    yesterday, today = health_strip.days("drive", it.now)[-2:]
    assert (yesterday.seconds["up"], yesterday.seconds["down"]) == (120, 0)
    assert (today.seconds["down"], today.seconds["up"]) == (60, 60)
    assert today.gap == pytest.approx(2 * 3600, abs=1)
    assert yesterday.gap == 86400 - 120
    assert len(health_strip.days("drive", it.now)) == 90


def test_what_is_kept_is_bounded(it: Looked) -> None:
    for days in (0, 6, 8, 89, 92):
        at = health_strip.beginning("day", NOON - timedelta(days=days))
        for unit in ("hour", "day"):
            HealthSpan.objects.create(system="drive", unit=unit, begins=at, up=60)
    old = {"first_seen": NOON - timedelta(days=99), "last_seen": NOON, "severity": "failing"}
    HealthFinding.objects.create(
        system="drive", key="a", finding={}, closed_at=NOON - timedelta(days=91), **old
    )
    HealthFinding.objects.create(system="drive", key="b", finding={}, **old)
    health_strip.forget_old(NOON)
    assert HealthSpan.objects.filter(unit="hour").count() == 2
    assert HealthSpan.objects.filter(unit="day").count() == 4
    assert [one.key for one in HealthFinding.objects.all()] == ["b"]


def test_nothing_is_claimed_when_nobody_looks_any_more(it: Looked) -> None:
    assert read_health("drive", NOON).state == "not_asked"
    it.look()
    assert read_health("drive", NOON + timedelta(minutes=9)).state == "up"
    late = read_health("drive", NOON + timedelta(minutes=11))
    assert (late.state, code(late.reason)) == ("not_asked", "operations.health_old")
    pause.pause("drive", actor="ada", reason="moving")
    assert read_health("drive", NOON).state == "paused", "at once, before anybody looks"
    assert read_health("drive", NOON).reason == quote_words("moving")


def test_it_can_be_switched_off(it: Looked, settings: LazySettings) -> None:
    settings.HEALTH_LOOK_SECONDS = 0
    assert health.look("drive", it.systems(), now=lambda: NOON) is None
    assert health.due_systems(lambda: NOON) == []
    assert it.looks == 0
