"""Content is read as it was written, whole and in ranges, by its key alone; where it lies nothing
tells what it is.
"""

import random
import stat
import subprocess
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard
from pydantic import JsonValue

from tests.snapshots.store.conftest import SMALL
from workspace_manager.contract.errors import NotFound
from workspace_manager.snapshots.store import snapshot_reader, snapshot_writer
from workspace_manager.snapshots.store.content_removal import is_gone, remove_content
from workspace_manager.snapshots.store.failures import AlreadyWritten, Damaged
from workspace_manager.snapshots.store.keys import SnapshotKey, make_key
from workspace_manager.snapshots.store.manifest import Manifest, has_manifest, read_manifest
from workspace_manager.snapshots.store.messages import message
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots.store.snapshot_reader import SnapshotReader, verify_place
from workspace_manager.snapshots.store.snapshot_writer import SnapshotWriter

CONTENT = random.Random(7).randbytes(6 * SMALL + 123)
FACTS: dict[str, JsonValue] = {"tables": [{"name": "herbs", "rows": 3}], "consistent": True}


def write(
    store: SnapshotStore, key: SnapshotKey, place: str | None = None, **parts: bytes
) -> Manifest:
    with SnapshotWriter(store, key, place=place, kind="sql_database") as writer:
        for name, content in (parts or {"data": CONTENT}).items():
            with writer.open_part(name) as part:
                part.write(content)
        return writer.finish(FACTS)


def read(store: SnapshotStore, manifest: Manifest, key: SnapshotKey, name: str = "data") -> bytes:
    return b"".join(SnapshotReader(store, manifest, key).read_part(name))


def test_what_was_written_is_read(store: SnapshotStore, key: SnapshotKey) -> None:
    written = write(store, key, data=CONTENT, definers=b"", routines=b"x" * 50_000)
    found = read_manifest(store, written.place, key)
    assert found == written
    assert found.facts == FACTS
    assert len(found.parts[0].objects) == 7
    assert found.content_bytes == len(CONTENT) + 50_000
    assert read(store, found, key) == CONTENT
    assert read(store, found, key, "definers") == b""
    assert read(store, found, key, "routines") == b"x" * 50_000
    assert verify_place(store, written.place, key).ok


def test_parts_may_be_written_by_turns(store: SnapshotStore, key: SnapshotKey) -> None:
    with SnapshotWriter(store, key) as writer:
        one, other = writer.open_part("one"), writer.open_part("other")
        for start in range(0, len(CONTENT), 700):
            one.write(CONTENT[start : start + 700])
            other.write(CONTENT[::-1][start : start + 700])
        one.close()
        other.close()
        manifest = writer.finish()
    assert read(store, manifest, key, "one") == CONTENT
    assert read(store, manifest, key, "other") == CONTENT[::-1]


def test_a_snapshot_with_an_open_part_is_not_finished(
    store: SnapshotStore, key: SnapshotKey
) -> None:
    with SnapshotWriter(store, key) as writer:
        writer.open_part("data").write(CONTENT)
        with pytest.raises(ValueError, match="open"):
            writer.finish()
    assert is_gone(store, writer.place)


def test_a_part_that_is_opened_again_begins_anew(store: SnapshotStore, key: SnapshotKey) -> None:
    with SnapshotWriter(store, key) as writer:
        writer.open_part("data").write(CONTENT)
        closed = writer.open_part("data")
        closed.write(CONTENT)
        closed.close()
        with writer.open_part("data") as part:
            part.write(b"anew")
        manifest = writer.finish()
    assert read(store, manifest, key) == b"anew"
    assert len(list(store.names(writer.place))) == 2


def test_a_part_that_is_not_there_is_said_before_anything_is_read(
    store: SnapshotStore, key: SnapshotKey
) -> None:
    reader = SnapshotReader(store, write(store, key), key)
    for ask in (reader.read_part, reader.read_compressed):
        with pytest.raises(KeyError):
            ask("nothing")


def test_what_is_downloaded_is_opened_by_zstd_alone(store: SnapshotStore, key: SnapshotKey) -> None:
    manifest = write(store, key)
    whole = b"".join(SnapshotReader(store, manifest, key).read_compressed("data"))
    assert len(whole) == manifest.parts[0].compressed_bytes
    assert zstandard.ZstdDecompressor().decompressobj().decompress(whole) == CONTENT


