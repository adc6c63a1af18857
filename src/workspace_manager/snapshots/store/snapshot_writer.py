"""Write a snapshot: parts are streams, and become objects as they come.

At most one object is held in memory in each of its forms, whatever the content's size.
"""

import hashlib
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Final

import zstandard
from pydantic import JsonValue

from workspace_manager.contract import progress
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.snapshots.store.keys import SnapshotKey
from workspace_manager.snapshots.store.manifest import (
    Manifest,
    Origin,
    Part,
    StoredObject,
    make_place,
    write_manifest,
)
from workspace_manager.snapshots.store.objects import SnapshotStore

OBJECT_BYTES: Final = 8 * 1024 * 1024
"""Of compressed content in one object."""
PIECE: Final = 1024 * 1024
"""What is compressed at once of what a caller gives, which may be any size."""
LEVEL: Final = 3


class PartWriter:
    """Take one stream of content. It is in the manifest once it was closed."""

    def __init__(self, name: str, put: Callable[[bytes], StoredObject]) -> None:
        self.name = name
        self.part: Part | None = None
        self._put = put
        self._compress = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compressobj()
        self._waiting = bytearray()
        self._sum = hashlib.sha256()
        self._bytes = self._compressed = 0
        self.objects: list[StoredObject] = []

    def write(self, content: bytes) -> int:
        """Take content of any size; gives how much that was, as a file does."""
        if self.part:
            raise ValueError("a part that was closed takes nothing more")
        whole = memoryview(content).cast("B")
        for start in range(0, len(whole), PIECE):
            piece = whole[start : start + PIECE]
            self._sum.update(piece)
            self._bytes += len(piece)
            self._take(self._compress.compress(piece))
            progress.report(len(piece))
        return len(whole)

    def close(self) -> None:
        """End the stream. Called again it does nothing."""
        if self.part:
            return
        self._take(self._compress.flush())
        if self._waiting:
            self._store(len(self._waiting))
        self.part = Part(
            name=self.name,
            bytes=self._bytes,
            sha256=self._sum.hexdigest(),
            compressed_bytes=self._compressed,
            objects=tuple(self.objects),
        )

    def __enter__(self) -> "PartWriter":
        return self

    def __exit__(self, kind: object, _error: object, _trace: object) -> None:
        """Close it; a stream that was cut is not closed, and its snapshot never finished."""
        if kind is None:
            self.close()

    def _take(self, compressed: bytes) -> None:
        self._waiting += compressed
        while len(self._waiting) >= OBJECT_BYTES:
            self._store(OBJECT_BYTES)

    def _store(self, count: int) -> None:
        content = bytes(memoryview(self._waiting)[:count])
        del self._waiting[:count]
        self._compressed += count
        self.objects.append(self._put(content))


class SnapshotWriter:
    """Write the parts of one snapshot, then its manifest. What was begun is deleted where that does
    not come about; what a killed process leaves is found below `place`.
    """

    def __init__(
        self,
        store: SnapshotStore,
        key: SnapshotKey,
        *,
        place: str | None = None,
        kind: str = "",
        origin: Origin | None = None,
    ) -> None:
        self.place = place or make_place()
        self._store, self._key, self._kind, self._origin = store, key, kind, origin
        self._try = secrets.token_hex(8)
        """Two tries at once write beside each other, and the first to finish counts."""
        self._parts: dict[str, PartWriter] = {}
        self._written: list[str] = []
        self._manifest: Manifest | None = None

    def open_part(self, name: str) -> PartWriter:
        """Begin a stream; several may be open at once. One of a name that was opened before begins
        anew, and what was written of it is deleted.
        """
        dropped = self._parts.pop(name, None)
        for one in dropped.objects if dropped else ():
            self._store.delete(f"{self.place}/{one.name}")
        self._parts[name] = PartWriter(name, self._put)
        return self._parts[name]

    def finish(self, facts: Mapping[str, JsonValue] | None = None) -> Manifest:
        """Let the snapshot exist. Raises ValueError while a part is open, AlreadyWritten when
        another try has finished it.
        """
        parts = [one.part for one in self._parts.values()]
        closed = tuple(one for one in parts if one)
        if len(closed) < len(parts):
            raise ValueError("a part is still open")
        manifest = Manifest(
            kind=self._kind,
            place=self.place,
            parts=closed,
            facts=dict(facts or {}),
            origin=self._origin,
        )
        self._store.settle(self.place)
        write_manifest(self._store, manifest, self._key)
        self._manifest = manifest
        self._store.settle(self.place)
        return manifest

    def __enter__(self) -> "SnapshotWriter":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._manifest is None:
            # What cannot be deleted now goes with the plan.
            with suppress(ConnectorError):
                for name in self._written:
                    self._store.delete(name)

    def _put(self, content: bytes) -> StoredObject:
        name = f"{self._try}/{len(self._written) + 1:06}"
        encrypted = self._key.encrypt(content)
        self._written.append(f"{self.place}/{name}")
        self._store.put(self._written[-1], encrypted)
        progress.report(0)
        return StoredObject(
            name=name,
            bytes=len(encrypted),
            sha256=hashlib.sha256(encrypted).hexdigest(),
            content_bytes=len(content),
        )
