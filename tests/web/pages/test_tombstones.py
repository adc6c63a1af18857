"""Names that are kept: listed with the removal they stay of, and released."""

from datetime import timedelta

from django.test import Client
from django.utils import timezone

from tests.web.pages import scenes
from workspace_manager.records.models import Person, Tombstone


def test_an_empty_list_teaches(as_ada: Client) -> None:
    assert "No reserved names" in as_ada.get("/manage/tombstones").content.decode()


def test_a_name_is_shown_with_its_removal_and_released(
    as_ada: Client, ada: Person, anna: Person
) -> None:
    plan = scenes.removal(anna, ada)
    Tombstone.objects.create(
        username="anna",
        sub="anna-sub",
        accounts=[{"system": "sql_server", "kind": "sql_server.user", "name": "ws_anna"}],
        plan=plan.id,
        expires_at=timezone.now() + timedelta(days=90),
    )
    page = as_ada.get("/manage/tombstones").content.decode()
    for text in ("anna-sub", "ws_anna", f"/manage/plans/{plan.id}", "1 former account"):
        assert text in page
    done = as_ada.post("/manage/tombstones/anna/release", follow=True).content.decode()
    assert "The name anna can be used again." in done
    assert "No reserved names" in done
    assert as_ada.post("/manage/tombstones/anna/release").status_code == 404