def test_a_range_is_read_from_the_object_it_begins_in(
    store: SnapshotStore, key: SnapshotKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = write(store, key)
    reader = SnapshotReader(store, manifest, key)
    whole = b"".join(reader.read_compressed("data"))
    asked: list[str] = []
    get = store.get

    def noted(name: str) -> bytes:
        asked.append(name)
        return get(name)

    monkeypatch.setattr(store, "get", noted)
    ends = (0, 1, SMALL - 1, SMALL, SMALL + 1, 3 * SMALL, len(whole) - 1, len(whole), 10**9)
    for start in ends:
        for stop in ends:
            asked.clear()
            found = b"".join(reader.read_compressed("data", start, stop))
            assert found == whole[start:stop], (start, stop)
            first = manifest.parts[0].objects[start // SMALL].name if found else None
            assert [one.endswith(str(first)) for one in asked[:1]] == ([True] if found else [])
            last = min(stop, len(whole))
            assert len(asked) == (-(-last // SMALL) - start // SMALL if found else 0)


def test_another_key_opens_nothing(store: SnapshotStore, key: SnapshotKey) -> None:
    manifest = write(store, key)
    with pytest.raises(Damaged, match="does not open it"):
        read(store, manifest, make_key())
    with pytest.raises(Damaged, match="does not open it"):
        read_manifest(store, manifest.place, make_key())
    verdict = verify_place(store, manifest.place, make_key())
    assert [one.code for one in verdict.damage] == ["snapshots_store.wrong_key"]


def test_nothing_that_lies_there_tells_what_it_is(
    folder: Path, in_folder: SnapshotStore, key: SnapshotKey
) -> None:
    write(in_folder, key, herbarium=b"herbs " * 10_000)
    files = [one for one in folder.rglob("*") if one.is_file()]
    assert len(files) > 1
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        for word in (b"herb", b"sql_database", b"AGE-SECRET-KEY"):
            assert word not in file.read_bytes()
            assert word.decode() not in str(file.relative_to(folder))
    for one in (folder, *folder.rglob("*")):
        if one.is_dir():
            assert stat.S_IMODE(one.stat().st_mode) == 0o700


def test_of_two_tries_at_once_the_first_counts(store: SnapshotStore, key: SnapshotKey) -> None:
    with SnapshotWriter(store, key) as first:
        first.open_part("data").close()
        with SnapshotWriter(store, key, place=first.place) as second, second.open_part("data") as p:
            p.write(CONTENT)
        manifest = first.finish()
        with pytest.raises(AlreadyWritten), second:
            second.finish()
    assert read_manifest(store, first.place, key) == manifest
    names = {f"{first.place}/{one.name}" for one in manifest.parts[0].objects}
    assert set(store.names(first.place)) == {f"{first.place}/0", *names}


def test_the_manifest_goes_first_and_is_seen_gone(
    store: SnapshotStore, key: SnapshotKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = write(store, key)
    monkeypatch.setattr(store, "names", _broken)
    with pytest.raises(NotFound):
        remove_content(store, manifest.place)
    assert not has_manifest(store, manifest.place)
    monkeypatch.undo()
    assert not is_gone(store, manifest.place)
    remove_content(store, manifest.place)
    assert is_gone(store, manifest.place)
    assert remove_content(store, manifest.place) == 0


def test_an_object_is_held_in_memory_and_not_a_snapshot(
    in_folder: SnapshotStore, key: SnapshotKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted by what Python holds at most, for content of twelve objects, in one piece or many."""
    size = 4 * 1024 * 1024
    monkeypatch.setattr(snapshot_writer, "OBJECT_BYTES", size)
    piece = random.Random(3).randbytes(size)
    tracemalloc.start()
    try:
        with SnapshotWriter(in_folder, key) as writer:
            with writer.open_part("data") as part:
                for _ in range(12):
                    part.write(piece)
            manifest = writer.finish()
        _, written = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        count = sum(map(len, SnapshotReader(in_folder, manifest, key).read_part("data")))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 12 * size
    assert len(manifest.parts[0].objects) == 13
    assert written < 5 * size
    assert peak < 5 * size


def test_few_bytes_that_stand_for_many_stay_few(in_folder: SnapshotStore, key: SnapshotKey) -> None:
    manifest = write(in_folder, key, data=b"\0" * 40_000_000)
    pieces = [len(one) for one in SnapshotReader(in_folder, manifest, key).read_part("data")]
    assert sum(pieces) == 40_000_000
    assert max(pieces) <= snapshot_reader.PIECE


@pytest.mark.skipif(
    subprocess.run(["sh", "-c", "command -v zstd"], capture_output=True).returncode != 0,
    reason="zstd is not installed",
)
def test_zstd_itself_opens_it(in_folder: SnapshotStore, key: SnapshotKey) -> None:
    manifest = write(in_folder, key)
    whole = b"".join(SnapshotReader(in_folder, manifest, key).read_compressed("data"))
    done = subprocess.run(["zstd", "-d"], input=whole, capture_output=True, check=True)
    assert done.stdout == CONTENT


def _broken(_place: str) -> Iterator[str]:
    raise NotFound(message("not_there", name=""), kind="x", doing=message("listing"))
