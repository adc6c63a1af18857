"""Keeping the content of one thing and bringing it back: what a system that can do both gives by
`SystemSpec.snapshots`.

A source knows neither where content lies nor how it is encrypted: it writes and reads named parts,
in pieces, so that memory stays small whatever the size. All of it raises the five errors, and the
errors of a writer or reader as they came.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Final, Protocol, TypeAlias, runtime_checkable

from pydantic import JsonValue

from workspace_manager.contract.connector import FrozenModel, System
from workspace_manager.contract.message import Message


class TableFacts(FrozenModel):
    """One table, graph or whatever else content is counted by."""

    name: str
    rows: int
    checksum: str | None = None
    """The same for the same rows, in whatever order they lie; None where none was to be had."""


class SnapshotFacts(FrozenModel):
    """The content of a source in figures, to compare a restored source with the original."""

    tables: tuple[TableFacts, ...]
    consistent: bool
    """Whether all of it is of one moment."""
    notes: tuple[Message, ...] = ()
    """What is not, and what else whoever keeps it has to know."""
    counted: bool = True
    """Whether anybody counted it: nobody did for a file that somebody uploaded."""
    recipe: dict[str, JsonValue] = {}
    """What else the manager needs to make the thing anew: of a knowledge stack its template and the
    answers, never a secret. A source leaves it empty.
    """


class PartWriter(Protocol):
    """One part under way. It is there when it was closed; nobody closes one that failed."""

    def write(self, data: bytes, /) -> object: ...

    def close(self) -> object: ...


class SnapshotWriter(Protocol):
    """Takes the parts of one snapshot, one after the other."""

    def open_part(self, name: str, /) -> PartWriter:
        """Begin a part. One of a name that was opened before begins anew: what was written of it is
        dropped, closed or not.
        """


class SnapshotReader(Protocol):
    """Gives the parts of one snapshot, each as often as it is asked for."""

    def sizes(self) -> Mapping[str, int]:
        """Give the names of its parts, in their order, each with its bytes."""

    def read_part(self, name: str, /) -> Iterator[bytes]:
        """Give its bytes in order. Raises KeyError, before the first, where there is no such
        part.
        """


@runtime_checkable
class SnapshotSource(Protocol):
    """A source of content that can be kept. An address is a component's, as its system made it."""

    def capture(self, address: str, writer: SnapshotWriter) -> SnapshotFacts:
        """Write all of it. Others go on reading and writing meanwhile."""

    def restore(self, address: str, reader: SnapshotReader) -> None:
        """Load it into what its connector has made afresh. Raises Conflict where something is in
        there already, and leaves it empty where it fails.
        """

    def facts(self, address: str) -> SnapshotFacts:
        """Count what is there now."""


@runtime_checkable
class StoppingSource(SnapshotSource, Protocol):
    """A source that stops programs while it captures. Its `restore` makes what it fills, before its
    connector makes the rest: what was restored is counted before a program changes it.
    """

    def at_rest(
        self, address: str
    ) -> AbstractContextManager[Callable[[SnapshotWriter], SnapshotFacts]]:
        """Stop the programs for the length of a block, and start those that ran afterwards. Gives
        what captures in the block; other content that they write is captured there too.
        """

    def release(self, address: str) -> None:
        """Start again what a capture stopped that was cut off, and take away what it left. Does
        nothing where nothing is left.
        """


@runtime_checkable
class SwitchingSource(SnapshotSource, Protocol):
    """A source that can put what was restored beside in the place of what is there."""

    def address_beside(self, address: str) -> str:
        """The address of what a snapshot is loaded into before it takes the place of what is at
        this address; always the same one, and no call is made.
        """

    def make_beside(self, address: str) -> None:
        """Make it, empty and open to nobody, unless `restore` makes what it fills. What an earlier
        restore left there is deleted first; a switch that broke off is finished first.
        """

    def has_beside(self, address: str) -> bool:
        """Return whether a restore left anything beside, or has not finished its switch. Raises the
        five errors where that cannot be seen.
        """

    def discard_beside(self, address: str) -> None:
        """Delete everything that a restore left beside, also where nothing is at the address."""

    def switch(self, address: str, beside: str) -> None:
        """Put the content of `beside` under this address, with the rights and settings that the
        address has, and compare them with those of before; afterwards neither the old content nor
        `beside` is there any more.

        Called again after it broke off it goes on, and does nothing once it is done: nobody ever
        reads a mixture.
        """


class UnfitFile(ValueError):
    """A file that somebody uploaded is nothing that a source can load. `why`: a sentence for them,
    which names nothing of what is in the file.
    """

    def __init__(self, why: Message) -> None:
        super().__init__(why.english)
        self.why = why


@runtime_checkable
class UploadingSource(SnapshotSource, Protocol):
    """A source that takes a file of its field's own format, which somebody uploaded, as the content
    of a new thing: `restore` loads what was written of it.
    """

    def open_upload(self, first: bytes, writer: SnapshotWriter, /) -> PartWriter:
        """Open what takes the whole file; closing it makes all parts of it. `first`: how the file
        begins, unpacked, up to `UPLOAD_SEEN` bytes; a shorter one is the whole file. Makes no call.
        Raises UnfitFile, which writing and closing may raise too.
        """


UPLOAD_SEEN: Final = 64 * 1024
"""By so many bytes of its beginning a source tells whether a file is one of its own."""


@runtime_checkable
class SweepingSource(SnapshotSource, Protocol):
    """A source that can find what a killed capture or restore left in its system."""

    def sweep(self, in_use: Callable[[], Collection[str]]) -> int:
        """Delete what nobody goes on with; gives how many things that were. `in_use` gives the
        addresses whose snapshots are being created or restored; it is asked after everything was
        listed, so that nothing of a plan that begins meanwhile is taken.
        """


Snapshots: TypeAlias = Callable[[System], SnapshotSource]
"""Gives the source of a connected system; no call is made."""
