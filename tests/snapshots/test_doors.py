"""Snapshots by REST and on the command line: what each shows, hands out and refuses."""

import json
from pathlib import Path
from typing import Any

import pytest
import zstandard
from click.testing import CliRunner
from django.conf import LazySettings

from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.conftest import TABLES
from tests.snapshots.test_plans import make
from tests.visitors import BACKEND, Visitor
from tests.web.api.documents import problem
from tests.web.pages import scenes
from workspace_manager.cli.__main__ import main
from workspace_manager.records.models import AuditEntry, Component, Permission, Person, Snapshot
from workspace_manager.snapshots.store.objects import SnapshotStore

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def snapshot(database: Component, world: World, snapshot_store: SnapshotStore) -> Snapshot:
    scenes.set_up_systems("sql_server")
    return make(world, database)


@pytest.fixture
def as_owner(owner: Person) -> Visitor:
    return signed_in(owner)


def signed_in(person: Person) -> Visitor:
    visitor = Visitor()
    visitor.force_login(person, backend=BACKEND)
    return visitor


def read_answer(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def plain(compressed: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompressobj().decompress(compressed)


def test_it_is_shown_as_it_stands(
    snapshot: Snapshot, database: Component, as_owner: Visitor
) -> None:
    [shown] = as_owner.ask("GET", "/snapshots").json()["items"]
    assert shown == as_owner.ask("GET", f"/snapshots/{snapshot.id}").json()
    assert shown["source"] == {
        "type": "component",
        "id": str(database.id),
        "label": "Herbarium",
        "kind": "sql_database",
    }
    assert (shown["state"], shown["owner"], shown["created_by"]) == ("ready", "alice", "alice")
    assert (shown["consistent"], shown["scheduled"]) == (True, False)
    assert shown["bytes"] == snapshot.bytes > 0
    assert snapshot.key
    assert snapshot.key.reveal() not in str(shown)
    assert snapshot.place not in str(shown)


def test_its_owner_downloads_it_and_the_file_is_named(
    snapshot: Snapshot, as_owner: Visitor
) -> None:
    answer = as_owner.ask("GET", f"/snapshots/{snapshot.id}/content")
    compressed = read_answer(answer)
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="monday-')
    assert answer.headers["Content-Disposition"].endswith('.sql.zst"')
    assert answer.headers["Cache-Control"] == "no-store"
    assert int(answer.headers["Content-Length"]) == len(compressed)
    assert b"maidenhair" in plain(compressed)
    for asked, said in (
        ("bytes=0-9", compressed[:10]),
        ("bytes=10-", compressed[10:]),
        ("bytes=-7", compressed[-7:]),
        (f"bytes=3-{10**9}", compressed[3:]),
    ):
        part = as_owner.ask("GET", f"/snapshots/{snapshot.id}/content", headers={"Range": asked})
        assert part.status_code == 206, asked
        assert read_answer(part) == said
        assert part.headers["Content-Range"].endswith(f"/{len(compressed)}")
    for asked in ("bytes=99999-", "bytes=-0"):
        far = as_owner.ask("GET", f"/snapshots/{snapshot.id}/content", headers={"Range": asked})
        problem(far, 416)
        assert far.headers["Content-Range"] == f"bytes */{len(compressed)}"
    assert AuditEntry.objects.filter(event="snapshot:downloaded").exists()


def test_who_administers_snapshots_sees_and_verifies_and_is_given_no_content(
    snapshot: Snapshot, world: World
) -> None:
    other = make_person("carl", sub="carl-sub")
    visitor = signed_in(other)
    where = f"/snapshots/{snapshot.id}"
    for method, path in (("GET", where), ("POST", f"{where}/verify"), ("GET", f"{where}/content")):
        problem(visitor.ask(method, path), 404)
    Permission.objects.create(
        person=other, name=Permission.Name.ADMINISTER_SNAPSHOTS, given_by="root-admin"
    )
    assert visitor.ask("GET", where).status_code == 200
    assert visitor.ask("POST", f"{where}/verify").json()["ok"] is True
    problem(visitor.ask("GET", f"{where}/content"), 403)
    assert visitor.ask("DELETE", where).status_code == 202


def test_a_flipped_bit_is_handed_to_verify(
    snapshot: Snapshot, as_owner: Visitor, settings: LazySettings
) -> None:
    good = as_owner.ask("POST", f"/snapshots/{snapshot.id}/verify").json()
    assert (good["ok"], good["detail"]) == (True, "")
    assert good["verified_at"]
    [file] = Path(str(settings.SNAPSHOTS.folder)).rglob("000001")
    content = bytearray(file.read_bytes())
    content[-5] ^= 4
    file.write_bytes(content)
    bad = as_owner.ask("POST", f"/snapshots/{snapshot.id}/verify").json()
    assert bad["ok"] is False
    assert "object 1 of “database.sql” was changed" in bad["detail"]
    typed = CliRunner().invoke(main, ["snapshots", "verify", str(snapshot.id)])
    assert typed.exit_code == 1
    assert "was changed" in typed.output


def test_it_is_renamed_and_deleted(
    snapshot: Snapshot, as_owner: Visitor, world: World, snapshot_store: SnapshotStore
) -> None:
    where = f"/snapshots/{snapshot.id}"
    assert as_owner.ask("PATCH", where, {"label": "Tuesday"}).json()["label"] == "Tuesday"
    assert as_owner.ask("DELETE", where).json()["plan"]
    problem(as_owner.ask("DELETE", where), 409)
    problem(as_owner.ask("GET", f"{where}/content"), 409)
    work(world)
    problem(as_owner.ask("GET", where), 404)
    assert list(snapshot_store.names()) == []


def test_it_is_restored_in_place(
    snapshot: Snapshot,
    database: Component,
    as_owner: Visitor,
    world: World,
    content: dict[str, source.Tables],
) -> None:
    content[database.address] = {}
    where = f"/snapshots/{snapshot.id}/restore"
    said = as_owner.ask("POST", where, {"in_place": True})
    assert said.status_code == 202, said.content
    assert said.json()["component"]["id"] == str(database.id)
    assert said.json()["snapshot"]["label"] == "Before restoring “Monday”"
    again = problem(as_owner.ask("POST", where, {"in_place": True}), 409)
    assert "restored in place of “Herbarium” already" in again["reason"]
    assert again["plan"] == said.json()["plan"]
    kept_first = said.json()["snapshot"]["id"]
    assert as_owner.ask("GET", f"/snapshots/{kept_first}").json()["state"] == "restoring"
    work(world)
    assert content == {database.address: TABLES}
    typed = CliRunner().invoke(main, ["snapshots", "restore", kept_first, "--in-place"])
    assert typed.exit_code == 0, typed.output
    assert "keeps the present content" in typed.output
    work(world)
    assert content == {database.address: {}}
    wrong = ["snapshots", "restore", kept_first, "--in-place", "--label", "x"]
    assert "neither --label" in CliRunner().invoke(main, wrong).output


def test_who_administers_snapshots_restores_in_place_for_the_owner(
    snapshot: Snapshot, database: Component, world: World, content: dict[str, source.Tables]
) -> None:
    carl = make_person("carl", sub="carl-sub")
    name = Permission.Name.ADMINISTER_SNAPSHOTS
    Permission.objects.create(person=carl, name=name, given_by="root-admin")
    content[database.address] = {}
    where = f"/snapshots/{snapshot.id}/restore"
    said = signed_in(carl).ask("POST", where, {"in_place": True}).json()
    assert said["snapshot"]["owner"] == "alice"
    assert said["snapshot"]["created_by"] == "carl"
    work(world)
    assert content == {database.address: TABLES}
    stranger = make_person("dora", sub="dora-sub")
    problem(signed_in(stranger).ask("POST", where, {"in_place": True}), 404)


def test_the_command_line(
    snapshot: Snapshot, world: World, tmp_path: Path, snapshot_store: SnapshotStore
) -> None:
    def typed(*words: str) -> str:
        done = CliRunner().invoke(main, ["snapshots", *words])
        assert done.exit_code == 0, done.output
        return done.output

    assert "Monday" in typed("list")
    file = tmp_path / "notes.sql.zst"
    typed("download", str(snapshot.id), str(file))
    assert b"maidenhair" in plain(file.read_bytes())
    again = CliRunner().invoke(main, ["snapshots", "download", str(snapshot.id), str(file)])
    assert (again.exit_code, "Name another file" in again.output) == (1, True)
    assert AuditEntry.objects.filter(event="snapshot:downloaded").count() == 1
    assert "as they were written" in typed("verify", str(snapshot.id))
    assert "deletes the snapshot" in typed("delete", str(snapshot.id))
    work(world)
    assert not Snapshot.objects.exists()


def test_a_key_is_shown_with_the_place_of_what_it_opens(
    snapshot: Snapshot, snapshot_store: SnapshotStore, tmp_path: Path
) -> None:
    assert snapshot.key
    identity, place = snapshot.key.reveal(), tmp_path / "kept" / snapshot.place
    assert {path.name for path in place.rglob("*") if path.is_file()} == {"0", "000001"}
    as_json = json.dumps({"identity": identity, "place": str(place)})
    shown = [([], f"# place: {place}\n{identity}\n"), (["--json"], f"{as_json}\n")]
    for times, (options, said) in enumerate(shown, start=1):
        typed = CliRunner().invoke(main, ["snapshots", "key", str(snapshot.id), *options])
        assert (typed.exit_code, typed.output) == (0, said)
        assert AuditEntry.objects.filter(event="snapshot:key_shown").count() == times
