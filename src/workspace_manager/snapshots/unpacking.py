"""A file that somebody uploaded, unpacked while it arrives: plain, or compressed with gzip or zstd.

A few bytes may stand for gigabytes. So what is unpacked has a bound of its own, and is never held
in memory as a whole.
"""

import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

import zstandard

from workspace_manager.core.refusal import BadInput
from workspace_manager.snapshots.messages import message

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
PIECE: Final = 1024 * 1024
ZSTD_PIECE: Final = 512
"""Bytes that become at most 16 MiB: a block of four bytes may stand for 128 KiB."""
ZSTD_WINDOW: Final = 32 * 1024 * 1024
"""What a stream may make us remember; `zstd` needs more only with `--ultra -21` or `--long`."""


def unpack(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what is in the file. Raises BadInput for one that is cut or spoiled."""
    pieces = (piece for piece in pieces if piece)
    first = read_beginning(pieces, len(ZSTD))
    pieces = chain([first], pieces)
    if first.startswith(GZIP):
        return _gunzip(pieces)
    return _unzstd(pieces) if first.startswith(ZSTD) else pieces


def read_beginning(pieces: Iterator[bytes], count: int) -> bytes:
    """Read pieces until there are so many bytes, or until the end."""
    first = b""
    for piece in pieces:
        first += piece
        if len(first) >= count:
            break
    return first


def _gunzip(pieces: Iterable[bytes]) -> Iterator[bytes]:
    stream = None
    for piece in pieces:
        rest = piece
        while rest:
            # A file may consist of several streams, one after the other.
            stream = stream or zlib.decompressobj(wbits=31)
            try:
                yield stream.decompress(rest, PIECE)
            except zlib.error:
                raise _spoiled() from None
            rest = stream.unconsumed_tail or stream.unused_data
            stream = None if stream.eof else stream
    if stream is not None:
        yield from _end_of_gzip(stream)


def _end_of_gzip(stream: "zlib._Decompress") -> Iterator[bytes]:
    """Yield the rest of a stream whose input has ended. Raises BadInput for a cut one."""
    while more := stream.decompress(b"", PIECE):
        yield more
    if not stream.eof:
        raise _spoiled()


def _unzstd(pieces: Iterable[bytes]) -> Iterator[bytes]:
    decompressor = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW)
    stream = None
    for piece in pieces:
        for start in range(0, len(piece), ZSTD_PIECE):
            rest = piece[start : start + ZSTD_PIECE]
            while rest:
                # A download has a stream for each part, one after the other.
                stream = stream or decompressor.decompressobj(write_size=65_536)
                try:
                    yield stream.decompress(rest)
                except zstandard.ZstdError:
                    raise _spoiled() from None
                rest = stream.unused_data if stream.eof else b""
                stream = None if stream.eof else stream
    if stream is not None:
        raise _spoiled()


def _spoiled() -> BadInput:
    return BadInput({"content": message("upload_spoiled")})
