"""A compressed file is unpacked while it arrives, in bounded memory; a damaged one is refused."""

import gzip
import random
from collections.abc import Callable, Iterator

import pytest
import zstandard

from workspace_manager.core.refusal import BadInput
from workspace_manager.snapshots.unpacking import unpack

TEXT = b"".join(b"INSERT INTO herbs VALUES (%d);\n" % n for n in range(50_000))
NOISE = random.Random(7).randbytes(300_000)
Pack = Callable[[bytes], bytes]
PACKED = pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gz", "zst"])


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


@pytest.mark.parametrize("size", [1, 777, 65_536, 10**7])
@PACKED
def test_it_is_unpacked_in_whatever_pieces_it_arrives(pack: Pack, size: int) -> None:
    some = TEXT[:3000] if size == 1 else TEXT + NOISE
    assert b"".join(unpack(pieces(pack(some), size))) == some
    assert b"".join(unpack(pieces(some, size))) == some


@PACKED
def test_one_stream_may_follow_another(pack: Pack) -> None:
    packed = pack(TEXT) + pack(b"") + pack(NOISE)
    assert b"".join(unpack(pieces(packed, 1000))) == TEXT + NOISE


@pytest.mark.parametrize("cut", [5, 30, 1000, -9, -1])
@PACKED
def test_a_cut_one_is_refused(pack: Pack, cut: int) -> None:
    with pytest.raises(BadInput, match="incomplete"):
        list(unpack([pack(NOISE)[:cut]]))


@PACKED
def test_a_changed_one_is_refused(pack: Pack) -> None:
    if pack is zstandard.compress:
        pack = zstandard.ZstdCompressor(write_checksum=True).compress
    packed = bytearray(pack(NOISE))
    packed[len(packed) // 2] ^= 1
    with pytest.raises(BadInput):
        list(unpack([bytes(packed)]))


@PACKED
def test_what_stands_for_gigabytes_never_is_in_memory(pack: Pack) -> None:
    packed = pack(bytes(1 << 28))
    assert len(packed) < 1 << 20
    sizes = [len(piece) for piece in unpack(pieces(packed, 65_536))]
    assert sum(sizes) == 1 << 28
    assert max(sizes) <= 1 << 24


def test_a_stream_that_needs_much_memory_is_refused() -> None:
    wide = zstandard.ZstdCompressionParameters(window_log=27)
    stream = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    packed = stream.compress(NOISE) + stream.flush()
    with pytest.raises(BadInput, match="--long"):
        list(unpack([packed]))


@pytest.mark.parametrize("short", [b"", b"\x1f", b"\x28\xb5", b"abc"])
def test_a_short_file_is_what_it_is(short: bytes) -> None:
    assert b"".join(unpack([short])) == short
