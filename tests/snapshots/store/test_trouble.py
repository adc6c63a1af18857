"""Killed, full, refused, slow and damaged: nothing is taken for whole that is not, and whatever was
begun is found and deleted.
"""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tests.snapshots.bucket import ACCESS, Bucket
from tests.snapshots.store import test_content
from tests.snapshots.store.conftest import SMALL
from tests.snapshots.store.test_content import CONTENT, read, write
from workspace_manager.contract import progress
from workspace_manager.contract.deadline import time_limit
from workspace_manager.contract.errors import ConnectorError, Denied, Unavailable
from workspace_manager.snapshots.store import objects
from workspace_manager.snapshots.store.content_removal import (
    is_gone,
    remove_content,
    remove_unfinished,
)
from workspace_manager.snapshots.store.failures import Damaged
from workspace_manager.snapshots.store.keys import SnapshotKey
from workspace_manager.snapshots.store.manifest import (
    has_manifest,
    read_key,
    read_manifest,
    wrap_key_again,
)
from workspace_manager.snapshots.store.objects import SnapshotStore, open_store
from workspace_manager.snapshots.store.snapshot_reader import SnapshotReader, verify_place
from workspace_manager.snapshots.store.snapshot_writer import SnapshotWriter

OBJECTS = 7


class Killed(BaseException):
    """As if the process had ended: nothing of ours goes on."""


def kill_at(
    store: SnapshotStore, call: int, monkeypatch: pytest.MonkeyPatch, *, after: bool
) -> None:
    """End the process at the so-many-th object, before it is written or after it; nothing is
    deleted by who is dead.
    """
    calls = [0]
    put = store._put

    def dies(name: str, content: bytes, **how: Any) -> None:
        calls[0] += 1
        if calls[0] == call and not after:
            raise Killed
        put(name, content, **how)
        if calls[0] == call:
            raise Killed

    monkeypatch.setattr(store, "_put", dies)
    monkeypatch.setattr(SnapshotWriter, "__exit__", lambda *_: None)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("call", range(1, OBJECTS + 2))
