"""Snapshots of repositories: reading and counting, loading into a new one, and replacing the
present content.

See docs/systems/triplestore.md#snapshots.
"""

from workspace_manager.contract.connector import Change, Facts, System
from workspace_manager.contract.errors import Conflict
from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.snapshots import (
    PartWriter,
    SnapshotFacts,
    SnapshotReader,
    SnapshotWriter,
)
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.client.content import KIND
from workspace_manager.systems.triplestore.connector import Triplestore
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.snapshots import parts, uploaded
from workspace_manager.systems.triplestore.snapshots.content_reader import ContentReader, ignore
from workspace_manager.systems.triplestore.snapshots.load import ContentLoad, require_repositories
from workspace_manager.systems.triplestore.snapshots.replacement import Replacement

_SWITCHING = message("switching")


class TriplestoreSnapshots:
    """Snapshots of repositories, by their addresses."""

    def __init__(self, store: Triplestore) -> None:
        self._store = store
        self._client = store.client

    def capture(self, address: str, writer: SnapshotWriter) -> SnapshotFacts:
        doing = message("capturing")
        repository = self._find(address, doing)
        content = ContentReader(self._client, repository)
        namespaces = content.refuse_prefixes(doing)
        statements: list[_Lines] = []

        def begin() -> "_Lines":
            statements.append(_Lines(writer.open_part(parts.STATEMENTS)))
            return statements[-1]

        facts = content.read(begin, doing)
        statements[-1].close()
        media, text = content.calls.configuration(repository)
        _write_part(writer, parts.NAMESPACES, parts.write_namespaces(namespaces))
        _write_part(writer, parts.CONFIGURATION, parts.write_configuration(media, text))
        return facts

    def restore(self, address: str, reader: SnapshotReader) -> None:
        """Load it. Beside a repository, refuse what could not take its place: there the plan has
        replaced nothing yet, and gives way to another one.
        """
        doing = message("restoring")
        name = self._find(address, doing)
        ContentLoad(self._client, name).run(reader, doing)
        if name.startswith(names.ASIDE):
            Replacement(self._client, name, name).refuse_impossible(doing)

    def facts(self, address: str) -> SnapshotFacts:
        doing = message("counting")
        return ContentReader(self._client, self._find(address, doing)).read(ignore, doing)

    def open_upload(self, first: bytes, writer: SnapshotWriter) -> PartWriter:
        return uploaded.open_upload(first, writer)

    def address_beside(self, address: str) -> str:
        return self._store.address(names.repository_beside(_repository(address, _SWITCHING)))

    def make_beside(self, address: str) -> None:
        """Make the empty repository beside this one. An interrupted replacement left the old or the
        new content, and nothing to finish.
        """
        self.discard_beside(address)
        name = names.repository_beside(_repository(address, _SWITCHING))
        self._store.connectors[KIND].apply(_change(name, {"title": name}))

    def has_beside(self, address: str) -> bool:
        name = names.repository_beside(_repository(address, _SWITCHING))
        return self._store.connectors[KIND].plan(names.repository(name), None).before is not None

    def discard_beside(self, address: str) -> None:
        self._remove(names.repository_beside(_repository(address, _SWITCHING)))

    def switch(self, address: str, beside: str) -> None:
        name, other = _repository(address, _SWITCHING), _repository(beside, _SWITCHING)
        stored = self._client.stored_ids()
        require_repositories(stored, {name}, _SWITCHING)
        if other in stored:
            Replacement(self._client, name, other).run(_SWITCHING)
        self._remove(other)

    def _remove(self, name: str) -> None:
        self._store.connectors[KIND].remove(_change(name, None))

    def _find(self, address: str, doing: Message) -> str:
        """Return the repository. Raises NotFound if it is missing, because some calls show a
        missing one as empty.
        """
        name = _repository(address, doing)
        require_repositories(self._client.stored_ids(), {name}, doing)
        return name


def _change(name: str, after: Facts | None) -> Change:
    return Change(kind=KIND, subject="", target=names.repository(name), before=None, after=after)


class _Lines:
    """A writer of whole lines into a part, because another part follows in a download."""

    def __init__(self, part: PartWriter) -> None:
        self._part = part
        self._last = b"\n"

    def __call__(self, data: bytes) -> None:
        if data:
            self._part.write(data)
            self._last = data[-1:]

    def close(self) -> None:
        if self._last != b"\n":
            self._part.write(b"\n")
        self._part.close()


def _write_part(writer: SnapshotWriter, name: str, data: bytes) -> None:
    part = writer.open_part(name)
    if data:
        part.write(data)
    part.close()


def _repository(address: str, doing: Message) -> str:
    """Return the repository of an address. Raises Conflict for an address in another form."""
    name = names.repository_of_address(address)
    try:
        names.repository(name)
    except NameImpossible:
        raise Conflict(message("not_ours_to_keep", name=name), kind=KIND, doing=doing) from None
    return name


def snapshots(store: System) -> TriplestoreSnapshots:
    """Return the snapshots of a connected triplestore; no call is made."""
    if not isinstance(store, Triplestore):
        raise TypeError("a source is of the system that connect gave")
    return TriplestoreSnapshots(store)
