"""Reading of a whole repository, with proof that it is complete.

A small repository is exported by one call, as of one moment, and compared with the store's counts
by graph. A larger one is read graph by graph. See docs/systems/triplestore.md#snapshots.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TypeAlias

from workspace_manager.contract import progress
from workspace_manager.contract.errors import Conflict, Invalid
from workspace_manager.contract.message import Message
from workspace_manager.contract.snapshots import SnapshotFacts, TableFacts
from workspace_manager.systems.triplestore.client.calls import TriplestoreClient
from workspace_manager.systems.triplestore.client.content import (
    END,
    KIND,
    ContentCalls,
    CutOff,
    Namespace,
)
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.snapshots.nquads import (
    LONGEST,
    NotQuads,
    Quad,
    read_quads,
)
from workspace_manager.systems.triplestore.snapshots.parts import can_be_written
from workspace_manager.systems.triplestore.snapshots.statement_count import StatementCount

WHOLE: Final = 200_000
"""The most statements requested from OpenGDB at once: RDF4J holds an export in memory, twice."""
TRIES: Final = 3
NAMESPACES: Final = "namespaces"
"""The name under which prefixes are counted."""
MARK: Final = "workspace-manager"
"""A prefix of ours, which is never content: a repository that has it is being written."""
Begin: TypeAlias = Callable[[], Callable[[bytes], object]]
"""Called for each attempt; returns what takes the bytes, without those of an earlier attempt."""


class _Short(Exception):
    """An answer ended too early."""


@dataclass(frozen=True)
class _Counted:
    """Counts of the store. `total`: None if it does not answer in time."""

    total: int | None
    graphs: dict[bytes, int] | None = None


class ContentReader:
    """A reader of one repository."""

    def __init__(self, client: TriplestoreClient, repository: str) -> None:
        self.calls = ContentCalls(client)
        self._client = client
        self._repository = repository

    def read(self, begin: Begin, doing: Message) -> SnapshotFacts:
        """Give all bytes to the result of `begin`. Raises Conflict while others write, and Invalid
        for content that could not be restored.
        """
        counted = self._count()
        for _ in range(TRIES):
            with closing(StatementCount()) as count:
                by_graph = self._is_large(counted)
                try:
                    by_graph = self._read_somehow(begin, count, by_graph=by_graph)
                except _Short:
                    continue
                except NotQuads as wrong:
                    if wrong.reason == "end":
                        continue
                    raise self._unfit(wrong, doing) from None
                before, counted = counted, self._count()
                if _agrees(count, before) or _agrees(count, counted):
                    return self._facts(count, by_graph=by_graph)
        raise self._differs(doing)

    def namespaces(self) -> list[Namespace]:
        """Return the prefixes of the content."""
        found = self.calls.namespaces(self._repository)
        return [one for one in found if one.prefix != MARK]

    # --- parts ------------------------------------------------------------------------------------

    def _read_somehow(self, begin: Begin, count: StatementCount, *, by_graph: bool) -> bool:
        """Read everything, and return whether it was read graph by graph in the end."""
        if not by_graph:
            try:
                self._read(begin(), count, by_graph=False)
            except CutOff:
                if not self._is_up():
                    raise
            else:
                return False
        try:
            self._read(begin(), count, by_graph=True)
        except CutOff:
            if not self._is_up():
                raise
            raise Invalid(
                message("export_cut"),
                kind=KIND,
                doing=message("capturing"),
                advice=message("export_cut_advice"),
            ) from None
        return True

    def _read(
        self, write: Callable[[bytes], object], count: StatementCount, *, by_graph: bool
    ) -> None:
        if not by_graph:
            self._export(None, write, count)
            return
        graphs = self.calls.graphs(self._repository)
        for graph in [b"", *graphs]:
            if self.calls.can_be_asked(graph):
                self._read_graph(graph, write, count)
            else:
                self._export(graph, write, count)
        if self.calls.graphs(self._repository) != graphs:
            raise _Short

    def _export(
        self, graph: bytes | None, write: Callable[[bytes], object], count: StatementCount
    ) -> None:
        with self.calls.export(self._repository, graph) as pieces:
            for quads in read_quads(_passed(pieces, write)):
                count.take(quads)

    def _read_graph(
        self, graph: bytes, write: Callable[[bytes], object], count: StatementCount
    ) -> None:
        ended = False
        suffix = b" %b .\n" % graph if graph else b" .\n"
        with self.calls.read_graph(self._repository, graph) as pieces:
            for quads in read_quads(pieces):
                if ended and quads:
                    raise _Short
                ended = bool(quads) and quads[-1][:3] == END
                if ended:
                    quads.pop()
                if quads:
                    count.take(Quad(s, p, o, graph) for s, p, o, _ in quads)
                    write(b"".join(b"%b %b %b%b" % (s, p, o, suffix) for s, p, o, _ in quads))
        if not ended:
            raise _Short

    def _is_large(self, counted: _Counted) -> bool:
        return self.calls.cuts and (counted.total is None or counted.total > WHOLE)

    def _is_up(self) -> bool:
        """Return whether the store answers at all. Raises an error if it does not."""
        return self._repository in self._client.stored_ids()

    def _count(self) -> _Counted:
        """Return the counts; OpenGDB does not wait for those of a large repository."""
        total = None
        try:
            total = self.calls.size(self._repository)
            if not self._is_large(_Counted(total)):
                return _Counted(total, self.calls.count_by_graph(self._repository))
        except CutOff:
            if not self._is_up():
                raise
        return _Counted(total)

    def _facts(self, count: StatementCount, *, by_graph: bool) -> SnapshotFacts:
        tables = list(count.tables())
        namespaces = self.namespaces()
        if namespaces:
            text = repr([(one.prefix, one.name) for one in namespaces]).encode()
            checksum = hashlib.blake2b(text, digest_size=16).hexdigest()
            tables.append(TableFacts(name=NAMESPACES, rows=len(namespaces), checksum=checksum))
        notes = (message("read_by_graph"),) if by_graph else ()
        return SnapshotFacts(tables=tuple(tables), consistent=not by_graph, notes=notes)

    def refuse_prefixes(self, doing: Message) -> list[Namespace]:
        """Return the prefixes. Raises Invalid for one that no file can contain."""
        found = self.namespaces()
        for one in found:
            if not can_be_written(one):
                raise Invalid(message("prefix_unfit", prefix=one.prefix), kind=KIND, doing=doing)
        return found

    def _unfit(self, wrong: NotQuads, doing: Message) -> Invalid:
        if wrong.reason == "length":
            said = message("statement_too_long", line=wrong.line, most=LONGEST >> 20)
        else:
            said = message("statement_unfit", line=wrong.line)
        return Invalid(said, kind=KIND, doing=doing, advice=message("statement_unfit_advice"))

    def _differs(self, doing: Message) -> Conflict:
        return Conflict(
            message("count_differs", repository_id=self._repository, tries=TRIES),
            kind=KIND,
            doing=doing,
            advice=message("count_differs_advice"),
        )


def _agrees(count: StatementCount, counted: _Counted) -> bool:
    rows = count.rows_by_term
    if counted.total is not None and counted.total != sum(rows.values()):
        return False
    named = {graph: number for graph, number in rows.items() if graph}
    return counted.graphs is None or counted.graphs == named


def _passed(pieces: Iterator[bytes], write: Callable[[bytes], object]) -> Iterator[bytes]:
    for piece in pieces:
        write(piece)
        yield piece


def _report(_data: bytes) -> None:
    progress.report(0)


def ignore() -> Callable[[bytes], object]:
    """Return a sink that drops all bytes and reports progress."""
    return _report
