"""The manifest: what a snapshot consists of. It is written last, and then the snapshot exists.

Its object is a JSON document of the wrapped key and of the manifest itself, which is encrypted as
the content is: names of tables tell something. The document is canonical and has a sum, so that no
bit of it changes unseen.
"""

import hashlib
import json
import secrets
from datetime import datetime
from typing import Final
from uuid import UUID

from pydantic import JsonValue, ValidationError

from workspace_manager.contract.connector import FrozenModel
from workspace_manager.contract.errors import NotFound
from workspace_manager.snapshots.store.failures import damaged
from workspace_manager.snapshots.store.keys import SnapshotKey, unwrap, wrap_again
from workspace_manager.snapshots.store.messages import message
from workspace_manager.snapshots.store.objects import SnapshotStore

VERSION: Final = 1
MANIFEST: Final = "0"
"""Its name in the place of a snapshot: objects are numbered from 1."""


class StoredObject(FrozenModel):
    """One object: an age file of the next piece of a part's compressed content."""

    name: str
    """Below the place of the snapshot."""
    bytes: int
    sha256: str
    content_bytes: int
    """Of the compressed content that is in it."""


class Part(FrozenModel):
    """One stream of content, such as a dump."""

    name: str
    bytes: int
    sha256: str
    compressed_bytes: int
    objects: tuple[StoredObject, ...]


class Origin(FrozenModel):
    """The record of the snapshot, as far as another manager needs it to record it again. It is
    encrypted with the rest: nothing that lies in the store tells whose a snapshot is.
    """

    id: UUID
    owner: UUID
    username: str
    label: str
    source_type: str
    source_id: UUID | None
    source_label: str
    created_by: str
    created_at: datetime
    scheduled: bool


class Manifest(FrozenModel):
    """List of the pieces that were written, with the counts made meanwhile."""

    version: int = VERSION
    kind: str = ""
    place: str
    parts: tuple[Part, ...]
    facts: dict[str, JsonValue] = {}
    origin: Origin | None = None
    """None in a manifest of an earlier version."""

    @property
    def bytes(self) -> int:
        """Of all that it takes in the store but the manifest."""
        return sum(one.bytes for part in self.parts for one in part.objects)

    @property
    def content_bytes(self) -> int:
        return sum(part.bytes for part in self.parts)

    @property
    def largest_part(self) -> int:
        """Bytes of the largest part: a restore of volumes needs room for a second copy of it."""
        return max((part.bytes for part in self.parts), default=0)

    def part(self, name: str) -> Part | None:
        return next((one for one in self.parts if one.name == name), None)


class _Envelope(FrozenModel):
    version: int = VERSION
    key: str
    manifest: str
    sum: str = ""

    def stored(self) -> bytes:
        """As it lies in the store, with its sum."""
        said = f"{self.version}\n{self.key}\n{self.manifest}"
        summed = self.model_copy(update={"sum": hashlib.sha256(said.encode()).hexdigest()})
        return json.dumps(summed.model_dump(), sort_keys=True, indent=1).encode()


def make_place() -> str:
    """A place for a snapshot: nobody finds it by what they know."""
    return secrets.token_hex(16)


def object_name(place: str) -> str:
    """Return the name of the manifest's object."""
    return f"{place}/{MANIFEST}"


def write_manifest(store: SnapshotStore, manifest: Manifest, key: SnapshotKey) -> None:
    """Let the snapshot exist. Raises AlreadyWritten when it does."""
    sealed = key.encrypt(manifest.model_dump_json().encode(), in_text=True).decode()
    envelope = _Envelope(key=key.wrap(), manifest=sealed)
    store.put(object_name(manifest.place), envelope.stored(), new=True)


def read_manifest(store: SnapshotStore, place: str, key: SnapshotKey | None = None) -> Manifest:
    """Return the manifest of the snapshot, read with `key`, or else with the key that lies beside
    it. Raises NotFound where there is none, Damaged for one that was changed.
    """
    name = object_name(place)
    envelope = _read_envelope(store, place)
    wrapped = unwrap(envelope.key, name)
    content = (key or wrapped).decrypt(envelope.manifest.encode(), name)
    try:
        return Manifest.model_validate_json(content)
    except ValidationError:
        raise damaged(message("manifest_changed", name=name)) from None


def read_key(store: SnapshotStore, place: str) -> SnapshotKey:
    """The key that lies with the content."""
    return unwrap(_read_envelope(store, place).key, object_name(place))


def has_manifest(store: SnapshotStore, place: str) -> bool:
    """Return whether the snapshot exists."""
    return store.has(object_name(place))


def wrap_key_again(store: SnapshotStore, place: str) -> bool:
    """Wrap the key in the manifest by the first key of `WORKSPACE_SECRET_KEYS`; gives whether there
    is one. The content stays as it is.
    """
    name = object_name(place)
    try:
        envelope = _read_envelope(store, place)
    except NotFound:
        return False
    fresh = envelope.model_copy(update={"key": wrap_again(envelope.key, name)})
    store.put(name, fresh.stored())
    store.settle(place)
    return True


def _read_envelope(store: SnapshotStore, place: str) -> _Envelope:
    name = object_name(place)
    found = store.get(name)
    try:
        envelope = _Envelope.model_validate_json(found)
    except ValidationError:
        raise damaged(message("manifest_changed", name=name)) from None
    if envelope.stored() != found:
        raise damaged(message("manifest_changed", name=name))
    return envelope
