"""Statements as words, and without their values.

Only what MariaDB itself reads with our fixed `sql_mode` is understood: '…' and "…" are values, `…`
is a name, a backslash escapes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from workspace_sandbox.stand_ins.sql_server.refusals import SqlError, syntax

_TOKEN = re.compile(
    r"""
      (?P<space>\s+|/\*(?!!).*?\*/|--\s[^\n]*|\#[^\n]*)
    | (?P<string>'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*")
    | (?P<name>`(?:[^`]|``)*`)
    | (?P<number>\d+(?:\.\d+)?)
    | (?P<word>[A-Za-z_$\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*)
    | (?P<variable>@@[A-Za-z_.]+)
    | (?P<mark>[<>=!]=?|[-+*/%@().,;:|&~^?])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a"}


@dataclass(frozen=True)
class Token:
    """One word of a statement. `kind`: string, name, number, word, variable or mark; `value`:
    unquoted.
    """

    kind: str
    value: str
    text: str


def tokens(statement: str) -> list[Token]:
    """Split it; blanks and comments are left out. Raises SqlError 1064 for what is no word, a
    broken quotation among it.
    """
    return [token for token in _all(statement) if token.kind != "space"]


def without_values(statement: str) -> str:
    """The statement with `?` for every value: what the ledger keeps and faults are matched with. No
    password can be in it.
    """
    try:
        pieces = _all(statement)
    except SqlError:
        return "(not readable)"
    shown = "".join(
        "?" if token.kind in {"string", "number"} else " " if token.kind == "space" else token.text
        for token in pieces
    )
    return re.sub(r"\s+", " ", shown).strip()


def _all(statement: str) -> list[Token]:
    found = []
    at = 0
    while at < len(statement):
        match = _TOKEN.match(statement, at)
        if match is None:
            raise syntax()
        kind = str(match.lastgroup)
        found.append(Token(kind, _value(kind, match[0]), match[0]))
        at = match.end()
    return found


def _value(kind: str, text: str) -> str:
    if kind == "name":
        return text[1:-1].replace("``", "`")
    if kind != "string":
        return text
    quote = text[0]
    return re.sub(
        r"\\(.)|" + quote * 2,
        lambda m: _ESCAPES.get(m[1], _kept(m[1])) if m[1] else quote,
        text[1:-1],
        flags=re.DOTALL,
    )


def _kept(letter: str) -> str:
    return f"\\{letter}" if letter in "%_" else letter


T = TypeVar("T")


class Reader:
    """Read a statement word by word; every method raises SqlError 1064 where the statement goes on
    differently.
    """

    def __init__(self, words: list[Token]) -> None:
        self.words = words
        self.at = 0

    def comes(self, *words: str) -> bool:
        """Return whether these words come next; they are read if so."""
        ahead = self.words[self.at : self.at + len(words)]
        if len(ahead) < len(words) or any(
            token.kind in {"string", "name"} or token.text.upper() != word
            for token, word in zip(ahead, words, strict=True)
        ):
            return False
        self.at += len(words)
        return True

    def must(self, *words: str) -> None:
        if not self.comes(*words):
            raise syntax(self.rest())

    def one_of(self, *kinds: str) -> Token:
        if self.at >= len(self.words) or self.words[self.at].kind not in kinds:
            raise syntax(self.rest())
        self.at += 1
        return self.words[self.at - 1]

    def string(self) -> str:
        return self.one_of("string").value

    def name(self) -> str:
        return self.one_of("name", "word").value

    def account(self) -> tuple[str, str]:
        """`'name'@'host'`; without host it is any host."""
        user = self.one_of("string", "name", "word").value
        host = "%"
        if self.comes("@"):
            host = self.one_of("string", "name", "word").value
        return user, host.lower()

    def listed(self, read: Callable[[], T]) -> list[T]:
        """One or more, with commas between."""
        found = [read()]
        while self.comes(","):
            found.append(read())
        return found

    def end(self) -> None:
        """Nothing more may come but one semicolon: two statements in one are not taken."""
        self.comes(";")
        if self.at < len(self.words):
            raise syntax(self.rest())

    def rest(self) -> str:
        """Return what comes next, for the message of a syntax error: kinds of words only, never
        a value.
        """
        return self.words[self.at].kind if self.at < len(self.words) else ""
