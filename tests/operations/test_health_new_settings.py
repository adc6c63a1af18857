"""New settings are checked with the trial that they ask for, whatever happens meanwhile."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.operations.test_health import Looked, error, it
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.slots import Busy
from workspace_manager.core import wake
from workspace_manager.operations import checks, health

pytestmark = pytest.mark.django_db
__all__ = ["it"]


@pytest.fixture
def trials(it: Looked, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return, for each check of the drive, whether it was asked for."""
    found: list[bool] = []

    def looked_at(system: Any, *, asked: bool) -> list[Any]:
        found.append(asked)
        return list(system.check())

    monkeypatch.setattr(checks, "looked_at", looked_at)
    return found


def store_settings(it: Looked) -> None:
    health.bring_forward("drive", why=wake.SETTINGS, now=lambda: it.now)


def during_a_check(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None]) -> None:
    """Have something happen once, while the next findings are made."""
    whole = checks.findings

    def findings(*asked: Any, **more: Any) -> Any:
        monkeypatch.setattr(checks, "findings", whole)
        happens()
        return whole(*asked, **more)

    monkeypatch.setattr(checks, "findings", findings)


def test_that_come_during_the_look_that_misses_them(
    it: Looked, trials: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    it.configured = False
    during_a_check(monkeypatch, lambda: store_settings(it))
    it.look()
    it.configured = True
    it.look(after=10)
    assert trials == [True]


def test_that_come_during_a_check_of_older_ones(
    it: Looked, trials: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    during_a_check(monkeypatch, lambda: store_settings(it))
    it.look()
    it.look(after=10)
    it.look(after=60)
    assert trials == [False, True]


def test_while_too_many_checks_run(
    it: Looked, trials: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy() -> None:
        raise error(Busy, "four checks are under way")

    store_settings(it)
    during_a_check(monkeypatch, busy)
    it.look()
    assert trials == []
    it.look(after=60)
    it.look(after=60)
    assert trials == [True]


def test_while_the_system_is_down_and_calls_meet_that(it: Looked, trials: list[bool]) -> None:
    store_settings(it)
    seen, it.seen = it.seen, error(Unavailable)
    it.look()
    health.bring_forward("drive", why=wake.TROUBLE, now=lambda: it.now)
    assert trials == []
    it.seen = seen
    it.look(after=60)
    it.look(after=60)
    assert trials == [True]
