"""A volume as a tar archive: forwarded and counted while it arrives, and wrapped so that the engine
takes it.

Everything that a restore has to bring back is counted: names, kinds, owners, modes, sizes, links,
extended attributes and content. The file system decides where the holes of a file lie, so content
is hashed by blocks, and a block of zeros counts as a hole.
"""

import hashlib
import tarfile
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, cast

from workspace_manager.contract.snapshots import TableFacts

PIECE: Final = 1024 * 1024
BLOCK: Final = 64 * 1024
"""Bytes of a hashed block, counted from the beginning of the file."""
END: Final = 2 * tarfile.BLOCKSIZE
"""The least number of zero bytes at the end of an archive."""
ATTRIBUTES: Final = ("SCHILY.xattr.user.", "SCHILY.acl.")
"""Attributes of a file besides those that every tar knows. The others belong to one machine
(`security.selinux`) or to its kernel.
"""
KINDS: Final = {tarfile.AREGTYPE: tarfile.REGTYPE, tarfile.GNUTYPE_SPARSE: tarfile.REGTYPE}


class ArchiveCut(Exception):
    """The archive ends too early."""


class PassedOn:
    """A readable stream that forwards its bytes; it has what tarfile needs of a file."""

    def __init__(self, pieces: Iterator[bytes], take: Callable[[bytes], object]) -> None:
        self._pieces, self._take = pieces, take
        self._rest = b""
        self.count = 0
        self.last = 0
        """Position after the last byte that is not zero."""

    def read(self, size: int) -> bytes:
        """Return at most this many bytes; none at the end."""
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
    """Forward an archive and return the facts of its content. Raises ArchiveCut after everything is
    forwarded.
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
                # tarfile remembers each member: a gigabyte for a volume with a million files.
                cast(Any, archive).members = []
            end = archive.offset
        while source.read(PIECE):
            pass
    except (tarfile.TarError, EOFError, UnicodeError, OverflowError) as broken:
        raise ArchiveCut from broken
    # tarfile treats unreadable data as the end; only zeros may follow the end.
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
    """Hash the content of a file: each block that is not all zeros, with its number."""
    # Seek to the data in the stream; a reader that fills the holes would read them for hours.
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
    """Return an archive with one file, and its size. An engine unpacks every archive, and loses
    owners and holes of its members; an archive in an archive loses nothing.
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
