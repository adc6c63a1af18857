"""Oneself: tokens, and the drive."""

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import ApiToken


def test_a_token_is_shown_once(as_alice: Visitor, as_nobody: Visitor) -> None:
    answer = as_alice.ask("POST", "/me/tokens", {"name": "  my\tlaptop "})
    assert answer.status_code == 201
    made = answer.json()
    assert made["name"] == "my laptop"
    assert ApiToken.objects.get().digest not in answer.content.decode()
    listed = as_alice.ask("GET", "/me/tokens")
    assert made["token"] not in listed.content.decode()
    assert listed.json()["items"] == [{k: v for k, v in made.items() if k != "token"}]
    asked = as_nobody.ask("GET", "/me", headers={"Authorization": f"Bearer {made['token']}"})
    assert asked.json()["username"] == "alice"


def test_nobody_ends_the_token_of_another(as_alice: Visitor, as_administrator: Visitor) -> None:
    token = as_alice.ask("POST", "/me/tokens", {"name": "laptop"}).json()
    problem(as_administrator.ask("DELETE", f"/me/tokens/{token['id']}"), 404)
    assert ApiToken.objects.count() == 1
    gone = as_alice.ask("DELETE", f"/me/tokens/{token['id']}")
    assert (gone.status_code, gone.content) == (204, b"")


def test_the_drive_is_not_connected(as_alice: Visitor) -> None:
    shown = as_alice.ask("GET", "/me/drive").json()
    assert (shown["connected"], shown["method"], shown["login_name"]) == (False, None, None)
