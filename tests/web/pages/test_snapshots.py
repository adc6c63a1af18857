"""Snapshots on their pages: made, watched, restored, verified, downloaded, deleted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from django.conf import LazySettings
from django.test import Client

from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.conftest import TABLES, content, database, owner, snapshot_store, world
from tests.snapshots.test_in_place import break_loading
from tests.snapshots.test_plans import make
from tests.web.pages import scenes
from workspace_manager.records.models import (
    AuditEntry,
    Component,
    Membership,
    Permission,
    Person,
    Plan,
    Project,
    Snapshot,
    SnapshotSchedule,
)
from workspace_manager.snapshots.store.objects import SnapshotStore

__all__ = ["content", "database", "owner", "snapshot_store", "world"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def snapshot(database: Component, world: World, snapshot_store: SnapshotStore) -> Snapshot:
    scenes.set_up_systems("sql_server")
    return make(world, database)


@pytest.fixture
def as_owner(owner: Person, browser_of: Callable[[Person], Client]) -> Client:
    return browser_of(owner)


@pytest.fixture
def snapshot_administrator(browser_of: Callable[[Person], Client]) -> Client:
    """Somebody else, who administers snapshots."""
    person = make_person("carl", sub="carl-sub")
    Permission.objects.create(
        person=person, name=Permission.Name.ADMINISTER_SNAPSHOTS, given_by="root-admin"
    )
    return browser_of(person)


def text(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def test_it_is_made_on_the_page_of_its_component_and_watched(
    database: Component, as_owner: Client, world: World, snapshot_store: SnapshotStore
) -> None:
    scenes.set_up_systems("sql_server")
    page = text(as_owner, f"/components/{database.id}")
    assert "Create a snapshot" in page
    assert "No snapshots yet" in page
    asked = as_owner.post(f"/components/{database.id}/snapshots", {"label": "Before the exam"})
    made = Snapshot.objects.get()
    where = f"/snapshots/{made.id}"
    assert asked.headers["Location"] == where
    assert (made.label, made.created_by) == ("Before the exam", "alice")
    page = text(as_owner, where)
    assert "The snapshot is being created." in page
    assert "Copy the content" in page
    assert "Download" not in page
    again = as_owner.post(f"/components/{database.id}/snapshots", follow=True)
    assert "is being made already" in again.content.decode()
    seen = page.split("progress?seen=")[1].split('"')[0]
    assert as_owner.get(f"{where}/progress", {"seen": seen}).status_code == 204
    Snapshot.objects.update(content_bytes=4096)
    assert "Copied so far: 4.0" in text(as_owner, f"{where}/progress?seen={seen}")
    work(world)
    assert as_owner.get(f"{where}/progress", {"seen": seen}).headers["HX-Refresh"] == "true"
    page = text(as_owner, where)
    assert "everything is of one moment" in page
    assert 'class="step' not in page
    assert f'href="{where}"' in text(as_owner, f"/components/{database.id}")


def test_the_list_has_words_for_nothing_and_for_states(
    snapshot: Snapshot, as_owner: Client, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    other = browser_of(bela)
    assert "No snapshots yet" in text(other, "/snapshots")
    page = text(as_owner, "/snapshots")
    assert all(word in page for word in ("Monday", "Herbarium", "alice", "ready"))
    assert "Nothing found." in text(as_owner, "/snapshots?state=failed")
    states = {"creating": "being created", "failed": "failed", "deleting": "being deleted"}
    for state, said in states.items():
        Snapshot.objects.update(state=state)
        assert said in text(as_owner, f"/snapshots?state={state}")


def test_it_is_restored_as_a_new_component(
    snapshot: Snapshot,
    owner: Person,
    as_owner: Client,
    world: World,
    content: dict[str, source.Tables],
) -> None:
    project = Project.objects.create(owner=owner, label="Plants")
    where = f"/snapshots/{snapshot.id}"
    assert "Plants" in text(as_owner, where)
    empty = as_owner.post(f"{where}/restore", {"label": ""})
    assert empty.status_code == 422
    assert "This field is required." in empty.content.decode()
    asked = as_owner.post(f"{where}/restore", {"label": "Again", "project": str(project.id)})
    made = Component.objects.get(label="Again")
    assert asked.headers["Location"] == f"/components/{made.id}"
    assert (made.owner, made.project) == (owner, project)
    page = text(as_owner, where)
    assert "being restored" in page
    assert f'href="/components/{made.id}"' in page
    assert "Restore the content" in text(as_owner, f"/components/{made.id}")
    refused = as_owner.post(f"{where}/delete", {"confirm": "Monday"})
    assert refused.status_code == 409
    assert "wait until that has ended" in refused.content.decode()
    work(world)
    made.refresh_from_db()
    assert content[made.address]["ferns"] == ["maidenhair"]
    assert not Plan.objects.filter(state__in=Plan.OPEN).exists()


def test_it_is_restored_in_place_after_its_name_was_typed(
    snapshot: Snapshot,
    database: Component,
    as_owner: Client,
    world: World,
    content: dict[str, source.Tables],
) -> None:
    content[database.address] = {}
    where = f"/snapshots/{snapshot.id}"
    page = text(as_owner, where)
    assert "Restore in place of the content of Herbarium" in page
    assert "kept as another snapshot first: Before restoring “Monday”" in page
    assert database.address in page
    wrong = as_owner.post(f"{where}/restore-in-place", {"confirm": "herb"})
    assert wrong.status_code == 422
    assert "Type the component’s name exactly as shown." in wrong.content.decode()
    assert not Plan.objects.filter(kind="snapshot.restore_in_place").exists()
    asked = as_owner.post(f"{where}/restore-in-place", {"confirm": "Herbarium"})
    assert asked.headers["Location"] == where
    page = text(as_owner, where)
    assert "A snapshot is being restored in place." in page
    assert "Load the content beside the present one" in page
    again = as_owner.post(f"{where}/restore-in-place", {"confirm": "Herbarium"})
    assert again.status_code == 409
    work(world)
    assert content == {database.address: TABLES}
    Component.objects.filter(id=database.id).update(state=Component.State.FAILED)
    assert "Restore in place" not in text(as_owner, where)


def test_a_restore_in_place_that_is_stuck_says_so_and_offers_another(
    snapshot: Snapshot,
    database: Component,
    as_owner: Client,
    world: World,
    content: dict[str, source.Tables],
) -> None:
    where = f"/snapshots/{snapshot.id}"
    source.MEANWHILE.append(break_loading)
    as_owner.post(f"{where}/restore-in-place", {"confirm": "Herbarium"})
    work(world)
    source.MEANWHILE.clear()
    page = text(as_owner, where)
    assert "The restore in place is stuck, and nothing was replaced." in page
    assert "is being restored in place" not in page
    assert "Restore in place of the content of Herbarium" in page
    again = as_owner.post(f"{where}/restore-in-place", {"confirm": "Herbarium"})
    assert again.headers["Location"] == where
    assert "A snapshot is being restored in place." in text(as_owner, where)
    work(world)
    assert content == {database.address: TABLES}


def test_its_component_has_a_schedule(
    database: Component, as_owner: Client, snapshot_store: SnapshotStore
) -> None:
    scenes.set_up_systems("sql_server")
    where = f"/components/{database.id}"
    assert "Save the schedule" in text(as_owner, where)
    wrong = as_owner.post(f"{where}/snapshot-schedule", {"every": "day", "keep": "0"}, follow=True)
    assert "Write a number from 1 to 366." in wrong.content.decode()
    assert not SnapshotSchedule.objects.exists()
    as_owner.post(f"{where}/snapshot-schedule", {"every": "day", "keep": "3"})
    page = text(as_owner, where)
    assert "A snapshot is created every day." in page
    assert 'value="3"' in page
    as_owner.post(f"{where}/snapshot-schedule", {"every": "", "keep": ""})
    assert not SnapshotSchedule.objects.exists()
    assert "A snapshot is created" not in text(as_owner, where)


def test_it_is_verified_and_a_flipped_bit_is_said(
    snapshot: Snapshot, as_owner: Client, settings: LazySettings
) -> None:
    where = f"/snapshots/{snapshot.id}"
    good = as_owner.post(f"{where}/verify", follow=True).content.decode()
    assert "Verified: everything is as it was written." in good
    [file] = Path(str(settings.SNAPSHOTS.folder)).rglob("000001")
    bytes_ = bytearray(file.read_bytes())
    bytes_[-5] ^= 4
    file.write_bytes(bytes_)
    bad = as_owner.post(f"{where}/verify", follow=True).content.decode()
    assert "The snapshot is damaged: " in bad
    assert "object 1 of “database.sql” was changed" in bad


def test_its_owner_downloads_it(snapshot: Snapshot, as_owner: Client) -> None:
    where = f"/snapshots/{snapshot.id}"
    assert f'href="{where}/content"' in text(as_owner, where)
    downloads = AuditEntry.objects.filter(event="snapshot:downloaded")
    as_owner.head(f"{where}/content")
    assert not downloads.exists()
    answer: Any = as_owner.get(f"{where}/content")
    compressed = b"".join(answer.streaming_content)
    assert b"maidenhair" in zstandard.ZstdDecompressor().decompressobj().decompress(compressed)
    assert answer.headers["Content-Disposition"].endswith('.sql.zst"')
    assert downloads.count() == 1
    rest: Any = as_owner.get(f"{where}/content", headers={"Range": "bytes=10-"})
    assert (rest.status_code, b"".join(rest.streaming_content)) == (206, compressed[10:])
    behind = as_owner.get(f"{where}/content", headers={"Range": "bytes=99999-"})
    assert behind.status_code == 416
    Snapshot.objects.update(state="failed")
    assert as_owner.get(f"{where}/content").status_code == 409


def test_it_is_deleted_by_its_name(
    snapshot: Snapshot, as_owner: Client, world: World, snapshot_store: SnapshotStore
) -> None:
    where = f"/snapshots/{snapshot.id}"
    wrong = as_owner.post(f"{where}/delete", {"confirm": "Tuesday"})
    assert wrong.status_code == 422
    assert "name exactly as shown" in wrong.content.decode()
    assert list(snapshot_store.names())
    assert as_owner.post(f"{where}/delete", {"confirm": "Monday"}).headers["Location"] == where
    page = text(as_owner, where)
    assert "The snapshot is being deleted." in page
    assert "Delete this snapshot" not in page
    work(world)
    assert list(snapshot_store.names()) == []
    assert as_owner.get(where).status_code == 404
    assert as_owner.get(f"{where}/progress").headers["HX-Redirect"] == "/snapshots"


def test_who_administers_snapshots_never_sees_content(
    snapshot: Snapshot, owner: Person, snapshot_administrator: Client
) -> None:
    Project.objects.create(owner=owner, label="Plants")
    where = f"/snapshots/{snapshot.id}"
    assert "Monday" in text(snapshot_administrator, "/snapshots")
    page = text(snapshot_administrator, where)
    assert "Only alice can download the content." in page
    assert f"{where}/content" not in page
    assert "Plants" not in page
    assert snapshot_administrator.get(f"{where}/content").status_code == 403
    assert not AuditEntry.objects.filter(event="snapshot:downloaded").exists()
    verified = snapshot_administrator.post(f"{where}/verify", follow=True).content.decode()
    assert "Verified: everything is as it was written." in verified
    asked = snapshot_administrator.post(f"{where}/restore", {"label": "Again"})
    assert asked.headers["Location"] == where
    assert Component.objects.get(label="Again").owner == owner
    assert "The snapshot is being restored as a new component." in text(
        snapshot_administrator, where
    )


def test_members_of_the_project_see_none(
    snapshot: Snapshot,
    database: Component,
    owner: Person,
    bela: Person,
    browser_of: Callable[[Person], Client],
) -> None:
    database.project = Project.objects.create(owner=owner, label="Plants")
    database.save()
    Membership.objects.create(project=database.project, person=bela)
    member = browser_of(bela)
    page = text(member, f"/components/{database.id}")
    assert "Create a snapshot" not in page
    assert "Monday" not in page
    assert member.post(f"/components/{database.id}/snapshots").status_code == 403
    assert member.get(f"/snapshots/{snapshot.id}").status_code == 404
    assert "Monday" not in text(member, "/snapshots")


def test_what_no_system_keeps_is_not_offered(
    as_anna: Client, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.keep_nothing("triplestore", monkeypatch)
    repository = scenes.repository(anna, "Places")
    page = text(as_anna, f"/components/{repository.id}")
    assert "Create a snapshot" not in page
    assert 'id="snapshots"' not in page
