"""A deadlock is tried once more, where nothing of the first try is left."""

from collections.abc import Callable

import pytest
from django.db import OperationalError, transaction

from workspace_manager.core.deadlocks import retry_after_deadlock


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
