"""Loading of N-Quads into a new repository.

They are sent in blocks of whole statements, because OpenGDB accepts bodies of 100 MB and waits five
seconds. A blank node keeps its label, so it is one node in all blocks, and a repeated block changes
nothing.
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
"""Bytes of a block: some thousand statements."""
SMALLEST: Final = 64 * 1024
"""Bytes of the smallest block, which is not halved any more."""
LOADING: Final = Namespace(MARK, "urn:workspace-manager:loading")
"""The mark of a repository that is being loaded, by which a half-loaded one differs from somebody's
own.
"""


class ContentLoad:
    """Loading of one repository."""

    def __init__(self, client: TriplestoreClient, repository: str) -> None:
        self._calls = ContentCalls(client)
        self._content = ContentReader(client, repository)
        self._repository = repository
        self._line = 0

    def run(self, reader: SnapshotReader, doing: Message) -> None:
        """Load the content; a failure leaves no statement. Raises Conflict if there is content that
        no attempt of ours began.
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
            # The mark stays: what was sent before may still arrive late, and the mark lets it be
            # removed.
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
                self._load_namespaces(reader)
                # Somebody's own file has no configuration, and may repeat a statement.
                ours = parts.CONFIGURATION in reader.sizes()
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
        """Send a block, halving it if OpenGDB does not wait for it. A half that was added already
        changes nothing.
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

    def _load_namespaces(self, reader: SnapshotReader) -> None:
        """Load the prefixes, if there is a part with them."""
        try:
            namespaces = list(parts.read_namespaces(reader.read_part(parts.NAMESPACES)))
        except KeyError:
            return
        if namespaces:
            # The empty prefix has no address of its own.
            turtle = parts.write_turtle(namespaces)
            self._calls.add(self._repository, turtle, media=TURTLE)


def _is_all(wanted: Iterable[TableFacts], found: Iterable[TableFacts], *, ours: bool) -> bool:
    """Return whether everything loaded is present. Somebody's own file may repeat a statement, and
    has no counts to compare.
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
    """Raise NotFound for a missing repository."""
    for name in set(names) - set(there):
        raise NotFound(message("no_repository_named", repository_id=name), kind=KIND, doing=doing)
