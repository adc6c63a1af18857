"""Waiting for a preview's looks: a moment, not longer, and not at all once they are there."""

from collections.abc import Callable

import pytest
from click.testing import CliRunner
from django.conf import LazySettings
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.visitors import BACKEND, Visitor
from workspace_manager.cli.__main__ import main
from workspace_manager.contract import wait_hooks
from workspace_manager.engine import preview
from workspace_manager.records.models import Plan

pytestmark = pytest.mark.django_db


class Clock:
    """Time that passes only while somebody sleeps; after some sleeps the worker has looked."""

    def __init__(self, looked_after: int | None = None) -> None:
        self.now, self.slept, self.looked_after = 0.0, 0, looked_after

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now, self.slept = self.now + seconds, self.slept + 1
        if self.slept == self.looked_after:
            Plan.objects.update(due_at=None)


@pytest.fixture(autouse=True)
def patience(settings: LazySettings) -> None:
    settings.PREVIEW_WAIT_SECONDS = 1


def _waited(monkeypatch: pytest.MonkeyPatch, clock: Clock, wait: Callable[[], object]) -> Clock:
    for uses_it in (preview, wait_hooks):
        monkeypatch.setattr(uses_it, "time", clock)
    wait()
    return clock


def _draft(*, looked: bool) -> Plan:
    due_at = None if looked else timezone.now()
    return Plan.objects.create(kind="removal", person="alice", due_at=due_at)


def test_it_waits_for_the_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = _draft(looked=False)
    assert _waited(monkeypatch, Clock(3), lambda: preview.await_looks(plan)).slept == 3
    assert plan.due_at is None


def test_it_goes_on_without_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = _draft(looked=False)
    clock = _waited(monkeypatch, Clock(), lambda: preview.await_looks(plan))
    assert 1 <= clock.now < 1 + 2 * preview.LOOK_EVERY_S
    assert plan.due_at is not None


def test_looks_that_are_there_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = _draft(looked=True)
    assert _waited(monkeypatch, Clock(), lambda: preview.await_looks(plan)).slept == 0


@pytest.mark.parametrize("door", ["rest", "command line"])
def test_both_doors_wait_alike(monkeypatch: pytest.MonkeyPatch, door: str) -> None:
    ada = make_person("ada", role="administrator")
    make_person("alice", sub="sub-of-alice")
    visitor = Visitor(ada)
    visitor.force_login(ada, BACKEND)
    doors: dict[str, Callable[[], object]] = {
        "rest": lambda: visitor.ask("POST", "/people/alice/removal"),
        "command line": lambda: CliRunner().invoke(main, ["people", "remove", "alice"]),
    }
    assert _waited(monkeypatch, Clock(4), doors[door]).slept == 4
    assert Plan.objects.get(kind="removal").state == Plan.State.DRAFT
