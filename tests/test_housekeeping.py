"""The housekeeping does everything that it can, whatever one row or one task raises."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.fake_world.world import World
from workspace_manager import housekeeping
from workspace_manager.contract.connector import Severity
from workspace_manager.core import housekeeping_failures
from workspace_manager.core.connected_systems import MANAGER
from workspace_manager.inbox import waiting_items
from workspace_manager.letters import emails
from workspace_manager.operations import own_health
from workspace_manager.operations.health_findings import open_findings
from workspace_manager.records.models import HousekeepingFailure, Person, Registration

pytestmark = pytest.mark.django_db
OLD = timedelta(days=400)


@pytest.fixture
def old() -> list[Registration]:
    """Three registrations that nobody decided about in time."""
    names = ("first", "second", "third")
    made = [Registration.objects.create(username=name, email=f"{name}@e.org") for name in names]
    Registration.objects.update(created_at=timezone.now() - OLD, reminded_at=timezone.now())
    return made


@pytest.fixture
def first_fails(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The letter of one of them cannot be written; gives whose was tried."""
    tried: list[str] = []
    write = emails.write_expiry

    def expired(registration: Registration) -> Any:
        tried.append(registration.username)
        if registration.username == "first":
            raise ValueError("the row is not as it should be")
        return write(registration)

    monkeypatch.setattr(emails, "write_expiry", expired)
    return tried


def make_due() -> None:
    HousekeepingFailure.objects.update(next_try_at=timezone.now() - timedelta(seconds=1))


def states() -> dict[str, str]:
    return dict(Registration.objects.values_list("username", "status"))


def test_a_row_that_fails_holds_up_no_other_and_is_tried_later(
    old: list[Registration], first_fails: list[str], world: World
) -> None:
    housekeeping.look_after(world.systems())
    assert states() == {"first": "pending", "second": "expired", "third": "expired"}
    housekeeping.look_after(world.systems())
    assert first_fails.count("first") == 1
    make_due()
    housekeeping.look_after(world.systems())
    assert first_fails.count("first") == 2
    failure = HousekeepingFailure.objects.get()
    assert (failure.row, failure.error, failure.times) == (str(old[0].pk), "ValueError", 2)


def test_it_is_said_until_it_works(
    old: list[Registration],
    first_fails: list[str],
    world: World,
    ada: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for _ in range(2):
        housekeeping.look_after(world.systems())
        make_due()
    [finding] = [one for one in own_health.findings() if one.severity == Severity.FAILING]
    assert finding.message
    assert finding.message.code == "operations.housekeeping_fails"
    assert f"expire_registrations {old[0].pk} (ValueError)" in finding.text
    [item] = waiting_items.list_items(ada, timezone.now(), kinds=["finding"]).items
    assert item.action.address == "/manage/systems#manager"
    monkeypatch.undo()
    make_due()
    housekeeping.look_after(world.systems())
    assert states()["first"] == "expired"
    assert not open_findings(MANAGER)


def test_a_task_that_fails_holds_up_no_other(
    old: list[Registration], world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a task that cannot begin")

    done: list[str] = []
    tasks = {
        name: replace(task, run=lambda *_, name=name: done.append(name))
        for name, task in housekeeping.TASKS.items()
    }
    first = next(iter(tasks))
    failing = {first: replace(tasks[first], run=fail)}
    monkeypatch.setattr(housekeeping, "TASKS", {**tasks, **failing})
    housekeeping.look_after(world.systems())
    assert done == [name for name in tasks if name != first]
    assert HousekeepingFailure.objects.get().task == first


def test_the_wait_grows_and_has_an_end() -> None:
    for n in range(1, 20):
        with housekeeping_failures.attempt("a_task"):
            raise ValueError
        failure = HousekeepingFailure.objects.get()
        assert failure.times == n
        assert failure.next_try_at <= timezone.now() + housekeeping_failures.LONGEST_WAIT
