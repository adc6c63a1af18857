"""The file that an owner downloads, and any range of it.

The parts of one component come one after the other, as zstd reads them. Those of a stack are of
different formats, so they are the files of a tar archive.
"""

import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from workspace_manager.snapshots.stack_content import is_of_stack
from workspace_manager.snapshots.store.manifest import Part
from workspace_manager.snapshots.store.snapshot_reader import SnapshotReader

ENDING: Final = ".zst"
END_OF_ARCHIVE: Final = bytes(2 * tarfile.BLOCKSIZE)


@dataclass(frozen=True)
class _Section:
    """Bytes that come from one place. `read` gives those from a start to before a stop."""

    size: int
    read: Callable[[int, int], Iterator[bytes]]


def measure_download(reader: SnapshotReader) -> int:
    """Return how many bytes the file has; nothing of the content is read for it."""
    return sum(one.size for one in _sections(reader))


def read_download(reader: SnapshotReader, start: int, stop: int) -> Iterator[bytes]:
    """The bytes from `start` to before `stop` of the file. Raises the five errors."""
    end = 0
    for one in _sections(reader):
        begin, end = end, end + one.size
        if begin < stop and end > start:
            yield from one.read(max(0, start - begin), min(stop - begin, one.size))


def _sections(reader: SnapshotReader) -> Iterator[_Section]:
    in_archive = is_of_stack(reader.manifest)
    for part in reader.manifest.parts:
        if in_archive:
            yield _fixed(_header(part))
        yield _Section(part.compressed_bytes, partial(reader.read_compressed, part.name))
        if in_archive:
            yield _fixed(bytes(-part.compressed_bytes % tarfile.BLOCKSIZE))
    if in_archive:
        yield _fixed(END_OF_ARCHIVE)


def _header(part: Part) -> bytes:
    about = tarfile.TarInfo(part.name + ENDING)
    about.size, about.mode = part.compressed_bytes, 0o600
    return about.tobuf(format=tarfile.GNU_FORMAT)


def _fixed(content: bytes) -> _Section:
    return _Section(len(content), lambda start, stop: iter([content[start:stop]]))
