"""A component from an uploaded file: the file is a snapshot of its owner, and nothing is left of
one that cannot be.
"""

import gzip
import json
import tarfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
import zstandard
from django.conf import LazySettings
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.conftest import TABLES
from tests.visitors import API, BACKEND, Visitor
from tests.web.api.documents import problem
from tests.web.pages import scenes
from workspace_manager.records.models import AuditEntry, Component, Person, Plan, Project, Snapshot
from workspace_manager.snapshots import restoration, upload
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots_settings import SnapshotBounds
from workspace_manager.web import uploads

pytestmark = pytest.mark.django_db(transaction=True)

FILE = json.dumps(TABLES).encode()
TAR = BytesIO()
with tarfile.open(fileobj=TAR, mode="w") as archive:
    archive.addfile(tarfile.TarInfo("notes"))


@pytest.fixture(autouse=True)
def sql_server(
    owner: Person, content: dict[str, source.Tables], snapshot_store: SnapshotStore
) -> None:
    scenes.set_up_systems("sql_server")
    cache.clear()


@pytest.fixture
def as_owner(owner: Person) -> Visitor:
    visitor = Visitor()
    visitor.force_login(owner, backend=BACKEND)
    return visitor


def send(visitor: Visitor, content: bytes = FILE, **members: str) -> Any:
    form: dict[str, Any] = {"kind": "sql_database", "label": "Herbarium", **members}
    form["content"] = SimpleUploadedFile("herbs.sql", content)
    return visitor.post(f"{API}/components", form)


def nothing_is_left(kept: SnapshotStore) -> bool:
    return not (list(kept.names()) or Snapshot.objects.exists() or Component.objects.exists())


@pytest.mark.parametrize(
    "pack",
    [bytes, gzip.compress, zstandard.compress],
    ids=["plain", "gzip", "zstd"],
)
def test_a_file_becomes_a_component_and_stays_a_snapshot(
    as_owner: Visitor,
    world: World,
    content: dict[str, source.Tables],
    pack: Callable[[bytes], bytes],
) -> None:
    answer = send(as_owner, pack(FILE))
    assert answer.status_code == 202, answer.content
    made = answer.json()["component"]
    assert answer.headers["Location"].endswith(made["id"])
    work(world)
    assert not Plan.objects.exclude(state=Plan.State.DONE).exists()
    component = Component.objects.get(id=made["id"])
    assert (component.state, component.label) == ("ready", "Herbarium")
    assert content[component.address] == TABLES
    [kept] = as_owner.ask("GET", "/snapshots").json()["items"]
    assert kept["source"] == {
        "type": "upload",
        "id": None,
        "label": "herbs.sql",
        "kind": "sql_database",
    }
    assert (kept["state"], kept["label"], kept["owner"]) == ("ready", "Herbarium", "alice")
    assert kept["content_bytes"] == len(FILE)
    assert "Nobody counted" in kept["notes"]
    assert AuditEntry.objects.filter(event="snapshot:uploaded", subject="alice").exists()


def test_its_download_can_be_uploaded_again_and_it_can_be_restored_again(
    as_owner: Visitor, owner: Person, world: World, content: dict[str, source.Tables]
) -> None:
    send(as_owner)
    work(world)
    snapshot = Snapshot.objects.get()
    download = as_owner.ask("GET", f"/snapshots/{snapshot.id}/content")
    again = send(as_owner, b"".join(download.streaming_content))
    restoration.restore_as_new(
        snapshot, label="Third", project=None, actor="alice", systems=world.systems()
    )
    work(world)
    assert again.status_code == 202
    rows = Component.objects.filter(state="ready")
    assert [content[one.address] for one in rows] == [TABLES] * 3
    in_place = as_owner.ask("POST", f"/snapshots/{snapshot.id}/restore", {"in_place": True})
    assert "as a new component" in problem(in_place, 409)["reason"]


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        TAR.getvalue(),
        gzip.compress(TAR.getvalue()),
        gzip.compress(FILE)[:-9],
        zstandard.compress(FILE)[:-3],
        gzip.compress(FILE)[:20] + b"spoiled" * 9,
        zstandard.compress(FILE)[:9] + b"spoiled" * 9,
    ],
    ids=["empty", "png", "tar", "tar.gz", "cut gz", "cut zst", "spoiled gz", "spoiled zst"],
)
def test_what_is_no_dump_is_refused_at_once(
    as_owner: Visitor, snapshot_store: SnapshotStore, file: bytes
) -> None:
    [error] = problem(send(as_owner, file), 422)["errors"]
    assert error["field"] == "content"
    assert nothing_is_left(snapshot_store)
    assert not Plan.objects.exists()


