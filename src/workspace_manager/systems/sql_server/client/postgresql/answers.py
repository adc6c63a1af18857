"""What each SQLSTATE means: the one table that turns the server's answers into the five errors (contract, SQL row; facts 5.6).

The server's own message is never passed on: that of a syntax error quotes the statement. A refused sign-in carries no code through the
client library, so its words are read, and not shown either.
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
from workspace_manager.systems.sql_server.client.advice import (
    ADVICE,
    ANOTHER_PRODUCT,
    NOT_THIS_PROTOCOL,
)

Meaning: TypeAlias = Mapping[str, type[ConnectorError]]
"""Codes that mean something else for one statement than in general."""

CLOSED: Final = "08006"
REFUSED: Final = "28P01"
LOCKED: Final = "28000 (locked)"
NOT_FROM_HERE: Final = "28000 (pg_hba.conf)"
NO_SUCH_DATABASE: Final = "3D000"
NOT_IN_THAT_DATABASE: Final = "42501"
NOT_UNDERSTOOD: Final = "not understood"
"""Our own code: what came is not this protocol."""

CODES: Final[Mapping[str, tuple[type[ConnectorError], str]]] = {
    "08": (Unavailable, "nothing answers there, or the connection broke"),
    "25006": (Unavailable, "it is read-only for now"),
    "40": (Unavailable, "it collided with another change"),
    "53": (Unavailable, "it has too many connections, or is out of memory or disk"),
    "55006": (Unavailable, "somebody is using it"),
    "55000": (Unavailable, "it is not ready for this"),
    "55P03": (Unavailable, "somebody's open transaction blocks it"),
    "57014": (Unavailable, "the statement took too long"),
    "57": (Unavailable, "it is starting or shutting down, or ended the connection"),
    "58": (Unavailable, "it has trouble with its own files"),
    REFUSED: (Denied, "it refuses our user name and password"),
    LOCKED: (Denied, "our account is locked (NOLOGIN)"),
    NOT_FROM_HERE: (Denied, "its pg_hba.conf lets our account in from elsewhere only"),
    "28": (Denied, "it refuses our account"),
    NOT_IN_THAT_DATABASE: (Denied, "our account may not do this"),
    NO_SUCH_DATABASE: (NotFound, "there is no such database"),
    "42704": (NotFound, "there is no such account"),
    "42P04": (Conflict, "the database exists already"),
    "42710": (Conflict, "an account of that name exists already"),
    "2BP01": (Conflict, "something still belongs to it"),
    "42939": (Invalid, "the name is reserved"),
    "42622": (Invalid, "the name is too long"),
    "42601": (Invalid, "it did not understand our statement"),
    "22023": (Invalid, "a value is not possible on this server"),
}
"""By the whole code, or by its class: the first two characters."""

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
    r"invalid response|unexpected (response|message|asynchronous)|expected authentication|lost synchronization|message (length|contents)"
)


def said(text: str, *, password_asked: bool) -> str:
    """Read what a refused connection was told. `password_asked`: the server wanted a password, got it, and then refused.

    Servers speak English unless lc_messages says otherwise, which the check warns of: then a refusal after the password is taken for
    one of the password.
    """
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
    doing: str,
    meaning: Meaning | None = None,
) -> ConnectorError:
    """Turn a code into one of the five errors; an unknown code is Invalid, never a success. `meaning`: as for this statement."""
    if code == NOT_UNDERSTOOD:
        return Invalid(NOT_THIS_PROTOCOL, kind=kind, doing=doing, advice=ANOTHER_PRODUCT)
    kind_of, words = CODES.get(code) or CODES.get(code[:2]) or (Invalid, "a code we do not know")
    kind_of = (meaning or {}).get(code, kind_of)
    detail = f"the SQL server answered error {code}: {words}"
    return kind_of(detail, kind=kind, doing=doing, advice=_advice(kind_of))


def _advice(kind_of: type[ConnectorError]) -> str:
    return next(text for error, text in ADVICE.items() if issubclass(kind_of, error))
