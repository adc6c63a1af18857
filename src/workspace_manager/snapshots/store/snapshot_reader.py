"""Read a snapshot: a part as it was written, a range of its compressed form, or all of it to see
whether it is still what was written.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Final, cast

import zstandard

from workspace_manager.contract import progress
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import Message
from workspace_manager.snapshots.store.failures import Damaged, damaged
from workspace_manager.snapshots.store.keys import SnapshotKey
from workspace_manager.snapshots.store.manifest import (
    Manifest,
    Part,
    StoredObject,
    object_name,
    read_manifest,
)
from workspace_manager.snapshots.store.messages import message
from workspace_manager.snapshots.store.objects import SnapshotStore

PIECE: Final = 1024 * 1024
"""What is given at once: a few bytes that stand for gigabytes never become them in memory."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on a snapshot: it is as it was written, or not. `damage`: what is not."""

    damage: tuple[Message, ...] = ()
    objects: int = 0
    """How many were read."""

    @property
    def ok(self) -> bool:
        return not self.damage


class SnapshotReader:
    """Read one snapshot. Whatever is given was compared with what the manifest says of it."""

    def __init__(self, store: SnapshotStore, manifest: Manifest, key: SnapshotKey) -> None:
        self.manifest = manifest
        self._store, self._key = store, key

    def sizes(self) -> Mapping[str, int]:
        """The bytes of each part, by its name."""
        return {part.name: part.bytes for part in self.manifest.parts}

    def read_part(self, name: str) -> Iterator[bytes]:
        """The content of a part. Raises Damaged at the first byte that is not as it was written,
        and at the end when there is less: nothing that was read counts before the end. Raises
        KeyError at once where there is no such part.
        """
        part = self._part(name)
        return self._plain(part, self._pieces(part, 0, part.compressed_bytes))

    def read_compressed(
        self, name: str, start: int = 0, stop: int | None = None
    ) -> Iterator[bytes]:
        """The bytes from `start` to before `stop` of a part in zstd's format. Raises Damaged;
        KeyError at once.
        """
        part = self._part(name)
        stop = part.compressed_bytes if stop is None else min(stop, part.compressed_bytes)
        return self._pieces(part, start, stop)

    def verify(self) -> Verdict:
        """Read everything. Raises Unavailable and Denied where the store cannot be read, which says
        nothing of what is in it.
        """
        damage: list[Message] = []
        count = 0
        for part in self.manifest.parts:
            count += len(part.objects)
            before = len(damage)
            for number in range(1, len(part.objects) + 1):
                try:
                    self._object(part, number)
                except Damaged as error:
                    damage.append(_describe_damage(error))
            if len(damage) == before:
                damage += self._damage_of(part)
        return Verdict(tuple(damage), count)

    def _damage_of(self, part: Part) -> list[Message]:
        """Return the damage of a part whose objects are as they were written."""
        try:
            for _ in self.read_part(part.name):
                pass
        except Damaged as error:
            return [_describe_damage(error)]
        return []

    def _part(self, name: str) -> Part:
        part = self.manifest.part(name)
        if part is None:
            raise KeyError(name)
        return part

    def _plain(self, part: Part, compressed: Iterator[bytes]) -> Iterator[bytes]:
        total, count = hashlib.sha256(), 0
        stream = cast("IO[bytes]", _Stream(compressed))
        reader = zstandard.ZstdDecompressor().stream_reader(stream, read_size=PIECE)
        while True:
            try:
                piece = reader.read(PIECE)
            except zstandard.ZstdError:
                raise damaged(message("part_changed", part=part.name)) from None
            if not piece:
                break
            total.update(piece)
            count += len(piece)
            yield piece
        if count != part.bytes or total.hexdigest() != part.sha256:
            raise damaged(message("part_changed", part=part.name))

    def _pieces(self, part: Part, start: int, stop: int) -> Iterator[bytes]:
        end = 0
        for number, one in enumerate(part.objects, start=1):
            begin, end = end, end + one.content_bytes
            if end <= start or begin >= stop or start >= stop:
                continue
            content = memoryview(self._object(part, number))
            content = content[max(0, start - begin) : stop - begin]
            for at in range(0, len(content), PIECE):
                yield bytes(content[at : at + PIECE])

    def _object(self, part: Part, number: int) -> bytes:
        one = part.objects[number - 1]
        name = f"{self.manifest.place}/{one.name}"
        try:
            found = self._store.get(name)
        except NotFound:
            raise damaged(
                message("object_missing", number=number, part=part.name, name=name)
            ) from None
        progress.report(len(found))
        if len(found) != one.bytes:
            cut = message(
                "object_cut",
                number=number,
                part=part.name,
                found=len(found),
                wanted=one.bytes,
                name=name,
            )
            raise damaged(cut)
        content = self._opened(found, one, name)
        if content is None:
            raise damaged(message("object_changed", number=number, part=part.name, name=name))
        return content

    def _opened(self, found: bytes, one: StoredObject, name: str) -> bytes | None:
        """None for what is not as it was written; raises Damaged for another key."""
        if hashlib.sha256(found).hexdigest() != one.sha256:
            return None
        content = self._key.decrypt(found, name)
        return content if len(content) == one.content_bytes else None


class _Stream:
    """Pieces as a file to read from."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        if not self._rest:
            self._rest = next(self._pieces, b"")
        size = len(self._rest) if size < 0 else size
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece


def verify_place(store: SnapshotStore, place: str, key: SnapshotKey) -> Verdict:
    """The verdict on a snapshot, its manifest included."""
    name = object_name(place)
    try:
        manifest = read_manifest(store, place, key)
    except NotFound:
        return Verdict((message("manifest_missing", name=name),))
    except Damaged as error:
        return Verdict((_describe_damage(error),))
    return SnapshotReader(store, manifest, key).verify()


def _describe_damage(error: Damaged) -> Message:
    why = error.message.params.get("why")
    return why if isinstance(why, Message) else error.message
