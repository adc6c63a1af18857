"""The body of an answer, bounded as it came and as it decodes.

A library that decodes whatever is named gives memory away: `gzip, gzip` made 1.9 GB of 1.6 kB. So
one compression is asked for, more are refused, and no step makes more bytes than are wanted.
"""

import zlib

ACCEPTED = "gzip, identity"
"""What is asked for (Accept-Encoding)."""
_GZIP = 16 + zlib.MAX_WBITS


class TooLarge(Exception):
    """More bytes than are wanted, as they came or decoded."""


class NotAskedFor(Exception):
    """Another compression than the one that was asked for, or several."""


class Garbled(Exception):
    """A compressed body cannot be read, or ends too soon."""


class Body:
    """Take a body piece by piece. `encoding`: its Content-Encoding. Raises NotAskedFor."""

    def __init__(self, encoding: str, *, most: int) -> None:
        names = [name.strip().lower() for name in encoding.split(",")]
        names = [name for name in names if name not in {"", "identity"}]
        if names and names not in (["gzip"], ["x-gzip"]):
            raise NotAskedFor
        self._most = most
        self._received = 0
        self._body = bytearray()
        self._unpack = zlib.decompressobj(_GZIP) if names else None

    def take(self, piece: bytes) -> None:
        """Raises TooLarge and Garbled."""
        self._received += len(piece)
        if self._received > self._most:
            raise TooLarge
        if self._unpack is not None:
            try:
                piece = self._unpack.decompress(piece, self._most + 1 - len(self._body))
            except zlib.error as broken:
                raise Garbled from broken
        self._body += piece
        if len(self._body) > self._most:
            raise TooLarge

    def whole(self) -> bytes:
        """Return the decoded body. Raises Garbled when its compression has not ended."""
        if self._unpack is not None and self._received and not self._unpack.eof:
            raise Garbled
        return bytes(self._body)
