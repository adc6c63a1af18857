"""Take apart the stream of a command's output (Docker Engine API, "attach").

Without a terminal stdout and stderr come in frames: one byte 1 or 2, three zero bytes, the length
as 32 bits big-endian, then that many bytes. A frame may hold half a line or half a character, so
that text is decoded only at the end.
"""

_HEADER = 8
_ERRORS = {2, 3}


def demultiplex(stream: bytes) -> tuple[str, str]:
    """Give (stdout, stderr). Raises ValueError when this is not a complete framed stream."""
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
