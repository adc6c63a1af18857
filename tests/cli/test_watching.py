"""The watcher of a removal reads what is waited for, and again when that changes."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from click.testing import CliRunner
from django.conf import LazySettings
from django.utils import timezone

from tests.web.pages import scenes
from workspace_manager.cli import people as command
from workspace_manager.cli.__main__ import main
from workspace_manager.contract import wait_hooks
from workspace_manager.engine import preview
from workspace_manager.records.models import Plan

pytestmark = pytest.mark.django_db


class Clock:
    """Time that passes only while somebody sleeps; at some moments something happens."""

    def __init__(self, moments: dict[int, Callable[[], object]]) -> None:
        self.now, self.moments = 0.0, moments

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        for moment in [one for one in self.moments if one <= self.now]:
            self.moments.pop(moment)()


@pytest.fixture(autouse=True)
def anna(settings: LazySettings) -> None:
    settings.SECRET_KEYS = ["only-for-these-tests"]
    scenes.set_up_systems()
    scenes.person("ada", administrator=True)
    scenes.person("anna")


def _later(**values: object) -> None:
    Plan.objects.filter(kind="removal").update(**values)


def _set(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    for watching in (command, preview, wait_hooks):
        monkeypatch.setattr(watching, "time", clock)


def _ended() -> None:
    """As a worker leaves it: every step has ended, and so has the last token."""
    plan = Plan.objects.get(kind="removal")
    scenes.finished(plan, late="clean")


def _watched(
    monkeypatch: pytest.MonkeyPatch, moments: dict[int, Callable[[], object]]
) -> list[str]:
    end = {100: _ended}
    clock = Clock(moments | end)
    _set(clock, monkeypatch)
    said = CliRunner().invoke(main, ["people", "remove", "anna", "--yes", "--wait"])
    assert said.exit_code == 0, said.output
    assert "Done: anna is removed. All 7 steps have ended and are verified." in said.stdout
    return [line.strip() for line in said.stdout.splitlines() if "…" in line]


NO_WORKER = "… No worker takes it up. Start one: workspace-manager worker"


def test_that_no_worker_runs_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _watched(monkeypatch, {}) == [NO_WORKER]


def test_it_is_said_again_when_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    held = {"lease_owner": "w", "lease_until": now + timedelta(seconds=100)}
    free = {"lease_owner": "", "lease_until": None}
    waiting = {"state": Plan.State.WAITING, "due_at": now + timedelta(minutes=5)}
    said = _watched(
        monkeypatch,
        {
            20: lambda: _later(**held),
            40: lambda: _later(**free, **waiting),
            60: lambda: _later(due_at=now - timedelta(minutes=1)),
            62: lambda: _later(due_at=now + timedelta(minutes=9)),
            80: lambda: _later(due_at=now - timedelta(minutes=1)),
        },
    )
    assert [line.split(" ")[1] for line in said] == ["No", "A", "It", "No"]


def test_a_worker_that_is_at_it_is_not_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _watched(monkeypatch, {3: _ended}) == []


@pytest.mark.parametrize("state", [Plan.State.SUPERSEDED, Plan.State.STALE])
def test_a_plan_that_another_took_the_place_of_is_watched_no_longer(
    state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock({1: lambda: _later(state=state), 1000: lambda: pytest.fail("still watched")})
    _set(clock, monkeypatch)
    said = CliRunner().invoke(main, ["people", "remove", "anna", "--yes", "--wait"])
    assert said.exit_code == 1, said.output
    words = " ".join(said.stderr.split())
    assert "another plan took its place" in words
    assert "plans list --q anna" in words
