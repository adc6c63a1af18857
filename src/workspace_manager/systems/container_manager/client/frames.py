"""The stream of a command's output (Docker Engine API, "attach").

Without a terminal, stdout and stderr arrive in frames: one byte 1 or 2, three zero bytes, the
length as 32 bits big-endian, then that many bytes. A frame may contain half a line or half a
character, so text is decoded only at the end.
"""

from collections.abc import Iterator
from typing import Final

OUTPUT: Final = 1
_HEADER = 8
_ERRORS = {2, 3}


def demultiplex(stream: bytes) -> tuple[str, str]:
    """Return (stdout, stderr). Raises ValueError for anything but a complete framed stream."""
    out, err = bytearray(), bytearray()
    position = 0
    while position < len(stream):
        header = stream[position : position + _HEADER]
        if len(header) < _HEADER or header[1:4] != b"\0\0\0" or header[0] not in {0, 1, 2, 3}:
            raise ValueError("not a framed stream")
        length = int.from_bytes(header[4:], "big")
        position += _HEADER
        part = stream[position : position + length]
        if len(part) < length:
            raise ValueError("the last frame is cut")
        position += length
        (err if header[0] in _ERRORS else out).extend(part)
    return out.decode("utf-8", errors="replace"), err.decode("utf-8", errors="replace")


def read_frames(pieces: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield stream number and bytes of a framed stream while it arrives, a frame in as many parts
    as it arrives in. Raises ValueError for another stream, or one that is cut inside a frame.
    """
    header, stream, left = bytearray(), 0, 0
    for piece in pieces:
        position = 0
        while position < len(piece):
            if not left:
                taken = piece[position : position + _HEADER - len(header)]
                header += taken
                position += len(taken)
                if len(header) == _HEADER:
                    stream, left = _read_header(bytes(header))
                    header.clear()
                continue
            part = piece[position : position + left]
            position += len(part)
            left -= len(part)
            yield stream, part
    if header or left:
        raise ValueError("the last frame is cut")


def _read_header(header: bytes) -> tuple[int, int]:
    if header[1:4] != b"\0\0\0" or header[0] not in {0, 1, 2, 3}:
        raise ValueError("not a framed stream")
    return header[0], int.from_bytes(header[4:], "big")
