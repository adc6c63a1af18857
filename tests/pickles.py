"""A pickle that runs something when it is read; and whether something that was stored is a pickle:
as it is, behind a signature, or in base64.
"""

import base64
import binascii
import pickletools
import struct
from collections.abc import Callable

RAN: list[str] = []
"""What was run."""


def run() -> None:
    """By its name: a method of the list would be pickled with a list of its own."""
    RAN.append("ran")


class Attack:
    """What runs when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return run, ()


BEGIN = tuple(bytes([0x80, protocol]) for protocol in range(2, 6))
"""Of the protocols that say which they are; nobody writes earlier ones."""


def is_pickle(value: object) -> bool:
    data = value.encode() if isinstance(value, str) else value
    if not isinstance(data, bytes):
        return False
    found = [data, data.partition(b":")[2]]
    return any(map(_reads_as_one, (*found, *map(_from_base64, found))))


def _from_base64(text: bytes) -> bytes:
    plain = text.translate(bytes.maketrans(b"-_", b"+/")).rstrip(b"=")
    try:
        return base64.b64decode(plain + b"=" * (-len(plain) % 4), validate=True)
    except binascii.Error:
        return b""


def _reads_as_one(data: bytes) -> bool:
    if not data.startswith(BEGIN):
        return False
    try:
        return bool(list(pickletools.genops(data)))
    except (ValueError, IndexError, struct.error):
        return False
