"""A source of snapshots is loaded by name, and believed only if it is one."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.contract.test_spec_check import LOOM
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.guarded_spec import guard_spec
from workspace_manager.contract.snapshots import (
    SnapshotFacts,
    SnapshotReader,
    SnapshotSource,
    SnapshotWriter,
    SwitchingSource,
    TableFacts,
)


class Cloth:
    """A source as small as one can be."""

    def capture(self, address: str, writer: SnapshotWriter) -> SnapshotFacts:
        part = writer.open_part("cloth")
        part.write(address.encode())
        part.close()
        return self.facts(address)

    def restore(self, address: str, reader: SnapshotReader) -> None:
        assert b"".join(reader.read_part("cloth")) == address.encode()

    def facts(self, address: str) -> SnapshotFacts:
        return SnapshotFacts(tables=(TableFacts(name=address, rows=1),), consistent=True)


def sources(_system: object) -> SnapshotSource:
    return Cloth()


def nothing(_system: object) -> str:
    return "no source"


class Chest:
    """Writer and reader."""

    def __init__(self) -> None:
        self.parts: dict[str, bytes] = {}

    def open_part(self, name: str) -> "Chest":
        self.name, self.parts[name] = name, b""
        return self

    def write(self, data: bytes) -> None:
        self.parts[self.name] += data

    def close(self) -> None:
        pass

    def read_part(self, name: str) -> Iterator[bytes]:
        return iter([self.parts[name]])


def source_of(name: str) -> Any:
    spec = guard_spec(replace(LOOM, snapshots=f"{__name__}:{name}"))
    found = spec.snapshotter()
    assert found
    system: Any = None
    return found(system)


def test_a_system_without_one_has_none() -> None:
    assert LOOM.snapshotter() is None
    assert guard_spec(LOOM).snapshotter() is None


def test_what_it_writes_comes_back() -> None:
    source, chest = source_of("sources"), Chest()
    assert source.capture("loom://1", chest) == source.facts("loom://1")
    source.restore("loom://1", chest)
    assert not isinstance(source, SwitchingSource)


def test_what_is_no_source_is_a_defect_of_the_system() -> None:
    with pytest.raises(Invalid):
        source_of("nothing")
