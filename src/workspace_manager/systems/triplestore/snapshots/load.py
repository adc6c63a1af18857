"""Loads N-Quads into a repository that was made afresh.

In blocks of whole statements, since OpenGDB takes bodies of 100 MB and waits five seconds. A blank
node keeps its label, so it is one node in all blocks, and a block that is sent twice is there once.
"""

from collections.abc import Iterable
from contextlib import closing
from typing import Final

from workspace_manager.contract import progress
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.snapshots import SnapshotReader, TableFacts
from workspace_manager.systems.triplestore.client.calls import TriplestoreClient
from workspace_manager.systems.triplestore.client.content import (
    KIND,
    TURTLE,
    ContentCalls,
    CutOff,
    Namespace,
)
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.snapshots import parts
from workspace_manager.systems.triplestore.snapshots.content_reader import (
    MARK,
    NAMESPACES,
    ContentReader,
    ignore,
)
from workspace_manager.systems.triplestore.snapshots.nquads import (
    NotQuads,
    cut_blocks,
    read_block,
)
from workspace_manager.systems.triplestore.snapshots.statement_count import StatementCount

BLOCK: Final = 1024 * 1024
"""Bytes that are sent at once: some thousand statements."""
SMALLEST: Final = 64 * 1024
"""Bytes of a block that is not halved any more."""
LOADING: Final = Namespace(MARK, "urn:workspace-manager:loading")
"""Stands in a repository while it is loaded: so a half loaded one is told from somebody's."""


class ContentLoad:
    """Loads one repository."""

    def __init__(self, client: TriplestoreClient, repository: str) -> None:
        self._calls = ContentCalls(client)
        self._content = ContentReader(client, repository)
        self._repository = repository
        self._line = 0

    def run(self, reader: SnapshotReader, doing: Message) -> None:
        """Load it; what fails leaves no statement. Raises Conflict where something is in there
        that no run of ours began.
        """
        begun = LOADING in self._calls.namespaces(self._repository)
        if self._calls.size(self._repository):
            if not begun:
                raise Conflict(
                    message("not_empty", repository_id=self._repository),
                    kind=KIND,
                    doing=doing,
                    advice=message("restore_into_fresh"),
                )
            self._calls.clear(self._repository)
        self._calls.set_namespace(self._repository, LOADING)
        try:
            self._load(reader, doing)
        except BaseException:
            # The mark stays: what was sent before may still come late, and is cleared by it.
            self._calls.clear(self._repository)
            raise
        self._calls.remove_namespace(self._repository, MARK)

    # --- parts ------------------------------------------------------------------------------------

    def _load(self, reader: SnapshotReader, doing: Message) -> None:
        with closing(StatementCount()) as count:
            try:
                for block in cut_blocks(reader.read_part(parts.STATEMENTS), BLOCK):
                    count.take(read_block(block, self._line))
                    self._send(block)
                    self._line += block.count(b"\n")
                ours = self._load_namespaces(reader)
            except (NotQuads, parts.Unreadable) as wrong:
                raise _unreadable(wrong, doing) from None
            wanted = count.tables()
        found = self._content.read(ignore, doing).tables
        if not _is_all(wanted, [one for one in found if one.name != NAMESPACES], ours=ours):
            raise Conflict(
                message("loaded_differs", repository_id=self._repository),
                kind=KIND,
                doing=doing,
                advice=message("loaded_differs_advice"),
            )

    def _send(self, block: bytes) -> None:
        """Halve what OpenGDB does not wait for. It may have been added, and is once all the
        same.
        """
        progress.report(0)
        try:
            self._calls.add(self._repository, block)
        except CutOff:
            middle = block.rfind(b"\n", 0, len(block) // 2) + 1
            if len(block) <= SMALLEST or not middle:
                raise
            self._send(block[:middle])
            self._send(block[middle:])

    def _load_namespaces(self, reader: SnapshotReader) -> bool:
        """Load the prefixes; gives whether there is a part of them, as snapshots of ours have."""
        try:
            namespaces = list(parts.read_namespaces(reader.read_part(parts.NAMESPACES)))
        except KeyError:
            return False
        if namespaces:
            # The empty prefix has no address of its own.
            turtle = parts.write_turtle(namespaces)
            self._calls.add(self._repository, turtle, media=TURTLE)
        return True


def _is_all(wanted: Iterable[TableFacts], found: Iterable[TableFacts], *, ours: bool) -> bool:
    """Whether what was loaded is there. A file of somebody's own may say a statement twice, and has
    no figures to compare with.
    """
    if ours:
        return list(wanted) == list(found)
    have = {one.name: one.rows for one in found}
    want = {one.name: one.rows for one in wanted}
    return have.keys() == want.keys() and all(have[name] <= want[name] for name in want)


def _unreadable(wrong: NotQuads | parts.Unreadable, doing: Message) -> Invalid:
    if isinstance(wrong, NotQuads):
        said = message("file_unfit", line=wrong.line)
        return Invalid(said, kind=KIND, doing=doing, advice=message("look_at_file"))
    said = message("part_unreadable", part=wrong.part)
    return Invalid(said, kind=KIND, doing=doing, advice=message("snapshot_is_spoiled"))


def require_repositories(there: Iterable[str], names: Iterable[str], doing: Message) -> None:
    """Raise NotFound for a repository that is not there."""
    for name in set(names) - set(there):
        raise NotFound(message("no_repository_named", repository_id=name), kind=KIND, doing=doing)
