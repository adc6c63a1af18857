"""A store of snapshots in memory, as a kill sees it: each call is a point, and each write too. What
lies in it outlives a kill.

Content is not encrypted here: age files of the same content differ in size, and every run has to
end alike.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.snapshots import source
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.guarded_spec import guard_spec
from workspace_manager.snapshots import store_access
from workspace_manager.snapshots.store.failures import KIND, AlreadyWritten
from workspace_manager.snapshots.store.keys import SnapshotKey
from workspace_manager.snapshots.store.messages import message
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.systems import registry


class MemoryStore(SnapshotStore):
    """Objects of the fake systems."""

    def __init__(self, fakes: Any) -> None:
        self._fakes = fakes

    def put(self, name: str, content: bytes, *, new: bool = False) -> None:
        self._fakes.point("effect")
        if new and name in self._fakes.kept:
            raise AlreadyWritten(message("written_before"), kind=KIND, doing=message("writing"))
        self._fakes.kept[name] = content
        self._fakes.point("effect")

    def get(self, name: str) -> bytes:
        if name not in self._fakes.kept:
            raise NotFound(message("not_there", name=name), kind=KIND, doing=message("reading"))
        found: bytes = self._fakes.kept[name]
        return found

    def delete(self, name: str) -> None:
        self._fakes.point("effect")
        self._fakes.kept.pop(name, None)
        self._fakes.point("effect")

    def names(self, place: str = "") -> Iterator[str]:
        yield from [one for one in self._fakes.kept if one.startswith(f"{place}/") or not place]

    def has(self, name: str) -> bool:
        return name in self._fakes.kept

    def look(self) -> None:
        return None


def keep_in(fakes: Any, patch: pytest.MonkeyPatch) -> None:
    """Have the store and the content of databases be those of these fake systems."""
    sources = {"sql_server": source.connect, "container_manager": source.connect_stacks}
    for name, connect in sources.items():
        brought = registry().specs[name].brought
        assert brought
        where = f"{source.__name__}:{connect.__name__}"
        spec = guard_spec(replace(brought, snapshots=where))
        patch.setitem(registry().specs, name, spec)
    patch.setattr(store_access, "_open", lambda _location: MemoryStore(fakes))
    patch.setattr(SnapshotKey, "encrypt", lambda _self, content, in_text=False: content)
    patch.setattr(SnapshotKey, "decrypt", lambda _self, content, _name: content)
    patch.setattr(source, "CONTENT", fakes.databases)
    patch.setattr(source, "MEANWHILE", [lambda verb: fakes.point("effect")])
