"""Objects by name, in a bucket or in a folder. Names are relative and tell nothing.

A folder is read by the same library as a bucket, and written by us: the library leaves what its
`list` does not show when it is killed, makes files that others may read, and calls no fsync.
"""

import contextlib
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

from obstore.exceptions import AlreadyExistsError, NotSupportedError
from obstore.store import LocalStore, S3Store

from workspace_manager.contract.deadline import seconds_left
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import Message
from workspace_manager.snapshots.store.failures import KIND, AlreadyWritten, translated
from workspace_manager.snapshots.store.messages import message
from workspace_manager.snapshots_settings import SnapshotsLocation

CONNECT_S: Final = 5
ANSWER_S: Final = 60
"""One call to the store, with the object that it carries."""
UNFINISHED: Final = ".part"
"""How the name of a file ends that is being written."""


class SnapshotStore:
    """A bucket. Every method raises the five errors."""

    def __init__(self, objects: S3Store | LocalStore) -> None:
        self._objects = objects

    def put(self, name: str, content: bytes, *, new: bool = False) -> None:
        """Write an object whole. `new`: and none may be there; raises AlreadyWritten then."""
        with self._calling(message("writing"), name):
            self._put(name, content, new=new)

    def get(self, name: str) -> bytes:
        with self._calling(message("reading"), name):
            return self._objects.get(name).bytes().to_bytes()

    def delete(self, name: str) -> None:
        """Take an object away; one that is gone is as it shall be."""
        with contextlib.suppress(NotFound), self._calling(message("deleting"), name):
            self._delete(name)

    def names(self, place: str = "") -> Iterator[str]:
        """Everything below a place, what is half written among it; "": everything."""
        with self._calling(message("listing")):
            for batch in self._objects.list(prefix=place or None):
                yield from (one["path"] for one in batch)

    def has(self, name: str) -> bool:
        try:
            with self._calling(message("listing"), name):
                self._objects.head(name)
        except NotFound:
            return False
        return True

    def settle(self, place: str) -> None:
        """Return when everything that was written below a place outlives a power cut."""

    def look(self) -> None:
        """Make the smallest call that shows that what is there may be listed."""
        with self._calling(message("listing")):
            for _ in self._objects.list(chunk_size=1):
                break

    def _put(self, name: str, content: bytes, *, new: bool) -> None:
        if not new:
            self._objects.put(name, content, use_multipart=False)
            return
        if self.has(name):  # Some stores overwrite although they are asked not to.
            raise _written_before()
        try:
            self._objects.put(name, content, mode="create", use_multipart=False)
        except AlreadyExistsError:
            raise _written_before() from None
        except NotSupportedError:  # A store that cannot compare: what two do at once shows later.
            self._objects.put(name, content, use_multipart=False)

    def _delete(self, name: str) -> None:
        self._objects.delete(name)

    @contextlib.contextmanager
    def _calling(self, doing: Message, name: str = "") -> Iterator[None]:
        seconds_left(ANSWER_S, kind=KIND, doing=doing)
        with translated(doing, name):
            yield


class FolderStore(SnapshotStore):
    """A folder: files of 0600 that are there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        _make_folder(folder)
        super().__init__(LocalStore(folder, automatic_cleanup=True))
        self.folder = folder

    def settle(self, place: str) -> None:
        with translated(message("writing"), place):
            for folder, _, _ in os.walk(self.folder / place):
                _sync(Path(folder))
            _sync(self.folder)

    def _put(self, name: str, content: bytes, *, new: bool) -> None:
        path = self.folder / name
        _make_folder(path.parent)
        unfinished = path.with_name(path.name + UNFINISHED)
        try:
            _write(unfinished, content)
            if new:
                os.link(unfinished, path)
                unfinished.unlink()
            else:
                unfinished.replace(path)
        except FileExistsError:
            unfinished.unlink(missing_ok=True)
            raise _written_before() from None
        except OSError:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
                self._remove_empty(path.parent)
            raise

    def _remove_empty(self, folder: Path) -> None:
        while folder != self.folder:
            folder.rmdir()
            folder = folder.parent

    def _delete(self, name: str) -> None:
        super()._delete(name)
        # The library takes folders away that are empty.
        parents = (self.folder / name).parents
        _sync(next(parent for parent in parents if parent.is_dir()))


def open_store(location: SnapshotsLocation) -> SnapshotStore:
    """The store at this location. Makes no call; raises the five errors where a folder cannot be
    made.
    """
    if location.folder:
        with translated(message("writing")):
            return FolderStore(location.folder)
    plain = location.endpoint.startswith("http://")
    return SnapshotStore(
        S3Store(
            location.bucket,
            prefix=location.prefix or None,
            endpoint=location.endpoint or None,
            region=location.region,
            access_key_id=location.access_key,
            secret_access_key=location.secret_key,
            # Not every store knows the call that deletes several; one goes at a time here.
            disable_bulk_delete=True,
            client_options={
                "allow_http": plain,
                "connect_timeout": timedelta(seconds=CONNECT_S),
                "timeout": timedelta(seconds=ANSWER_S),
            },
            # The engine tries again, and says so.
            retry_config={"max_retries": 0, "retry_timeout": timedelta(seconds=ANSWER_S)},
        )
    )


def _written_before() -> AlreadyWritten:
    return AlreadyWritten(message("written_before"), kind=KIND, doing=message("writing"))


def _write(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _make_folder(folder: Path) -> None:
    """Each that is not there yet, for its owner alone."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
