"""Meanings of error codes: one table from the server's codes to the five errors.

The server's own message is never passed on: a syntax error quotes the statement, which may contain
a password. See docs/explanation/connectors.md#the-five-errors and
docs/systems/sql-server.md#mariadb-what-statements-answer.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import Message
from workspace_manager.systems.sql_server.client.advice import (
    ADVICE,
    ANOTHER_PRODUCT,
    ANSWER_TOO_LARGE,
    NOT_THIS_PROTOCOL,
    PASSWORD_WOULD_SHOW,
)
from workspace_manager.systems.sql_server.messages import message

Meaning: TypeAlias = Mapping[int, type[ConnectorError]]
"""Codes with another meaning for one statement than in general."""

UNAVAILABLE: Final[Mapping[int, Message]] = {
    0: message("connection_is_closed"),
    1037: message("out_of_memory"),
    1040: message("too_many_connections"),
    1041: message("out_of_memory"),
    1053: message("shutting_down"),
    1080: message("connection_was_closed"),
    1158: message("connection_failed"),
    1159: message("connection_timed_out"),
    1160: message("connection_failed"),
    1161: message("connection_timed_out"),
    1203: message("our_too_many_connections"),
    1205: message("transaction_blocks"),
    1213: message("collided"),
    1226: message("limit_used_up"),
    1290: message("option_forbids"),
    1317: message("interrupted"),
    1836: message("read_only"),
    1927: message("connection_ended_there"),
    1969: message("took_too_long"),
    2002: message("nothing_answers"),
    2003: message("nothing_answers"),
    2005: message("host_unknown"),
    2006: message("connection_broke"),
    2013: message("no_answer_in_time"),
    2055: message("connection_broke"),
}
DENIED: Final[Mapping[int, Message]] = {
    1044: message("not_on_that_database"),
    1045: message("refuses_name_and_password"),
    1095: message("may_not_end_sessions"),
    1129: message("blocked_host"),
    1130: message("not_from_this_host"),
    1142: message("not_on_that_table"),
    1143: message("not_that_column"),
    1227: message("lacks_privilege"),
    1698: message("refuses_our_account"),
    1820: message("password_must_change"),
    1862: message("password_expired"),
    4151: message("our_account_locked"),
}
REFUSED: Final[Mapping[int, tuple[type[ConnectorError], Message]]] = {
    1007: (Conflict, message("database_exists")),
    1008: (NotFound, message("no_such_database")),
    1049: (NotFound, message("no_such_database")),
    1133: (NotFound, message("no_such_account")),
    1141: (NotFound, message("no_such_grant")),
    1146: (NotFound, message("no_such_table")),
    1396: (NotFound, message("no_such_account")),
    1470: (Invalid, message("name_too_long")),
    1819: (Invalid, message("password_policy")),
    4164: (Invalid, message("password_policy")),
}
NOT_SUPPORTED: Final = 1235
NOT_UNDERSTOOD: Final = -1
"""Our own code: the answer is not in this protocol."""
WOULD_SHOW: Final = -3
"""Our own code: the server's way to ask for the password would reveal it."""
NEEDS_LIBRARY: Final = -4
"""Our own code: the server asks for a proof that needs a library we do not have."""
TOO_LARGE: Final = -2
"""Our own code: the answer was not read to its end."""


def error_of(
    code: int,
    *,
    kind: str,
    doing: Message,
    meaning: Meaning | None = None,
) -> ConnectorError:
    """Return the error for an error code; an unknown code is Invalid, never a success.

    `meaning`: the meaning of a code for this statement. Every statement about accounts uses 1396
    for a reason of its own, for example.
    """
    kind_of, words, advice = _general(code)
    if meaning and code in meaning:
        kind_of = meaning[code]
    detail = message("error_code", code=code, words=words) if code > 0 else words
    return kind_of(detail, kind=kind, doing=doing, advice=advice)


def _general(code: int) -> tuple[type[ConnectorError], Message, Message]:
    if code in UNAVAILABLE:
        return Unavailable, UNAVAILABLE[code], ADVICE[Unavailable]
    if code in DENIED:
        return Denied, DENIED[code], ADVICE[Denied]
    if code in REFUSED:
        kind_of, words = REFUSED[code]
        return kind_of, words, ADVICE[NotFound]
    if code == NOT_UNDERSTOOD:
        return Invalid, NOT_THIS_PROTOCOL, ANOTHER_PRODUCT
    if code == WOULD_SHOW:
        return Invalid, PASSWORD_WOULD_SHOW, message("use_proof_mariadb")
    if code == NEEDS_LIBRARY:
        return Invalid, message("proof_needs_library"), message("install_library")
    if code == TOO_LARGE:
        return Invalid, ANSWER_TOO_LARGE, ANOTHER_PRODUCT
    if code == NOT_SUPPORTED:
        return Invalid, message("not_supported"), message("use_full_server")
    words = message("not_understood") if code == 1064 else message("unknown_code")
    return Invalid, words, ADVICE[Invalid]
