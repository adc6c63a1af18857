"""Settings of systems are changed by whoever signed in a few minutes ago."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import LazySettings

from tests.access.sign_in_setup import SignInSetup, pin_provider, start_provider
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.access import tokens
from workspace_manager.records.models import AuditEntry, Person, StoredSetting

pytestmark = pytest.mark.django_db
TYPED = {"settings": {"url": "https://t.example"}}


def aged(visitor: Visitor, minutes: float) -> None:
    """Let this session's sign-in be so long ago."""
    session = visitor.session
    session["proved_at"] = time.time() - minutes * 60
    session.save()


def changes(visitor: Visitor) -> list[int]:
    """What every door of a session answers to a change, and to a test."""
    form = {"triplestore-url": "https://t.example", "triplestore-flavour": "graphdb"}
    return [
        visitor.ask("PATCH", "/systems/triplestore", TYPED).status_code,
        visitor.ask("POST", "/systems/triplestore/test", TYPED).status_code,
        visitor.post("/manage/systems/triplestore/settings", form).status_code,
        visitor.post("/manage/systems/triplestore/test", form).status_code,
    ]


def test_an_old_sign_in_changes_no_settings(as_administrator: Visitor) -> None:
    aged(as_administrator, 11)
    assert changes(as_administrator) == [403] * 4
    told = problem(as_administrator.ask("PATCH", "/systems/triplestore", TYPED), 403)
    assert "only within 10 minutes of signing in. Sign in again." in told["detail"]
    assert not StoredSetting.objects.exists()
    assert not AuditEntry.objects.filter(event__startswith="settings:").exists()
    page = as_administrator.get("/manage/systems")
    assert page.status_code == 200
    assert "/sign-in?next=%2Fmanage%2Fsystems&amp;again=1" in page.content.decode()
    live = {"HX-Request": "true"}
    part = as_administrator.post("/manage/systems/triplestore/test", {}, headers=live)
    assert "only within 10 minutes of signing in. Sign in again." in part.content.decode()


def test_a_session_that_never_said_when_is_old(as_administrator: Visitor) -> None:
    session = as_administrator.session
    del session["proved_at"]
    session.save()
    assert changes(as_administrator) == [403] * 4


def test_a_fresh_sign_in_does(as_administrator: Visitor, settings: LazySettings) -> None:
    assert 403 not in changes(as_administrator)
    aged(as_administrator, 11)
    settings.FRESH_SIGN_IN_MINUTES = 12
    assert 403 not in changes(as_administrator)
    assert "again=1" not in as_administrator.get("/manage/systems").content.decode()


@pytest.mark.parametrize("scope", tokens.Scope.values)
def test_a_token_has_no_sign_in(ada: Person, scope: str) -> None:
    """Only one that was made on the server does without: there settings can be changed anyway."""
    _, clear = tokens.create(ada, name="t", actor="ada", scope=scope)
    sent = {"Authorization": f"Bearer {clear}"}
    answers = [
        Visitor().ask(method, f"/systems/triplestore{where}", TYPED, headers=sent).status_code
        for method, where in (("PATCH", ""), ("POST", "/test"))
    ]
    assert {answer == 403 for answer in answers} == {scope != tokens.Scope.OPERATION}


def test_an_old_sign_in_makes_no_token_for_administration(as_administrator: Visitor) -> None:
    asked = {"label": "t", "scope": "administration"}
    assert as_administrator.ask("POST", "/me/tokens", asked).status_code == 201
    aged(as_administrator, 11)
    told = problem(as_administrator.ask("POST", "/me/tokens", asked), 403)
    assert "only within 10 minutes of signing in. Sign in again." in told["detail"]
    page = as_administrator.post("/tokens", {"name": "t", "scope": "administration"})
    assert page.status_code == 403
    assert "/sign-in?next=%2Ftokens&amp;again=1" in page.content.decode()
    assert as_administrator.ask("POST", "/me/tokens", asked | {"scope": "own"}).status_code == 201


def test_a_token_that_is_not_good_lends_nothing_to_a_session(as_administrator: Visitor) -> None:
    aged(as_administrator, 11)
    answer = as_administrator.ask(
        "PATCH", "/systems/triplestore", TYPED, headers={"Authorization": "Bearer no"}
    )
    assert answer.status_code == 401


def test_whoever_is_signed_in_proves_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with start_provider("gina") as setup:
        pin_provider(monkeypatch, setup)
        _prove_again(setup, Visitor())


def _prove_again(setup: SignInSetup, client: Visitor) -> None:
    setup.sign_in(client, "gina")
    aged(client, 60)
    assert client.get("/sign-in", {"next": "/projects"}).headers["Location"] == "/projects"
    way = client.get("/sign-in", {"next": "/projects", "again": "1"}).headers["Location"]
    asked = parse_qs(urlsplit(way).query)
    assert (asked["prompt"], asked["max_age"]) == (["login"], ["0"])
    done = client.get(setup.fill_in(way, "gina"))
    assert done.headers["Location"] == "/projects"
    assert time.time() - client.session["proved_at"] < 60
