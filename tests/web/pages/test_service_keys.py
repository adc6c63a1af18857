"""Service keys: shown once, to their owner, on request, and kept by nobody."""

from django.test import Client

from tests.web.pages import scenes
from workspace_manager.records.models import Person

SECRET = "correct-horse-battery-staple"


def test_the_list_shows_no_secret(as_anna: Client, anna: Person) -> None:
    scenes.key(anna, "sql_server", "ws_anna")
    page = as_anna.get("/service-keys").content.decode()
    assert "ws_anna" in page
    assert "Show it once" in page
    assert SECRET not in page


def test_it_is_shown_once_and_masked(as_anna: Client, anna: Person) -> None:
    key = scenes.key(anna, "sql_server", "ws_anna")
    first = as_anna.post(f"/service-keys/{key.id}/reveal")
    page = first.content.decode()
    assert first.headers["Cache-Control"] == "no-store"
    assert f'<input id="secret" type="password" value="{SECRET}"' in page
    second = as_anna.post(f"/service-keys/{key.id}/reveal")
    assert second.status_code == 409
    assert SECRET not in second.content.decode()
    assert "not kept here any more" in second.content.decode()


def test_nobody_else_sees_it(as_anna: Client, as_ada: Client, bela: Person) -> None:
    key = scenes.key(bela, "sql_server", "ws_bela")
    assert as_anna.post(f"/service-keys/{key.id}/reveal").status_code == 404
    assert as_ada.post(f"/service-keys/{key.id}/reveal").status_code == 404
    key.refresh_from_db()
    assert key.secret is not None


def test_looking_is_not_revealing(as_anna: Client, anna: Person) -> None:
    key = scenes.key(anna, "sql_server", "ws_anna")
    assert as_anna.get(f"/service-keys/{key.id}/reveal").status_code == 405


def test_an_empty_list_teaches(as_anna: Client) -> None:
    assert "your first component" in as_anna.get("/service-keys").content.decode()
