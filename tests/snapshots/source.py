"""A source as small as one can be: the databases of a world in memory, each with tables of rows.

What is in them is kept by address in `CONTENT`; a load that is cut off leaves them empty, as the
contract asks.
"""

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import pytest

from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import Conflict
from workspace_manager.contract.guarded_spec import guard_spec
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.snapshots import (
    PartWriter,
    SnapshotFacts,
    SnapshotReader,
    SnapshotSource,
    SnapshotWriter,
    StoppingSource,
    TableFacts,
    UnfitFile,
)
from workspace_manager.systems import registry

Tables = dict[str, list[str]]
CONTENT: dict[str, Tables] = {}
SWEPT: list[list[str]] = []
"""What was in use whenever somebody swept."""
MEANWHILE: list[Callable[[str], None]] = []
"""Called with the verb in the middle of it: a place to fail, or to do something else."""


class MemorySource:
    def capture(self, address: str, writer: SnapshotWriter) -> SnapshotFacts:
        facts = self.facts(address)
        part = writer.open_part("database.sql")
        text = json.dumps(CONTENT.get(address, {})).encode()
        part.write(text[: len(text) // 2])
        for one in MEANWHILE:
            one("capture")
        part.write(text[len(text) // 2 :])
        part.close()
        return facts

    def open_upload(self, first: bytes, writer: SnapshotWriter) -> PartWriter:
        if not first.startswith(b"{"):
            raise UnfitFile(quote_words("not of ours"))
        return writer.open_part("database.sql")

    def restore(self, address: str, reader: SnapshotReader) -> None:
        if CONTENT.get(address):
            raise Conflict(quote_words("full"), kind="x", doing=quote_words("x"))
        tables = json.loads(b"".join(reader.read_part("database.sql")))
        for one in MEANWHILE:
            one("restore")
        CONTENT[address] = tables
        for one in MEANWHILE:
            one("restored")

    def address_beside(self, address: str) -> str:
        return f"{address}-beside"

    def make_beside(self, address: str) -> None:
        CONTENT[self.address_beside(address)] = {}

    def has_beside(self, address: str) -> bool:
        return self.address_beside(address) in CONTENT

    def discard_beside(self, address: str) -> None:
        CONTENT.pop(self.address_beside(address), None)

    def switch(self, address: str, beside: str) -> None:
        if beside not in CONTENT:
            return
        for one in MEANWHILE:
            one("switch")
        CONTENT[address] = CONTENT[beside]
        for one in MEANWHILE:
            one("switched")
        del CONTENT[beside]

    def sweep(self, in_use: Callable[[], Collection[str]]) -> int:
        SWEPT.append(sorted(in_use()))
        return 0

    def facts(self, address: str) -> SnapshotFacts:
        tables = CONTENT.get(address, {})
        return SnapshotFacts(
            tables=tuple(
                TableFacts(name=name, rows=len(rows), checksum=str(sorted(rows)))
                for name, rows in tables.items()
            ),
            consistent=True,
        )


class StoppingMemorySource(MemorySource):
    """The volumes of stacks: programs are stopped while they are read, and a helper says which."""

    def capture(self, address: str, writer: SnapshotWriter) -> SnapshotFacts:
        with self.at_rest(address) as capture:
            return capture(writer)

    @contextmanager
    def at_rest(self, address: str) -> Iterator[Callable[[SnapshotWriter], SnapshotFacts]]:
        self.release(address)
        for what in ("helper", "stopped"):
            CONTENT[f"{what} {address}"] = {}
            for one in MEANWHILE:
                one("stop")
        try:
            yield partial(super().capture, address)
        except Exception:
            self.release(address)
            raise
        self.release(address)

    def has_beside(self, address: str) -> bool:
        return super().has_beside(address) or f"switch {address}" in CONTENT

    def discard_beside(self, address: str) -> None:
        super().discard_beside(address)
        for what in ("stopped", "switch"):
            CONTENT.pop(f"{what} {address}", None)

    def switch(self, address: str, beside: str) -> None:
        """Table by table, while no program runs: what is half copied is copied again."""
        if not self.has_beside(address):
            return
        for what in ("switch", "stopped"):
            CONTENT[f"{what} {address}"] = {}
            for one in MEANWHILE:
                one("stop")
        if beside in CONTENT:
            CONTENT[address] = {}
            for one in MEANWHILE:
                one("switch")
            CONTENT[address] = CONTENT[beside]
            for one in MEANWHILE:
                one("switched")
            del CONTENT[beside]
        for what in ("stopped", "switch"):
            CONTENT.pop(f"{what} {address}")
            for one in MEANWHILE:
                one("start")

    def release(self, address: str) -> None:
        for what in ("stopped", "helper"):
            if CONTENT.pop(f"{what} {address}", None) is not None:
                for one in MEANWHILE:
                    one("start")


def connect_stacks(_system: System) -> StoppingSource:
    return StoppingMemorySource()


def connect(_system: System) -> SnapshotSource:
    return MemorySource()


def keep_nothing(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have it keep the content of nothing, as a system of somebody else's may."""
    brought = registry().specs[system].brought
    assert brought
    monkeypatch.setitem(registry().specs, system, guard_spec(replace(brought, snapshots="")))
