"""The page of a new component from a file: its form is read while it arrives."""

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.snapshots.conftest import content, owner, snapshot_store, world
from tests.snapshots.test_upload import FILE, nothing_is_left, sql_server
from tests.visitors import BACKEND, Visitor
from workspace_manager.records.models import Component, Person, Snapshot
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots_settings import SnapshotBounds

__all__ = ["content", "owner", "snapshot_store", "sql_server", "world"]

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/components/from-file"
TOKEN = "x" * 32


@pytest.fixture
def visitor(owner: Person) -> Visitor:
    """One whose forms are looked at for their proof, as a browser's are."""
    visitor = Visitor(enforce_csrf_checks=True)
    visitor.force_login(owner, backend=BACKEND)
    visitor.cookies["csrftoken"] = TOKEN
    return visitor


def form(file: bytes = FILE, **members: str) -> dict[str, object]:
    typed = {"csrfmiddlewaretoken": TOKEN, "kind": "sql_database", "label": "Herbs", "project": ""}
    return {**typed, **members, "content": SimpleUploadedFile("herbs.sql", file)}


def test_the_page_has_a_form_whose_file_is_last(visitor: Visitor) -> None:
    page = visitor.get(PAGE).content.decode()
    names = ("csrfmiddlewaretoken", "kind", "label", "project", "content")
    places = [page.index(f'name="{name}"') for name in names]
    assert places == sorted(places)
    assert 'enctype="multipart/form-data"' in page
    assert f'href="{PAGE}"' in visitor.get("/components/new").content.decode()


def test_a_file_is_sent_and_the_page_of_the_component_follows(visitor: Visitor) -> None:
    answer = visitor.post(PAGE, form())
    component = Component.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/components/{component.id}")
    snapshot = Snapshot.objects.get()
    assert (snapshot.label, snapshot.source_label) == ("Herbs", "herbs.sql")
    page = visitor.get(f"/snapshots/{snapshot.id}").content.decode()
    assert "herbs.sql" in page
    assert visitor.get("/snapshots").status_code == 200


def test_a_form_of_another_page_is_refused(visitor: Visitor, snapshot_store: SnapshotStore) -> None:
    assert visitor.post(PAGE, form(csrfmiddlewaretoken="y" * 32)).status_code == 403
    plain = visitor.generic("POST", PAGE, b"label=H", "application/x-www-form-urlencoded")
    assert plain.status_code == 403
    assert nothing_is_left(snapshot_store)


def test_what_was_typed_stays_when_something_is_wrong(
    visitor: Visitor, snapshot_store: SnapshotStore, settings: LazySettings
) -> None:
    for wrong, why in (
        (form(b"\x89PNG", label="Typed once"), "not of ours"),
        (form(b"", label="Typed once"), "not of ours"),
        (form(kind="windmill", label="Typed once"), "windmill"),
        ({**form(label="Typed once"), "content": ""}, "not of ours"),
    ):
        answer = visitor.post(PAGE, wrong)
        assert answer.status_code == 422
        assert "Typed once" in answer.content.decode()
        assert why in answer.content.decode()
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(upload_bytes=9)
    answer = visitor.post(PAGE, form(label="Typed once"))
    assert (answer.status_code, b"twenty times" in answer.content) == (422, True)
    too_long = visitor.generic("POST", PAGE, b"x", "multipart/form-data", CONTENT_LENGTH="99999")
    assert too_long.status_code == 413
    assert nothing_is_left(snapshot_store)


def test_what_is_no_form_is_refused(visitor: Visitor) -> None:
    assert visitor.generic("POST", PAGE, b"x", "multipart/form-data").status_code == 400
