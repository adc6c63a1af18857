"""Counting of statements by graph, with a checksum that does not depend on the labels of blank
nodes.

A statement without blank nodes adds its own hash. The hash of another one depends on its nodes, and
a node is defined by all its statements, so nodes that were merged or split change the sum. The
nodes are in an unnamed file of SQLite, because they may need more memory than there is.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Final

from workspace_manager.contract.snapshots import TableFacts
from workspace_manager.systems.triplestore.snapshots.nquads import XSD_STRING, Quad, normal_form

DEFAULT_GRAPH: Final = "default graph"
BLANK_GRAPHS: Final = "graphs without a name"
"""Graphs that are blank nodes are counted together, because no name identifies them."""
_ALL: Final = (1 << 128) - 1
_62: Final = (1 << 62) - 1
"""SQLite adds integers of 63 bits exactly, and turns larger ones into inexact numbers."""
_ENDS: Final = (b'"', b">")
"""Ends of a term without a language tag."""
_AT_ONCE: Final = 10_000
_TABLES: Final = """
    PRAGMA cache_size = -16000;
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE link (graph INTEGER, hash INTEGER, a INTEGER, b INTEGER, c INTEGER);
    CREATE TABLE node (id INTEGER PRIMARY KEY, sum INTEGER);
"""
_ADD: Final = """
    INSERT INTO node VALUES (?, ?)
    ON CONFLICT (id) DO UPDATE SET sum = (sum + excluded.sum) & 0x3fffffffffffffff
"""
_LINKS: Final = """
    SELECT graph, hash, x.sum, y.sum, z.sum FROM link
    LEFT JOIN node x ON x.id = a LEFT JOIN node y ON y.id = b LEFT JOIN node z ON z.id = c
"""
Link = tuple[int, int, int | None, int | None, int | None]


class StatementCount:
    """A counter of statements, a block at a time. It has to be closed."""

    def __init__(self) -> None:
        self._rows: dict[bytes, int] = {}
        self._sums: dict[bytes, int] = {}
        self._numbers: dict[bytes, int] = {}
        self._waiting: list[Link] = []
        self._nodes: sqlite3.Connection | None = None

    def take(self, quads: Iterable[Quad]) -> None:
        """Count statements."""
        rows, sums, blake2b = self._rows, self._sums, hashlib.blake2b
        for quad in quads:
            s, p, o, g = quad
            if s[:1] == b"_" or o[:1] == b"_" or g[:1] == b"_":
                self._link(s, p, o, g)
                continue
            text = b"%b %b %b" % (s, p, o)
            if b"\\" in text or not o.endswith(_ENDS) or o.endswith(XSD_STRING) or b"\\" in g:
                text, g = b" ".join(map(normal_form, (s, p, o))), normal_form(g)
            found = int.from_bytes(blake2b(text, digest_size=16).digest())
            if g in rows:
                rows[g] += 1
                sums[g] += found
            else:
                rows[g], sums[g] = 1, found

    @property
    def rows_by_term(self) -> dict[bytes, int]:
        """Return the number of statements in each graph; graphs that are blank nodes are counted
        together, as `_:`.
        """
        return dict(self._rows)

    def tables(self) -> tuple[TableFacts, ...]:
        """Return the facts of each graph with statements."""
        sums = dict(self._sums)
        for graph, found in self._sum_links():
            sums[graph] += found
        tables = [
            TableFacts(name=_name(graph), rows=count, checksum=f"{sums[graph] & _ALL:032x}")
            for graph, count in self._rows.items()
        ]
        return tuple(sorted(tables, key=lambda one: one.name))

    def close(self) -> None:
        """Close the file of the nodes."""
        if self._nodes:
            self._nodes.close()

    # --- blank nodes ------------------------------------------------------------------------------

    def _link(self, s: bytes, p: bytes, o: bytes, g: bytes) -> None:
        subject, value, name = (_hash(one) if one[:1] == b"_" else None for one in (s, o, g))
        ids = (subject, value, name)
        plain = [b"_" if one[:1] == b"_" else normal_form(one) for one in (s, p, o, g)]
        # A node that occurs twice in a statement differs from two nodes.
        same = bytes(ids.index(one) for one in ids)
        graph = b"_:" if g[:1] == b"_" else normal_form(g)
        self._rows[graph] = self._rows.get(graph, 0) + 1
        self._sums.setdefault(graph, 0)
        number = self._numbers.setdefault(graph, len(self._numbers))
        found = _hash(b" ".join([*plain, same]))
        self._waiting.append((number, found, subject, value, name))
        if len(self._waiting) >= _AT_ONCE:
            self._store()

    def _store(self) -> None:
        if self._nodes is None:
            self._nodes = sqlite3.connect("", isolation_level=None)
            self._nodes.executescript(_TABLES)
        links, self._waiting = self._waiting, []
        self._nodes.execute("BEGIN")
        self._nodes.executemany("INSERT INTO link VALUES (?, ?, ?, ?, ?)", links)
        self._nodes.executemany(
            _ADD,
            (
                (node, _hash(b"%d %d" % (found, place)))
                for _, found, *ids in links
                for place, node in enumerate(ids)
                if node is not None
            ),
        )
        self._nodes.execute("COMMIT")

    def _sum_links(self) -> Iterator[tuple[bytes, int]]:
        if self._waiting:
            self._store()
        if self._nodes is None:
            return
        graphs = list(self._numbers)
        sums = dict.fromkeys(graphs, 0)
        with closing(self._nodes.execute(_LINKS)) as links:
            for number, *of_link in links:
                text = repr(of_link).encode()
                sums[graphs[number]] += int.from_bytes(
                    hashlib.blake2b(text, digest_size=16).digest()
                )
        yield from sums.items()


def _name(graph: bytes) -> str:
    if not graph:
        return DEFAULT_GRAPH
    return BLANK_GRAPHS if graph == b"_:" else graph[1:-1].decode("utf-8", "replace")


def _hash(text: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest()) & _62
