"""A database as Django's settings have it: the manager's own, or that of the queue where it is
another PostgreSQL.
"""

from typing import Any, Final

import dj_database_url

POSTGRESQL: Final = {"postgres", "postgresql"}
"""Schemes of addresses that lead to one."""
FEWEST: Final = 4
"""Connections that a process needs: two for its work, and those of the queue."""


def parse_database_url(url: str) -> dict[str, Any]:
    """As Django has one. Raises ValueError for an address that cannot be read."""
    database: dict[str, Any] = {**dj_database_url.parse(url)}
    # No transaction is ever open during an outside call.
    database["ATOMIC_REQUESTS"] = False
    if database["ENGINE"].endswith("sqlite3"):
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            # FULL: a journal row that was committed survives a power cut. secure_delete: an erased
            # secret leaves no page.
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; "
                "PRAGMA busy_timeout=30000;"
            ),
        }
    else:
        database["CONN_HEALTH_CHECKS"] = True
        # A thread gives its connection back before it waits for anybody, and the pool keeps it. How
        # many it may have is said by each kind of process (core.connections). Who fails to connect
        # gives up soon: as long as one tries, no other does.
        database["CONN_MAX_AGE"] = 0
        database.setdefault("OPTIONS", {})["pool"] = {
            "min_size": 1,
            "max_size": FEWEST,
            "max_idle": 30,
            "reconnect_timeout": 5,
            "num_workers": 1,
        }
    return database
