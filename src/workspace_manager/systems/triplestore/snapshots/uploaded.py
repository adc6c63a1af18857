"""A file of N-Quads that somebody uploaded as the content of a new repository.

Its beginning is read, so that a file of another format is refused before anything is made; the
rest is read when it is loaded. Comments like those of a download are the prefixes again.
"""

import re
from typing import Final

from workspace_manager.contract.message import Message
from workspace_manager.contract.snapshots import (
    UPLOAD_SEEN,
    PartWriter,
    SnapshotWriter,
    UnfitFile,
)
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.snapshots import parts
from workspace_manager.systems.triplestore.snapshots.nquads import (
    LineReader,
    NotQuads,
    read_block,
)

_PREFIX: Final = re.compile(rb"^(# @prefix [^\r\n]*)\r?$", re.MULTILINE)


def open_upload(first: bytes, writer: SnapshotWriter) -> PartWriter:
    """Open what takes the file. Raises UnfitFile."""
    if not first.strip():
        raise UnfitFile(message("file_empty"))
    # The last line goes on behind what is seen, but where the file ends there.
    cut = first.rfind(b"\n") + 1 if len(first) >= UPLOAD_SEEN else len(first)
    try:
        read_block(first[:cut])
    except NotQuads as wrong:
        raise UnfitFile(_say_unfit(wrong)) from None
    return _Quads(writer)


class _Quads:
    """The statements as they come, and the prefixes that comments between them name."""

    def __init__(self, writer: SnapshotWriter) -> None:
        self._writer = writer
        self._part = writer.open_part(parts.STATEMENTS)
        self._lines = LineReader()
        self._prefixes: dict[bytes, None] = {}
        self._bytes = 0

    def write(self, data: bytes) -> None:
        try:
            self._take(self._lines.take(data))
        except NotQuads as wrong:
            raise UnfitFile(_say_unfit(wrong)) from None

    def close(self) -> None:
        self._take(self._lines.end())
        self._part.close()
        part = self._writer.open_part(parts.NAMESPACES)
        if self._prefixes:
            part.write(b"".join(b"%s\n" % line for line in self._prefixes))
        part.close()

    def _take(self, block: bytes) -> None:
        if not block:
            return
        self._part.write(block)
        self._lines.line += block.count(b"\n")
        for line in _PREFIX.findall(block) if b"# @prefix " in block else ():
            if line not in self._prefixes and parts.is_namespace(line):
                self._bytes += len(line) + 1
                if self._bytes > parts.SMALL:
                    raise UnfitFile(message("file_of_prefixes", most=parts.SMALL >> 20))
                self._prefixes[line] = None


def _say_unfit(wrong: NotQuads) -> Message:
    return message("file_no_quads", line=wrong.line)
