"""A deadlock is tried once more, where nothing of the first try is left."""

import threading
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection, transaction

from workspace_manager.core.deadlocks import retry_after_deadlock
from workspace_manager.records.models import Person
from workspace_sandbox.patience import PATIENCE_S


class Cause(Exception):
    """What PostgreSQL's client raises."""

    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


def failing(sqlstate: str, times: int, tried: list[int]) -> Callable[[], str]:
    @retry_after_deadlock
    def story() -> str:
        tried.append(1)
        if len(tried) <= times:
            raise OperationalError from Cause(sqlstate)
        return "done"

    return story


@pytest.mark.django_db(transaction=True)
def test_it_is_tried_once_more_and_not_again() -> None:
    tried: list[int] = []
    assert failing("40P01", 1, tried)() == "done"
    assert len(tried) == 2
    tried.clear()
    with pytest.raises(OperationalError):
        failing("40P01", 2, tried)()
    assert len(tried) == 2


@pytest.mark.django_db(transaction=True)
def test_what_is_no_deadlock_or_the_callers_is_not_tried_again() -> None:
    tried: list[int] = []
    with pytest.raises(OperationalError):
        failing("57014", 1, tried)()
    assert len(tried) == 1
    tried.clear()
    with pytest.raises(OperationalError), transaction.atomic():
        failing("40P01", 1, tried)()
    assert len(tried) == 1


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one writer in at a time")
@pytest.mark.django_db(transaction=True)
def test_two_that_wait_for_each_other_both_come_to_their_end() -> None:
    """Against the order, so that PostgreSQL ends one of them: that one is tried once more."""
    people = [Person.objects.create_user(f"p{n}") for n in range(2)]
    meet, told, ended = threading.Barrier(2), list[str](), list[str]()

    @retry_after_deadlock
    def lock_both(first: Person, second: Person) -> None:
        told.append(first.username)
        with transaction.atomic():
            list(Person.objects.select_for_update().filter(id=first.id))
            if len(told) <= 2:
                meet.wait(PATIENCE_S)
            list(Person.objects.select_for_update().filter(id=second.id))

    def run(first: Person, second: Person) -> None:
        try:
            lock_both(first, second)
            ended.append(first.username)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in (people, people[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(ended) == ["p0", "p1"]
    assert len(told) == 3
