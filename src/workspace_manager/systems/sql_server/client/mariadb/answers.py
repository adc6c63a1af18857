"""What each error code means: the one table that turns the server's answers into the five errors (contract, SQL row; facts 5.1).

The server's own message is never passed on: that of a syntax error quotes the statement, and a statement may hold a password.
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
from workspace_manager.systems.sql_server.client.advice import (
    ADVICE,
    ANOTHER_PRODUCT,
    NOT_THIS_PROTOCOL,
)

Meaning: TypeAlias = Mapping[int, type[ConnectorError]]
"""Codes that mean something else for one statement than in general."""

UNAVAILABLE: Final[Mapping[int, str]] = {
    0: "the connection is closed",
    1037: "it is out of memory",
    1040: "it has too many connections",
    1041: "it is out of memory",
    1053: "it is shutting down",
    1080: "the connection was closed",
    1158: "the connection failed",
    1159: "the connection timed out",
    1160: "the connection failed",
    1161: "the connection timed out",
    1203: "our account has too many connections",
    1205: "somebody's open transaction blocks it",
    1213: "it collided with another change",
    1226: "our account used up a limit",
    1290: "it runs with an option that forbids this for now",
    1317: "the statement was interrupted",
    1836: "it is read-only for now",
    1927: "the connection was ended there",
    1969: "the statement took too long",
    2002: "nothing answers there",
    2003: "nothing answers there",
    2005: "the host name is not known",
    2006: "the connection broke",
    2013: "no answer came in time, or the connection broke",
    2055: "the connection broke",
    4166: "it is shutting down",
}
DENIED: Final[Mapping[int, str]] = {
    1044: "our account may not do this on that database",
    1045: "it refuses our user name and password",
    1095: "our account may not end other people's sessions",
    1129: "it blocked this host after failed connections",
    1130: "our account may not sign in from this host",
    1142: "our account may not do this on that table",
    1143: "our account may not see that column",
    1227: "our account lacks a privilege",
    1698: "it refuses our account",
    1820: "our password must be changed first",
    1862: "our password has expired",
    4151: "our account is locked",
}
REFUSED: Final[Mapping[int, tuple[type[ConnectorError], str]]] = {
    1007: (Conflict, "the database exists already"),
    1008: (NotFound, "there is no such database"),
    1049: (NotFound, "there is no such database"),
    1133: (NotFound, "there is no such account"),
    1141: (NotFound, "there is no such grant"),
    1146: (NotFound, "there is no such table"),
    1396: (NotFound, "there is no such account"),
    1470: (Invalid, "the name is too long"),
    1819: (Invalid, "the password does not satisfy its password policy"),
    4164: (Invalid, "the password does not satisfy its password policy"),
}
NOT_UNDERSTOOD: Final = -1
"""Our own code: what came is not this protocol."""


def error_of(
    code: int,
    *,
    kind: str,
    doing: str,
    meaning: Meaning | None = None,
) -> ConnectorError:
    """Turn an error code into one of the five errors; an unknown code is Invalid, never a success.

    `meaning`: what a code means for this statement, as 1396, which every statement about accounts gives for its own reason.
    """
    kind_of, words, advice = _general(code)
    if meaning and code in meaning:
        kind_of = meaning[code]
    detail = f"the SQL server answered error {code}: {words}" if code > 0 else words
    return kind_of(detail, kind=kind, doing=doing, advice=advice)


def _general(code: int) -> tuple[type[ConnectorError], str, str]:
    if code in UNAVAILABLE:
        return Unavailable, UNAVAILABLE[code], ADVICE[Unavailable]
    if code in DENIED:
        return Denied, DENIED[code], ADVICE[Denied]
    if code in REFUSED:
        kind_of, words = REFUSED[code]
        return kind_of, words, ADVICE[NotFound]
    if code == NOT_UNDERSTOOD:
        return Invalid, NOT_THIS_PROTOCOL, ANOTHER_PRODUCT
    words = "it did not understand our statement" if code == 1064 else "a code we do not know"
    return Invalid, words, ADVICE[Invalid]
