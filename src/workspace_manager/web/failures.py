"""Answers to failures outside the manager: one table, for pages and REST alike."""

import errno
import math
from dataclasses import dataclass
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError

from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import label_of
from workspace_manager.core.connections import is_busy
from workspace_manager.core.messages import message as of_core
from workspace_manager.web.messages import message

ASK_AGAIN_S: Final = 30
"""Seconds, if a system that does not answer names no time, or a visitor has to wait for a slot."""
BUSY_S: Final = 5
NO_SPACE: Final = {errno.ENOSPC, errno.EDQUOT}
SQLITE: Final = {
    "BUSY": "database_busy",
    "LOCKED": "database_busy",
    "FULL": "no_space",
    "IOERR": "database_away",
    "CANTOPEN": "database_away",
}
"""Causes by the first part of the result code (https://www.sqlite.org/rescode.html)."""
POSTGRESQL: Final = {
    "08": "database_away",
    "40": "database_busy",
    "53100": "no_space",
    "53": "database_busy",
    "55P03": "database_busy",
    "57014": "database_busy",
    "57P": "database_away",
}
"""Causes by the beginning of the SQLSTATE (PostgreSQL, appendix A)."""
AFTER_S: Final = {"database_busy": BUSY_S, "database_away": BUSY_S, "no_space": ASK_AGAIN_S}


@dataclass(frozen=True)
class Failure:
    """The answer to a failure. `retry_after`: seconds, None if a retry cannot help. `system`: the
    system that failed.
    """

    status: int
    why: Message
    retry_after: int | None = None
    advice: Message | None = None
    system: str = ""


def failure_of(error: BaseException | None) -> Failure | None:
    """Return the answer; None for our own errors."""
    if isinstance(error, ConnectorError):
        return _of_a_system(error)
    if isinstance(error, (OperationalError, InterfaceError)):
        return _of_ours(_of_the_database(error))
    if isinstance(error, OSError) and error.errno in NO_SPACE:
        return _of_ours("no_space")
    return None


def _of_a_system(error: ConnectorError) -> Failure:
    why = of_core(
        "system_failed",
        system=label_of(error.system),
        doing=error.doing_message,
        why=error.message,
    )
    if not isinstance(error, Unavailable):
        return Failure(502, why, advice=error.advice_message, system=error.system)
    wait = math.ceil(ASK_AGAIN_S if error.retry_after is None else error.retry_after)
    return Failure(503, why, max(1, wait), error.advice_message, error.system)


def _of_ours(what: str) -> Failure | None:
    return Failure(503, message(what), AFTER_S[what]) if what else None


def _of_the_database(error: DatabaseError | InterfaceError) -> str:
    """Return the cause, a key of `AFTER_S`; "" for a statement that the database does not
    understand.
    """
    if is_busy(error):
        return "database_busy"
    cause = error.__cause__
    if name := getattr(cause, "sqlite_errorname", ""):
        return SQLITE.get(name.removeprefix("SQLITE_").partition("_")[0], "")
    state = getattr(cause, "sqlstate", "")
    if state:
        return next((what for code, what in POSTGRESQL.items() if state.startswith(code)), "")
    # An error of PostgreSQL's driver without a SQLSTATE: there was no connection.
    is_away = state is None or isinstance(error, InterfaceError)
    return "database_away" if is_away else "database_busy"
