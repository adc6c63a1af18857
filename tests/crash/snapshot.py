"""The state that a kill leaves: the database as it was committed, the systems as they are, and the
time. Nothing else.

Two points whose snapshots are the same have the same future, so only one of them needs a run; all
are counted.
"""

import functools
import hashlib
import re
import sqlite3
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

UUID = re.compile(r"\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b")
SHORT = re.compile(r"(?<=[_-])[0-9a-f]{10}(?![0-9a-zA-Z])")
"""The part of a made-up name that comes from a row's id."""
CAPTURED = re.compile(r'(?<="captured":\{)[^{}]*')
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
SECRET = re.compile(r"(?:[A-Za-z]{2}[-_.2-9]){13}[A-Za-z]")
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?")
PORT = re.compile(r"\b2000[01]\b")
"""Of the two that a scenario's stacks may reserve: which one gets which, is chance."""
LEFT_OUT = {"lease_number", "lease_owner", "lease_until", "claim", "attempts", "seal"}
"""Counters that a kill may raise, and that only say how often something was begun; and in which
seal an entry of the audit stands, which only says when entries were sealed.
"""
NOT_OURS = {
    *("django_migrations", "django_content_type", "auth_permission", "sqlite_sequence"),
    *("records_standing", "records_auditseal", "records_noticedigest"),
}
"""What was said of people elsewhere is asked for again whenever it is needed, and entries of the
audit are sealed, and the morning of a letter is noted, when somebody comes by: nothing follows from
when that was.
"""


@dataclass(frozen=True)
class Snapshot:
    """`key`: equal for states that have the same future. `hours`: what the clock said. Only the
    first of its key holds more.
    """

    key: str
    database: bytes = field(default=b"", repr=False)
    fakes: Any = field(default=None, repr=False)
    hours: float = 0

    @property
    def kept(self) -> bool:
        return bool(self.database)


def raw() -> sqlite3.Connection:
    connection.ensure_connection()
    found = connection.connection
    assert isinstance(found, sqlite3.Connection)
    return found


def keep_database() -> bytes:
    """The whole database as it is committed. Only outside a transaction."""
    assert not raw().in_transaction
    return raw().serialize()


def put_back_database(kept: bytes) -> None:
    """Make the database what it was, and Django's connection one that has begun nothing."""
    raw().rollback()
    connection.in_atomic_block = connection.needs_rollback = False
    connection.savepoint_ids, connection.atomic_blocks, connection.run_on_commit = [], [], []
    connection.commit_on_exit = True
    raw().isolation_level = None
    connection.autocommit = True
    before = sqlite3.connect(":memory:")
    before.deserialize(kept)
    before.backup(raw())
    before.close()


def dump(known: frozenset[str] = frozenset()) -> list[str]:
    """Every row of every table in words: without times and counters, with made-up ids as "made up"
    unless they are `known`.
    """
    cursor = raw().cursor()
    tables = [
        name
        for (name,) in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if name not in NOT_OURS
    ]
    rows: list[str] = []
    for table in tables:
        found = cursor.execute(f"SELECT * FROM {table}")
        names = tuple(column[0] for column in found.description)
        rows += [_words(table, names, row, known) for row in found]
    return sorted(rows)


@functools.lru_cache(maxsize=10_000)  # most rows are as they were at the point before
def _words(table: str, names: tuple[str, ...], row: tuple[Any, ...], known: frozenset[str]) -> str:
    shown = [
        f"{name}={_value(value)}"
        for name, value in zip(names, row, strict=True)
        if name not in LEFT_OUT and not (name == "id" and isinstance(value, int))
    ]
    return plain(f"{table} {' '.join(shown)}", known)


def _value(value: object) -> str:
    return "a secret" if isinstance(value, bytes) else str(value)


def plain(text: str, known: frozenset[str] = frozenset()) -> str:
    """Take out what differs from one run to the next."""
    for made_up in (UUID, DIGEST):
        text = made_up.sub(lambda found: found[0] if found[0] in known else "made-up", text)
    for pattern, word in (
        (SHORT, "made-up"), (SECRET, "a secret"), (TIME, "some time"), (PORT, "a port"),
    ):  # fmt: skip
        text = pattern.sub(word, text)
    # By ids, so in another order each time.
    return CAPTURED.sub(lambda found: ",".join(sorted(found[0].split(","))), text)


def ids_in(rows: list[str]) -> frozenset[str]:
    """Every id and digest that a dump names."""
    return frozenset(
        found for row in rows for kind in (UUID, DIGEST) for found in kind.findall(row)
    )


def key_of(rows: list[str], fakes: list[str]) -> str:
    """The same for states with the same future."""
    return hashlib.sha256("\n".join([*rows, *fakes]).encode()).hexdigest()
