"""A pytest plugin: a transaction of the manager that locks rows out of order
(`records/lock_order.py`) fails the test that brings it about.

SQLite knows no row locks, so the hook sees them where Django makes the statement. A row that the
transaction has made itself is locked by nobody else.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler, SQLInsertCompiler

HELD = "locked_tables"
wrong: list[str] = []
"""What the test that runs did out of order."""


@pytest.fixture(autouse=True)
def rows_are_locked_in_order() -> Iterator[None]:
    wrong.clear()
    yield
    assert not wrong, "locked out of order (records/lock_order.py): " + "; ".join(wrong)


def pytest_configure() -> None:
    """Watch what begins a transaction, what locks a row in it, and what makes one."""
    begin = transaction.Atomic.__enter__
    select, insert = SQLCompiler.execute_sql, SQLInsertCompiler.execute_sql

    def enter(self: Any) -> None:
        begin(self)
        connection = transaction.get_connection(self.using)
        if _depth(connection) == 1:
            setattr(connection, HELD, [])

    def lock(self: Any, *given: Any, **named: Any) -> Any:
        if self.query.select_for_update and self.query.model:
            _note(self.connection, self.query.model)
        return select(self, *given, **named)

    def make(self: Any, *given: Any, **named: Any) -> Any:
        made = insert(self, *given, **named)
        _held(self.connection).append(self.query.model)
        return made

    for owner, name, watched in (
        (transaction.Atomic, "__enter__", enter),
        (SQLCompiler, "execute_sql", lock),
        (SQLInsertCompiler, "execute_sql", make),
    ):
        setattr(owner, name, watched)


def _depth(connection: BaseDatabaseWrapper) -> int:
    """How many blocks of the manager's own are open: a test's own transaction is none."""
    blocks = connection.atomic_blocks
    return sum(not getattr(block, "_from_testcase", False) for block in blocks)


def _held(connection: BaseDatabaseWrapper) -> list[type[models.Model]]:
    """The tables of which the open transaction has locked or made rows, in that order."""
    held: list[type[models.Model]] = getattr(connection, HELD, [])
    return held if _depth(connection) else []


def _note(connection: BaseDatabaseWrapper, model: type[models.Model]) -> None:
    # Here: the settings have to be there before the tables.
    from workspace_manager.records.lock_order import LOCK_ORDER

    held = _held(connection)
    if model not in LOCK_ORDER or model in held:
        return
    place = LOCK_ORDER.index(model)
    later = [one for one in held if one in LOCK_ORDER[place + 1 :]]
    wrong.extend(f"{model.__name__} after {one.__name__}" for one in later)
    held.append(model)
