"""Counts statements by graph, with a sum that is the same whatever blank nodes are called.

A statement without blank nodes adds its own hash. Of the others the hash depends on the nodes in
it, and what a node is follows from all statements that it is in: so nodes that became one, and a
node that became two, change the sum. The nodes lie in a file of SQLite's without a name, since they
may be more than memory holds.
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
"""Graphs that are blank nodes, all together: none of them can be told by a name."""
_ALL: Final = (1 << 128) - 1
_62: Final = (1 << 62) - 1
"""SQLite adds integers of 63 bits exactly, and makes others inexact."""
_ENDS: Final = (b'"', b">")
"""Of a term without a language tag."""
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
    """Takes statements, a block at a time. To be closed."""

    def __init__(self) -> None:
        self._rows: dict[bytes, int] = {}
        self._sums: dict[bytes, int] = {}
        self._numbers: dict[bytes, int] = {}
        self._waiting: list[Link] = []
        self._nodes: sqlite3.Connection | None = None

    def take(self, quads: Iterable[Quad]) -> None:
        """Count them."""
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
        """How many statements each graph has; all that are blank nodes together, as `_:`."""
        return dict(self._rows)

    def tables(self) -> tuple[TableFacts, ...]:
        """Give the figures of each graph that has statements."""
        sums = dict(self._sums)
        for graph, found in self._sum_links():
            sums[graph] += found
        tables = [
            TableFacts(name=_name(graph), rows=count, checksum=f"{sums[graph] & _ALL:032x}")
            for graph, count in self._rows.items()
        ]
        return tuple(sorted(tables, key=lambda one: one.name))

    def close(self) -> None:
        """Let the file of the nodes go."""
        if self._nodes:
            self._nodes.close()

    # --- blank nodes ------------------------------------------------------------------------------

    def _link(self, s: bytes, p: bytes, o: bytes, g: bytes) -> None:
        subject, value, name = (_hash(one) if one[:1] == b"_" else None for one in (s, o, g))
        ids = (subject, value, name)
        plain = [b"_" if one[:1] == b"_" else normal_form(one) for one in (s, p, o, g)]
        # Of a node that is in it twice the places are told apart from two nodes.
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
