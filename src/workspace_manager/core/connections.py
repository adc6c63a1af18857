"""Connections to the database: how many a process may have, how a thread gives its own back, and
what it means when none is free.

PostgreSQL has place for so many connections of all processes together. Each process keeps a pool of
few, and every thread gives its connection back before it waits for anybody
(`contract.wait_hooks`) and when its work is done. SQLite has no such limit: there a thread keeps
its own.
"""

from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg_pool import PoolTimeout

QUEUE: Final = "queue"
"""The queue's database, where it is another one."""
OF_QUEUE: Final = 1
"""Connections of a process to that; it is taken for one statement at a time."""
WORKER: Final = 10
WEB: Final = 8
"""Connections of a process, where `WORKSPACE_DATABASE_CONNECTIONS` says nothing."""
PATIENCE_S: Final = 5
"""How long whoever is waited for by people waits for one."""


def let_go() -> None:
    """Give this thread's connections back, for whoever needs one; a transaction keeps its own."""
    for one in connections.all(initialized_only=True):
        if is_held(one) and not one.in_atomic_block:
            one.close()


def is_held(database: BaseDatabaseWrapper) -> bool:
    """Return whether this thread has a connection that others wait for."""
    return database.connection is not None and _pool(database) is not None


def allow(most: int, *, listening: int = 0, wait_s: float) -> None:
    """Let this process have at most so many connections, `WORKSPACE_DATABASE_CONNECTIONS` if that
    is set. `listening`: those of them that are outside of the pools; `wait_s`: how long a thread
    waits for one.
    """
    left = (settings.DATABASE_CONNECTIONS or most) - listening
    for alias in connections:
        pool = _pool(connections[alias])
        if pool is None:
            continue
        share = OF_QUEUE if alias == QUEUE else left - OF_QUEUE * (QUEUE in settings.DATABASES)
        pool.resize(pool.min_size, max(1, share))
        pool.timeout = wait_s


def close_all() -> None:
    """Have no connection any more, nor a thread that keeps pools: before the process is forked."""
    connections.close_all()
    for one in connections.all(initialized_only=True):
        if _pool(one) is not None:
            one.close_pool()  # type: ignore[attr-defined]


def is_busy(error: BaseException | None) -> bool:
    """Return whether it was raised since no connection was free in time: nothing was asked of the
    database.
    """
    while error is not None:
        if isinstance(error, PoolTimeout):
            return True
        error = error.__cause__
    return False


@dataclass(frozen=True)
class Room:
    """The number of connections that the database has for us and others, and how many are taken."""

    taken: int
    most: int

    @property
    def is_reached(self) -> bool:
        return self.taken >= self.most

    @property
    def is_near(self) -> bool:
        """Return whether one more process of ours might find none."""
        return self.most - self.taken < WEB


def room() -> Room | None:
    """Of the server, this database and this account the one with the fewest left; None where there
    is no such limit.
    """
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute(_ROOM)
        found = [Room(taken, most) for most, taken in cursor.fetchall() if most >= 0]
    return min(found, key=lambda one: one.most - one.taken, default=None)


# What an account may not see of others' connections is not asked for.
_ROOM = """
WITH used AS (SELECT datname, usename FROM pg_stat_activity
              WHERE datid IS NOT NULL AND usesysid IS NOT NULL)
SELECT current_setting('max_connections')::int
       - current_setting('superuser_reserved_connections')::int
       - coalesce(current_setting('reserved_connections', true), '0')::int,
       (SELECT count(*) FROM used)
UNION ALL SELECT datconnlimit, (SELECT count(*) FROM used WHERE datname = current_database())
FROM pg_database WHERE datname = current_database()
UNION ALL SELECT rolconnlimit, (SELECT count(*) FROM used WHERE usename = current_user)
FROM pg_roles WHERE rolname = current_user
"""


def _pool(database: BaseDatabaseWrapper) -> Any:
    """None where there is no pool."""
    return getattr(database, "pool", None)
