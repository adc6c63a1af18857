"""The door for administrators while the identity provider cannot be used."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from tests.fake_world.people import make_person
from workspace_manager.access import tokens
from workspace_manager.records.models import ApiToken, AuditEntry, Person
from workspace_manager.web.sign_in.marks import EMERGENCY

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def emergency(settings: LazySettings) -> None:
    settings.EMERGENCY_SIGN_IN = True


def token_of(username: str, *, role: str = "administrator") -> str:
    person = make_person(username, role=role)
    scope = tokens.widest_scope(person)
    return tokens.create(person, name="emergency", actor=username, scope=scope)[1]


def knock(client: Client, token: str) -> int:
    return client.post("/emergency/", {"token": token}).status_code


def test_an_administrator_comes_in_with_a_token_of_the_server(client: Client) -> None:
    token = token_of("ada")
    assert client.get("/emergency/").status_code == 200
    before = client.cookies.get("sessionid")
    answer = client.post("/emergency/", {"token": f" {token}\n"})
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert client.cookies["sessionid"] != before
    assert client.get("/manage/people").status_code == 200
    assert AuditEntry.objects.filter(event="sign_in:emergency", actor="ada").exists()


@pytest.mark.parametrize("state", [Person.State.SUSPENDED, Person.State.LEAVING])
def test_nobody_else_comes_in(client: Client, state: str) -> None:
    assert knock(client, token_of("bob", role="user")) == 403
    assert knock(client, "wsm_of-nobody") == 403
    assert knock(client, "") == 403
    gone = token_of("carla")
    Person.objects.filter(username="carla").update(state=state)
    assert knock(client, gone) == 403
    assert client.get("/manage/people").status_code == 302
    assert AuditEntry.objects.filter(event="sign_in:emergency_refused").count() == 4


@pytest.mark.parametrize("scope", ["read", "own", "administration"])
def test_a_token_that_a_session_made_opens_nothing(client: Client, scope: str) -> None:
    """A session would come of it, which makes tokens."""
    ada = make_person("ada", role="administrator")
    assert knock(client, tokens.create(ada, name="t", actor="ada", scope=scope)[1]) == 403


def test_guessing_is_slow(client: Client) -> None:
    token = token_of("ada")
    tries = [knock(client, "wsm_guess") for _ in range(11)]
    assert tries == [403] * 10 + [429]
    assert knock(client, token) == 429


@pytest.mark.parametrize("end", ["revoked", "expired", "switched off", "from an earlier version"])
def test_the_session_ends_with_what_opened_it(
    client: Client, settings: LazySettings, end: str
) -> None:
    assert knock(client, token_of("ada")) == 302
    assert client.get("/manage/people").status_code == 200
    token = ApiToken.objects.get()
    if end == "revoked":
        tokens.revoke(token, actor="ada")
    elif end == "expired":
        ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif end == "switched off":
        settings.EMERGENCY_SIGN_IN = False
    else:
        session = client.session
        session[EMERGENCY] = True
        session.save()
    assert client.get("/manage/people").status_code == 302
    assert "_auth_user_id" not in client.session


def test_without_the_setting_there_is_no_such_door(client: Client, settings: LazySettings) -> None:
    settings.EMERGENCY_SIGN_IN = False
    assert client.get("/emergency/").status_code == 404
    assert knock(client, token_of("ada")) == 404