@pytest.mark.parametrize(
    "members",
    [
        {"kind": "knowledge_stack"},
        {"kind": "windmill"},
        {"label": " "},
        {"label": "x" * 5000},
        {"project": "mine"},
        {"project": "00000000-0000-4000-8000-000000000000"},
        {"unknown": "1"},
    ],
    ids=str,
)
def test_members_are_refused_before_the_file_is_kept(
    as_owner: Visitor, snapshot_store: SnapshotStore, members: dict[str, str]
) -> None:
    [error] = problem(send(as_owner, FILE, **members), 422)["errors"]
    assert error["field"] == next(iter(members))
    assert nothing_is_left(snapshot_store)


def test_a_form_has_its_file_last(as_owner: Visitor, snapshot_store: SnapshotStore) -> None:
    first = {"content": SimpleUploadedFile("a", FILE), "kind": "sql_database", "label": "H"}
    problem(as_owner.post(f"{API}/components", first), 422)
    late = {"kind": "sql_database", "label": "H", **first, "project": ""}
    late["content"] = late.pop("content")
    late["more"] = "1"
    [error] = problem(as_owner.post(f"{API}/components", late), 422)["errors"]
    assert "last" in error["message"]
    [error] = problem(as_owner.post(f"{API}/components", {"label": "H"}), 422)["errors"]
    assert error["field"] == "content"
    assert nothing_is_left(snapshot_store)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data; x\r\n\r\n"),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="label"\r\n\r\n\xff\xff\r\n--b--\r\n',
        ),
    ],
)
def test_what_is_no_form_is_refused(as_owner: Visitor, kind: str, body: bytes) -> None:
    answer = as_owner.generic("POST", f"{API}/components", body, kind)
    assert answer.status_code in {400, 422}, answer.content


def test_it_is_for_a_project_that_one_shares(
    as_owner: Visitor, owner: Person, world: World
) -> None:
    project = Project.objects.create(owner=owner, label="Ferns")
    assert send(as_owner, project=str(project.id)).status_code == 202
    assert send(as_owner, project="").status_code == 202
    work(world)
    assert list(Component.objects.filter(project=project).values_list("state", flat=True)) == [
        "ready"
    ]


def test_nobody_else_and_no_foreign_page_uploads(
    owner: Person, snapshot_store: SnapshotStore
) -> None:
    problem(send(Visitor()), 401)
    strict = Visitor(enforce_csrf_checks=True)
    strict.force_login(owner, backend=BACKEND)
    problem(send(strict, csrfmiddlewaretoken="x" * 32), 403)
    assert nothing_is_left(snapshot_store)
    strict.cookies["csrftoken"] = "x" * 32
    strict.defaults["HTTP_X_CSRFTOKEN"] = "x" * 32
    assert send(strict).status_code == 202


def test_a_file_above_the_bound_leaves_nothing(
    as_owner: Visitor, snapshot_store: SnapshotStore, settings: LazySettings
) -> None:
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(upload_bytes=len(FILE))
    assert send(as_owner).status_code == 202
    Snapshot.objects.all().delete()
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(upload_bytes=len(FILE) - 1)
    assert "89" not in problem(send(as_owner), 413)["detail"]
    assert not Snapshot.objects.exists()
    bomb = zstandard.compress(b"{" + bytes(upload.EXPANSION * len(FILE)))
    problem(send(as_owner, bomb), 413)
    assert not Snapshot.objects.exists()


def test_by_its_headers_alone_a_long_body_is_refused(
    as_owner: Visitor, settings: LazySettings
) -> None:
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(upload_bytes=1)
    most = 1 + uploads.OTHER_MEMBERS
    answer = as_owner.generic(
        "POST", f"{API}/components", b"x", "multipart/form-data", CONTENT_LENGTH=str(most + 1)
    )
    assert "twenty times" in problem(answer, 413)["detail"]
    for type_ in ("application/json", "text/plain"):
        problem(as_owner.generic("POST", f"{API}/components", b"x" * most, type_), 413)


def test_what_one_person_keeps_is_bounded(as_owner: Visitor, settings: LazySettings) -> None:
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(count=1)
    assert send(as_owner).status_code == 202
    assert "Delete some" in problem(send(as_owner), 409)["reason"]
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(bytes=1)
    problem(send(as_owner), 409)
    assert Snapshot.objects.count() == 1
