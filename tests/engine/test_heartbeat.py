"""A change that takes hours keeps its lease, and ends when somebody else has it."""

import threading
from typing import cast

import pytest
from django.conf import LazySettings
from django.db import DatabaseError

from workspace_manager.contract import progress
from workspace_manager.contract.deadline import act_until, moment, remaining_time
from workspace_manager.engine.heartbeat import renew_lease
from workspace_manager.engine.lease import Lease, LeaseLost
from workspace_sandbox.patience import PATIENCE_S


class Renewed:
    """A lease that counts how often it was renewed, without a database; `fails` with these first,
    one after the other.
    """

    def __init__(self, *fails: type[Exception]) -> None:
        self.good_until = moment() + 1000
        self.count = 0
        self.fails = list(fails)
        self.beaten = threading.Event()

    def writing(self) -> "Renewed":
        return self

    def __enter__(self) -> None:
        self.count += 1
        self.good_until += 1000
        if self.count >= 3 or self.fails[:1] == [LeaseLost]:
            self.beaten.set()
        if self.fails:
            raise self.fails.pop(0)

    def __exit__(self, *_: object) -> None:
        return None


@pytest.fixture(autouse=True)
def short(settings: LazySettings) -> None:
    settings.LEASE_SECONDS = 0.03


def as_lease(one: Renewed) -> Lease:
    return cast(Lease, one)


def test_it_is_renewed_and_the_end_moves_with_it() -> None:
    lease = Renewed()
    with renew_lease(as_lease(lease)):
        before = remaining_time(None)
        assert lease.beaten.wait(PATIENCE_S)
        progress.report(1)
        after = remaining_time(None)
        assert before is not None
        assert after is not None
        assert after > before
        with act_until(moment() + 1):
            assert (remaining_time(None) or 0) <= 1
    count = lease.count
    assert not [one for one in threading.enumerate() if one.name == "heartbeat"]
    assert count >= 3
    assert remaining_time(None) is None


def test_work_ends_when_somebody_else_has_the_plan() -> None:
    lease = Renewed(LeaseLost)
    with pytest.raises(LeaseLost):
        _go_on(lease)


def _go_on(lease: Renewed) -> None:
    with renew_lease(as_lease(lease)):
        assert lease.beaten.wait(PATIENCE_S)
        for _ in range(1000):
            progress.report(1)
            threading.Event().wait(0.01)
    pytest.fail("it went on")


def test_a_database_that_fails_once_is_asked_again() -> None:
    lease = Renewed(DatabaseError, DatabaseError)
    with renew_lease(as_lease(lease)):
        assert lease.beaten.wait(PATIENCE_S)
        progress.report(1)
    assert lease.count >= 3


def test_what_the_work_raises_is_raised() -> None:
    with pytest.raises(KeyError), renew_lease(as_lease(Renewed())):
        raise KeyError
