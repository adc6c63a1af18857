"""A store of snapshots as a source sees it: parts in memory, and one that breaks where it is told
to.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from workspace_manager.contract.snapshots import UPLOAD_SEEN, UploadingSource


class Broken(OSError):
    """The store's own error: what a full disk, or a pipe that was closed, raises."""


@dataclass
class Part:
    chest: "Chest"
    name: str
    data: bytearray = field(default_factory=bytearray)

    def write(self, data: bytes) -> None:
        assert data, "an empty piece is not worth a call"
        self.chest.taken += len(data)
        if self.chest.room is not None and self.chest.taken > self.chest.room:
            raise Broken(28, "No space left on device")
        self.data += data

    def close(self) -> None:
        self.chest.parts[self.name] = bytes(self.data)


@dataclass
class Chest:
    """`room`: bytes that it takes before it is full. `breaks_at`: of what is read."""

    parts: dict[str, bytes] = field(default_factory=dict)
    room: int | None = None
    breaks_at: int | None = None
    taken: int = 0
    opened: list[str] = field(default_factory=list)

    def open_part(self, name: str) -> Part:
        self.opened.append(name)
        self.parts.pop(name, None)
        return Part(self, name)

    def sizes(self) -> dict[str, int]:
        return {name: len(data) for name, data in self.parts.items()}

    def read_part(self, name: str) -> Iterator[bytes]:
        data = self.parts[name]
        return self._pieces(data)

    def _pieces(self, data: bytes) -> Iterator[bytes]:
        most = len(data) if self.breaks_at is None else self.breaks_at
        for begins in range(0, most, 65_536):
            yield data[begins : min(begins + 65_536, most)]
        if self.breaks_at is not None:
            raise Broken(5, "Input/output error")


def uploaded(source: UploadingSource, file: bytes) -> Chest:
    """What becomes of a file that somebody uploads."""
    chest = Chest()
    part = source.open_upload(file[:UPLOAD_SEEN], chest)
    for begins in range(0, len(file), 65_536):
        part.write(file[begins : begins + 65_536])
    part.close()
    return chest


@dataclass
class Meddling(Chest):
    """Something is done when the first piece of the first part comes."""

    meddle: Callable[[], object] = lambda: None

    def open_part(self, name: str) -> Part:
        part = super().open_part(name)
        if name.startswith("database."):
            return MeddledPart(self, name, meddle=self.meddle)
        return part


@dataclass
class MeddledPart(Part):
    meddle: Callable[[], object] = lambda: None

    def write(self, data: bytes) -> None:
        if not self.data:
            self.meddle()
        super().write(data)
