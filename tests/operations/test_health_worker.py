"""The worker looks: each look brings about the next, and whatever calls meet the one before its
time.
"""

from typing import Any

import pytest

from workspace_manager import worker
from workspace_manager.core import wake
from workspace_manager.operations import health
from workspace_manager.records.models import Health
from workspace_manager.systems import registry

pytestmark = pytest.mark.django_db


@pytest.fixture
def scheduled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []

    def schedule(args: tuple[str], delay: float) -> None:
        found.append((args[0], delay))

    monkeypatch.setattr(worker.look_at_system, "schedule", schedule)
    return found


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> dict[str, float | None]:
    """The seconds that a look at each system gives; None where nobody looked."""
    found: dict[str, float | None] = {}
    monkeypatch.setattr(health, "look", lambda name, _systems: found.get(name))
    return found


def test_each_look_brings_about_the_next(
    scheduled: list[tuple[str, float]], looks: dict[str, float | None]
) -> None:
    looks["drive"] = 58.5
    worker.look_at_system.call_local("drive")
    worker.look_at_system.call_local("triplestore")
    assert scheduled == [("drive", 58.5)], "whoever did not look brings about nothing"


def test_what_a_call_met_is_not_lost_when_somebody_looked_just_now(
    scheduled: list[tuple[str, float]], looks: dict[str, float | None]
) -> None:
    worker.look_at_system.call_local("drive", wake.TROUBLE)
    assert scheduled == [("drive", health.MOMENT_S)]
    assert Health.objects.get(system="drive").asked_for == wake.TROUBLE


def test_every_minute_finds_what_nobody_looks_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(worker, "look_at_system", asked.append)
    worker.look_at_systems.call_local()
    assert asked == registry().names()