def test_whatever_a_killed_writer_left_is_listed_and_deleted(
    store: SnapshotStore,
    key: SnapshotKey,
    call: int,
    after: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = "of-a-killed-writer"
    with monkeypatch.context() as patched:
        kill_at(store, call, patched, after=after)
        with pytest.raises(Killed):
            write(store, key, place)
    whole = call == OBJECTS + 1 and after
    assert has_manifest(store, place) is whole
    assert len(list(store.names(place))) == call - 1 + after
    if whole:
        manifest = read_manifest(store, place, key)
        assert remove_unfinished(store, place, manifest) == 0
        assert read(store, manifest, key) == CONTENT
    else:
        assert remove_unfinished(store, place) == call - 1 + after
        assert is_gone(store, place)
    remove_content(store, place)
    assert is_gone(store, place)


def test_half_a_file_is_listed_and_deleted_too(
    folder: Path, in_folder: SnapshotStore, key: SnapshotKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(path: Path, content: bytes) -> None:
        path.write_bytes(content[: len(content) // 2])
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(objects, "_write", half)
        patched.setattr(SnapshotWriter, "__exit__", lambda *_: None)
        with pytest.raises(Killed):
            write(in_folder, key, "p")
    [left] = in_folder.names("p")
    assert left.endswith(objects.UNFINISHED)
    assert remove_content(in_folder, "p") == 1
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("full", range(1, OBJECTS + 2))
def test_a_full_disk_leaves_nothing_and_says_so(
    folder: Path,
    in_folder: SnapshotStore,
    key: SnapshotKey,
    full: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = [0]
    really = objects._write

    def fills(path: Path, content: bytes) -> None:
        calls[0] += 1
        if calls[0] < full:
            return really(path, content)
        path.write_bytes(content[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(objects, "_write", fills)
    with pytest.raises(Unavailable, match="is full"):
        write(in_folder, key)
    assert list(folder.iterdir()) == []


def test_a_full_bucket_says_so(bucket: Bucket, in_bucket: SnapshotStore, key: SnapshotKey) -> None:
    bucket.status, bucket.code, bucket.methods = 507, "InsufficientStorage", ("PUT",)
    with pytest.raises(Unavailable, match="is full"):
        write(in_bucket, key)
    bucket.status, bucket.code = 403, "QuotaExceeded"
    with pytest.raises(Unavailable, match="is full"):
        write(in_bucket, key)


def test_a_bucket_that_overwrites_although_we_ask_it_not_to_is_asked_before(
    in_bucket: SnapshotStore, key: SnapshotKey
) -> None:
    test_content.test_of_two_tries_at_once_the_first_counts(in_bucket, key)


def test_a_bucket_that_asks_who_we_are_is_denied(
    bucket: Bucket, in_bucket: SnapshotStore, key: SnapshotKey
) -> None:
    manifest = write(in_bucket, key)
    bucket.status, bucket.code = 401, "AccessDenied"
    for act in (
        lambda: write(in_bucket, key),
        lambda: read(in_bucket, manifest, key),
        lambda: remove_content(in_bucket, manifest.place),
        lambda: has_manifest(in_bucket, manifest.place),
        in_bucket.look,
    ):
        with pytest.raises(Denied) as refused:
            act()
        assert ACCESS not in f"{refused.value}{refused.value.advice}"


@pytest.mark.parametrize("status", [500, 503])
def test_a_bucket_that_fails_is_unavailable_and_asked_once(
    bucket: Bucket, in_bucket: SnapshotStore, status: int
) -> None:
    bucket.status = status
    with pytest.raises(Unavailable):
        in_bucket.put("a/1", b"x")
    assert len(bucket.asked) == 1


def test_a_bucket_that_answers_nothing_in_time_is_unavailable(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(objects, "ANSWER_S", 0.2)
    bucket.pause_s = 3
    with pytest.raises(Unavailable):
        open_store(bucket.location).look()


def test_nothing_is_asked_after_the_right_to_act_ended(in_folder: SnapshotStore) -> None:
    with time_limit(-1), pytest.raises(Unavailable, match="ran out"):
        in_folder.put("a/1", b"x")
    assert list(in_folder.names()) == []


def test_whoever_is_not_wanted_any_more_writes_no_further(
    store: SnapshotStore, key: SnapshotKey
) -> None:
    seen: list[int] = []

    def until_three(count: int) -> None:
        seen.append(count)
        if len(seen) == 3:
            raise progress.WorkEnded

    with progress.reported_to(until_three), pytest.raises(progress.WorkEnded):
        write(store, key)
    assert list(store.names()) == []


@pytest.mark.parametrize("number", range(1, OBJECTS + 1))
@pytest.mark.parametrize("harm", ["flip", "cut", "grow", "take"])
def test_damage_to_any_object_is_named(
    in_folder: SnapshotStore, key: SnapshotKey, number: int, harm: str
) -> None:
    manifest = write(in_folder, key)
    one = manifest.parts[0].objects[number - 1]
    name = f"{manifest.place}/{one.name}"
    good = in_folder.get(name)
    bad = {
        "flip": flipped(good, 8 * (number * 7 % len(good))),
        "cut": good[:-1],
        "grow": good + b"x",
    }
    in_folder.delete(name) if harm == "take" else in_folder.put(name, bad[harm])
    verdict = verify_place(in_folder, manifest.place, key)
    assert not verdict.ok
    [damage] = verdict.damage
    assert name in damage.english
    assert damage.params["number"] == number
    with pytest.raises(Damaged):
        read(in_folder, manifest, key)
    with pytest.raises(Damaged):
        list(SnapshotReader(in_folder, manifest, key).read_compressed("data", SMALL * (number - 1)))


def test_no_bit_of_the_manifest_changes_unseen(
    folder: Path, in_folder: SnapshotStore, key: SnapshotKey
) -> None:
    manifest = write(in_folder, key, None, data=b"x")
    file = folder / manifest.place / "0"
    good = file.read_bytes()
    for bit in range(0, 8 * len(good), 61):
        file.write_bytes(flipped(good, bit))
        verdict = verify_place(in_folder, manifest.place, key)
        assert not verdict.ok, bit
    file.write_bytes(good)
    assert verify_place(in_folder, manifest.place, key).ok


def test_a_manifest_that_says_another_content_is_not_believed(
    in_folder: SnapshotStore, key: SnapshotKey
) -> None:
    manifest = write(in_folder, key)
    [part] = manifest.parts
    for other in ({"sha256": "0" * 64}, {"bytes": part.bytes - 1}):
        told = manifest.model_copy(update={"parts": (part.model_copy(update=other),)})
        with pytest.raises(Damaged):
            read(in_folder, told, key)
        assert not SnapshotReader(in_folder, told, key).verify().ok


def test_a_store_that_does_not_answer_is_no_verdict(
    bucket: Bucket, in_bucket: SnapshotStore, key: SnapshotKey
) -> None:
    manifest = write(in_bucket, key)
    bucket.status = 503
    with pytest.raises(Unavailable):
        verify_place(in_bucket, manifest.place, key)


def test_a_rotated_key_is_wrapped_anew_and_the_content_stays(
    store: SnapshotStore, key: SnapshotKey, settings: Any
) -> None:
    settings.SECRET_KEYS = ["the old key of these tests"]
    manifest = write(store, key)
    settings.SECRET_KEYS = ["the new key of these tests", "the old key of these tests"]
    assert wrap_key_again(store, manifest.place)
    assert not wrap_key_again(store, "nowhere")
    settings.SECRET_KEYS = ["the new key of these tests"]
    assert read_key(store, manifest.place) == key
    assert read(store, read_manifest(store, manifest.place), key) == CONTENT
    settings.SECRET_KEYS = ["the old key of these tests"]
    with pytest.raises(ConnectorError):
        read_manifest(store, manifest.place)


def flipped(content: bytes, bit: int) -> bytes:
    """The same with one other bit."""
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
