"""A volume as a tar archive: passed on and counted while it comes, and wrapped so that the engine
takes it.

What is counted is what has to come back: names, kinds, owners, modes, sizes, links, extended
attributes and content. Where the holes of a file lie is the file system's business; so content is
summed by blocks, and a block of zeros counts as a hole.
"""

import hashlib
import tarfile
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, cast

from workspace_manager.contract.snapshots import TableFacts

PIECE: Final = 1024 * 1024
BLOCK: Final = 64 * 1024
"""Content is summed by blocks of this size, counted from the beginning of the file."""
END: Final = 2 * tarfile.BLOCKSIZE
"""Bytes of zeros at least at the end of an archive."""
ATTRIBUTES: Final = ("SCHILY.xattr.user.", "SCHILY.acl.")
"""Of a file, beside those that every tar knows. The others are of one machine (`security.selinux`)
or of its kernel.
"""
KINDS: Final = {tarfile.AREGTYPE: tarfile.REGTYPE, tarfile.GNUTYPE_SPARSE: tarfile.REGTYPE}


class ArchiveCut(Exception):
    """It ends before its end."""


class PassedOn:
    """Bytes that are passed on as they are read; what tarfile needs of a file."""

    def __init__(self, pieces: Iterator[bytes], take: Callable[[bytes], object]) -> None:
        self._pieces, self._take = pieces, take
        self._rest = b""
        self.count = 0
        self.last = 0
        """Behind the last byte that is not zero."""

    def read(self, size: int) -> bytes:
        """Give at most so many; none at the end."""
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._take(piece)
            if content := piece.rstrip(b"\0"):
                self.last = self.count + len(content)
            self.count += len(piece)
            self._rest = piece
        found, self._rest = self._rest[:size], self._rest[size:]
        return found


def pass_on(pieces: Iterator[bytes], take: Callable[[bytes], object], *, name: str) -> TableFacts:
    """Pass an archive on, and count what is in it. Raises ArchiveCut, when all of it is passed
    on.
    """
    source = PassedOn(pieces, take)
    total, rows = hashlib.sha256(), 0
    try:
        with tarfile.open(
            fileobj=cast("IO[bytes]", source), mode="r|", bufsize=PIECE, errorlevel=2
        ) as archive:
            for member in archive:
                _sum_member(total, archive, member)
                rows += 1
                # It remembers each: of a volume with a million files that is a gigabyte.
                cast(Any, archive).members = []
            end = archive.offset
        while source.read(PIECE):
            pass
    except (tarfile.TarError, EOFError, UnicodeError, OverflowError) as broken:
        raise ArchiveCut from broken
    # What tarfile cannot read it takes for the end: behind the end there is nothing but zeros.
    if source.count - end < END or source.last > end:
        raise ArchiveCut
    return TableFacts(name=name, rows=rows, checksum=total.hexdigest())


def _sum_member(total: Any, archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
    kind = KINDS.get(member.type, member.type)
    headers = sorted(
        (key, value) for key, value in member.pax_headers.items() if key.startswith(ATTRIBUTES)
    )
    device = (member.devmajor, member.devminor) if member.isdev() else ()
    about = (
        *(member.name, kind, member.mode, member.uid, member.gid),
        *(member.linkname, device, headers, member.size if member.isreg() else 0),
    )
    total.update(repr(about).encode("utf-8", "surrogateescape"))
    if member.isreg():
        _sum_content(total, archive, member)


def _sum_content(total: Any, archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
    """What is in a file: each block that is not all zeros, with its number."""
    # Where the data lies in the stream; a reader that fills the holes would read them for hours.
    stream = cast(Any, archive.fileobj)
    stream.seek(member.offset_data)
    block, number = bytearray(), 0

    def close() -> None:
        if block.strip(b"\0"):
            total.update(number.to_bytes(8, "big"))
            total.update(block.rstrip(b"\0"))
        block.clear()

    for offset, size in cast(Any, member).sparse or [(0, member.size)]:
        at, left = offset, size
        while left:
            if at // BLOCK != number:
                close()
                number = at // BLOCK
            block += bytes(at % BLOCK - len(block))
            piece = stream.read(min(left, BLOCK - at % BLOCK))
            if not piece:
                raise ArchiveCut
            block += piece
            at, left = at + len(piece), left - len(piece)
    close()


def wrap(pieces: Iterator[bytes], size: int, *, name: str) -> tuple[Iterator[bytes], int]:
    """An archive with one file, and its size: an engine unpacks whatever it is given, and loses
    owners and holes of what it unpacks; of an archive in an archive it loses nothing.
    """
    about = tarfile.TarInfo(name)
    about.size, about.mode = size, 0o600
    header = about.tobuf(format=tarfile.GNU_FORMAT)
    after = bytes(-size % tarfile.BLOCKSIZE + END)

    def all_of_it() -> Iterator[bytes]:
        yield header
        yield from pieces
        yield after

    return all_of_it(), len(header) + size + len(after)
