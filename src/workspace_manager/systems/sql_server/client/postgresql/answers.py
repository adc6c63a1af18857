"""Meanings of SQLSTATEs: one table from the server's codes to the five errors.

The server's own message is never passed on: a syntax error quotes the statement. The client library
gives no code for a refused sign-in, so its words are read, and not shown either. See
docs/explanation/connectors.md#the-five-errors and docs/systems/sql-server.md#postgresql.
"""

import re
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

Meaning: TypeAlias = Mapping[str, type[ConnectorError]]
"""Codes with another meaning for one statement than in general."""

CLOSED: Final = "08006"
REFUSED: Final = "28P01"
LOCKED: Final = "28000 (locked)"
NOT_FROM_HERE: Final = "28000 (pg_hba.conf)"
NO_SUCH_DATABASE: Final = "3D000"
NOT_IN_THAT_DATABASE: Final = "42501"
NOT_UNDERSTOOD: Final = "not understood"
"""Our own code: the answer is not in this protocol."""
WOULD_SHOW: Final = "would show"
"""Our own code: the server's way to ask for the password would reveal it."""
TOO_LARGE: Final = "too large"
"""Our own code: the answer was not read to its end."""

CODES: Final[Mapping[str, tuple[type[ConnectorError], Message]]] = {
    "08": (Unavailable, message("nothing_answers_or_broke")),
    "25006": (Unavailable, message("read_only")),
    "40": (Unavailable, message("collided")),
    "53": (Unavailable, message("too_many_or_out")),
    "55006": (Unavailable, message("somebody_uses_it")),
    "55000": (Unavailable, message("not_ready")),
    "55P03": (Unavailable, message("transaction_blocks")),
    "57014": (Unavailable, message("took_too_long")),
    "57": (Unavailable, message("starting_or_shutting_down")),
    "58": (Unavailable, message("trouble_with_files")),
    REFUSED: (Denied, message("refuses_name_and_password")),
    LOCKED: (Denied, message("our_account_nologin")),
    NOT_FROM_HERE: (Denied, message("from_elsewhere_only")),
    "28": (Denied, message("refuses_our_account")),
    NOT_IN_THAT_DATABASE: (Denied, message("may_not_do_this")),
    NO_SUCH_DATABASE: (NotFound, message("no_such_database")),
    "42704": (NotFound, message("no_such_account")),
    "42P04": (Conflict, message("database_exists")),
    "42710": (Conflict, message("account_name_exists")),
    "2BP01": (Conflict, message("something_belongs_to_it")),
    "42939": (Invalid, message("name_reserved")),
    "42622": (Invalid, message("name_too_long")),
    "42601": (Invalid, message("not_understood")),
    "22023": (Invalid, message("value_impossible")),
}
"""Errors by the whole code, or by its class, which is its first two characters."""

_SAID: Final = (
    (r"password authentication failed|authentication failed for user", REFUSED),
    (r"is not permitted to log in", LOCKED),
    (r"pg_hba\.conf", NOT_FROM_HERE),
    (r'role ".*" does not exist', "28000"),
    (r'database ".*" does not exist', NO_SUCH_DATABASE),
    (r"permission denied for database", NOT_IN_THAT_DATABASE),
    (r"too many (clients|connections)|connection slots are reserved", "53300"),
    (r"the database system is|terminating connection", "57P03"),
    (r"not currently accepting connections", "55000"),
)
_GARBLED: Final = re.compile(
    r"invalid response|unexpected (response|message|asynchronous)|expected "
    r"authentication|lost synchronization|message (length|contents)"
)


def code_of_text(text: str, *, password_asked: bool) -> str:
    """Return the code for the words of a refused connection. `password_asked`: the server asked for
    a password and refused afterwards.

    Servers speak English unless lc_messages says otherwise, which the check reports; then a refusal
    after the password counts as one of the password.
    """
    if "authentication method requirement" in text:
        return WOULD_SHOW
    _, fatal, words = text.partition("FATAL:")
    if fatal:
        for pattern, code in _SAID:
            if re.search(pattern, words):
                return code
        return REFUSED if password_asked else CLOSED
    return NOT_UNDERSTOOD if _GARBLED.search(text) else CLOSED


def error_of(
    code: str,
    *,
    kind: str,
    doing: Message,
    meaning: Meaning | None = None,
) -> ConnectorError:
    """Return the error for a code; an unknown code is Invalid, never a success. `meaning`: of codes
    for this statement.
    """
    if code == NOT_UNDERSTOOD:
        return Invalid(NOT_THIS_PROTOCOL, kind=kind, doing=doing, advice=ANOTHER_PRODUCT)
    if code == WOULD_SHOW:
        advice = message("use_proof_postgresql")
        return Invalid(PASSWORD_WOULD_SHOW, kind=kind, doing=doing, advice=advice)
    if code == TOO_LARGE:
        return Invalid(ANSWER_TOO_LARGE, kind=kind, doing=doing, advice=ANOTHER_PRODUCT)
    kind_of, words = CODES.get(code) or CODES.get(code[:2]) or (Invalid, message("unknown_code"))
    kind_of = (meaning or {}).get(code, kind_of)
    detail = message("error_code", code=code, words=words)
    return kind_of(detail, kind=kind, doing=doing, advice=_advice(kind_of))


def _advice(kind_of: type[ConnectorError]) -> Message:
    return next(text for error, text in ADVICE.items() if issubclass(kind_of, error))
