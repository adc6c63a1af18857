"""The session and the way to it: not fixed by somebody else, not led elsewhere, not finished by
another browser (ASVS V7, V10).
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import LazySettings
from django.test import Client

from tests.access import headers
from tests.access.sign_in_setup import (
    CALLBACK,
    SignInSetup,
    pin_provider,
    read_query,
    start_provider,
)
from tests.pinned_settings import pin
from tests.visitors import Visitor
from workspace_manager.access.session_store import SessionStore, stored_name
from workspace_manager.records.models import Person, Session

ELSEWHERE = [
    "https://evil.example/",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example/",
    "\\\\evil.example",
    "http:evil.example",
    "http:///evil.example",
    "https://testserver.evil.example/",
    "https://testserver@evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "\t//evil.example",
]


@pytest.fixture(scope="module")
def open_door() -> Iterator[SignInSetup]:
    with start_provider("gina") as setup:
        yield setup


@pytest.fixture
def setup(open_door: SignInSetup, monkeypatch: pytest.MonkeyPatch, db: None) -> SignInSetup:
    pin_provider(monkeypatch, open_door)
    return open_door


def test_a_session_that_was_there_before_is_not_the_one_that_is_signed_in(
    setup: SignInSetup,
) -> None:
    """Whoever planted a session in this browser holds nothing after the sign-in."""
    client, store = Visitor(), SessionStore()
    store.create()
    before = client.cookies["sessionid"] = str(store.session_key)
    way = setup.start(client)
    assert client.get(setup.fill_in(way, "gina")).status_code == 302
    after = client.cookies["sessionid"].value
    assert after != before
    assert not Session.objects.filter(session_key=stored_name(before)).exists()
    planted = Visitor()
    planted.cookies["sessionid"] = before
    assert planted.get("/components").status_code == 302
    assert client.get("/components").status_code == 200


def test_a_session_that_was_never_ours_is_not_taken(setup: SignInSetup) -> None:
    client = Visitor()
    client.cookies["sessionid"] = "a" * 32
    setup.sign_in(client, "gina")
    assert client.cookies["sessionid"].value != "a" * 32
    assert not Session.objects.filter(session_key=stored_name("a" * 32)).exists()


def test_the_cookie_is_for_this_server_and_no_script(
    setup: SignInSetup, settings: LazySettings
) -> None:
    settings.SESSION_COOKIE_SECURE = True
    client = Visitor()
    setup.sign_in(client, "gina")
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["secure"]
    assert cookie["samesite"] == "Lax"
    assert 12 * 3600 - 60 < cookie["max-age"] <= 12 * 3600


def test_signing_out_ends_the_session_on_the_server(setup: SignInSetup) -> None:
    client = Visitor()
    setup.sign_in(client, "gina")
    key = client.cookies["sessionid"].value
    assert client.post("/sign-out").status_code == 200
    assert not Session.objects.filter(session_key=stored_name(key)).exists()
    again = Visitor()
    again.cookies["sessionid"] = key
    assert again.get("/components").status_code == 302


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_nobody_is_led_elsewhere_after_signing_in(setup: SignInSetup, elsewhere: str) -> None:
    client = Visitor()
    first = setup.sign_in(client, "gina", elsewhere).headers["Location"]
    assert first in {"/", "/start"}, "the wizard, for whoever comes for the first time"
    # Whoever is signed in already is sent on at once.
    assert client.get("/sign-in", {"next": elsewhere}).headers["Location"] == "/"
    form = {"next": elsewhere, "language": "de"}
    assert client.post("/language", form).headers["Location"] == "/"


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_no_form_leads_elsewhere(elsewhere: str, as_administrator: Client) -> None:
    for action in ("pause", "resume"):
        address = f"/manage/systems/drive/{action}"
        response = as_administrator.post(address, {"next": elsewhere})
        assert response.headers["Location"] == "/manage/systems#drive"


@pytest.mark.django_db
def test_a_name_that_a_browser_calls_us_leads_nowhere(settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS, settings.BASE_URL = ["testserver", "localhost"], "http://testserver"
    here = Visitor(headers={"host": "localhost"})
    for after, leads in (("http://localhost/x", "/"), ("http://testserver/x",) * 2, ("/x", "/x")):
        answer = here.post("/language", {"next": after, "language": "de"})
        assert answer.headers["Location"] == leads


def test_the_page_that_was_asked_for_opens(setup: SignInSetup) -> None:
    response = setup.sign_in(Visitor(), "gina", "/components?page=2")
    assert response.headers["Location"] == "/components?page=2"


def test_what_is_asked_of_the_identity_provider_is_not_the_visitors_to_say(
    setup: SignInSetup,
) -> None:
    client = Visitor()
    response = client.get(
        "/sign-in",
        {
            "scope": "openid admin",
            "redirect_uri": "https://evil.example",
            "auth_params": "prompt=x",
        },
    )
    query = read_query(response.headers["Location"])
    assert query["redirect_uri"] == "http://testserver" + CALLBACK
    assert set(query["scope"].split()) == {"openid", "profile", "email"}
    assert query["code_challenge_method"] == "S256"
    assert query["response_type"] == "code"
    assert len(query["nonce"]) >= 32
    assert len(query["state"]) >= 16
    assert "prompt" not in query


def test_another_browser_cannot_finish_a_sign_in(setup: SignInSetup) -> None:
    """The link that an attacker's sign-in ended with signs nobody else in."""
    attacker, victim = Visitor(), Visitor()
    back = setup.fill_in(setup.start(attacker), "gina")
    victim.get("/register")
    assert_ours(victim.get(back), 401, "The sign-in could not be completed.")
    assert victim.get("/components").status_code == 302


def test_a_code_is_good_once_and_for_its_own_state(setup: SignInSetup) -> None:
    client = Visitor()
    back = setup.fill_in(setup.start(client), "gina")
    told = read_query(back)
    other = Visitor()
    started = read_query(setup.start(other))
    mixed = f"{CALLBACK}?{urlencode({**told, 'state': started['state']})}"
    assert_ours(other.get(mixed), 401, "The sign-in could not be completed.")
    assert other.get("/components").status_code == 302
    # The mix-up used the code up at the identity provider: the first browser comes to nothing
    # either, and is told so.
    assert client.get(back).status_code < 500


@pytest.mark.parametrize(
    "query", ["", "code=x", "state=x", "code=x&state=x", "error=access_denied&state=x", "code=%00"]
)
def test_a_callback_that_nobody_started_signs_nobody_in(setup: SignInSetup, query: str) -> None:
    client = Visitor()
    assert_ours(client.get(f"{CALLBACK}?{query}"), 401, "The sign-in could not be completed.")
    assert client.get("/components").status_code == 302


def assert_ours(response: Any, status: int, words: str) -> None:
    """Our own page, in our frame, that says what to do."""
    page = response.content.decode()
    assert response.status_code == status
    assert "You are not signed in" in page
    assert words in page
    assert headers.wrong(response) == []


def test_whoever_stops_at_the_identity_provider_is_told_so(setup: SignInSetup) -> None:
    client = Visitor()
    state = read_query(setup.start(client))["state"]
    response = client.get(f"{CALLBACK}?{urlencode({'error': 'access_denied', 'state': state})}")
    assert_ours(
        response,
        401,
        ("The sign-in was cancelled at the identity provider, by you or by its rules."),
    )
    german = Client(headers={"Accept-Language": "de"})
    assert "konnte nicht abgeschlossen werden" in german.get(CALLBACK).content.decode()


REFUSED = {"error": "invalid_scope", "error_description": "Invalid scopes: <b>profile</b>"}


def test_what_the_identity_provider_refuses_is_said_in_its_words(setup: SignInSetup) -> None:
    client = Visitor()
    state = read_query(setup.start(client))["state"]
    response = client.get(f"{CALLBACK}?{urlencode({**REFUSED, 'state': state})}")
    assert_ours(response, 401, "invalid_scope: Invalid scopes: &lt;b&gt;profile&lt;/b&gt;")
    assert "too long ago" not in response.content.decode()
    state = read_query(setup.start(client))["state"]
    response = client.get(f"{CALLBACK}?{urlencode({'error': 'server_error', 'state': state})}")
    assert_ours(response, 401, "server_error")


@pytest.mark.parametrize(
    "told",
    [
        {"state": "x" * 16},
        {"error": "Send your password to mallory"},
        {"error": "temporarily_unavailable", "error_description": "authentication_expired"},
    ],
)
def test_nobody_else_puts_words_on_the_page(setup: SignInSetup, told: dict[str, str]) -> None:
    client = Visitor()
    state = read_query(setup.start(client))["state"]
    response = client.get(f"{CALLBACK}?{urlencode({**REFUSED, 'state': state, **told})}")
    assert_ours(response, 401, "too long ago")
    assert "refused this sign-in" not in response.content.decode()


def test_an_identity_provider_that_falls_silent_in_between_is_said(
    setup: SignInSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Visitor()
    back = setup.fill_in(setup.start(client), "gina")
    pin(monkeypatch, "identity_provider", {"url": "http://127.0.0.1:9"})
    assert_ours(client.get(back), 503, "is not available at the moment")


def test_a_client_secret_that_is_refused_is_not_shown(
    setup: SignInSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Visitor()
    back = setup.fill_in(setup.start(client), "gina")
    pin(monkeypatch, "identity_provider", {"client_secret": "not-the-right-one"})
    response = client.get(back)
    assert_ours(response, 401, "The sign-in could not be completed.")
    assert "not-the-right-one" not in response.content.decode()


def test_whoever_is_suspended_is_out_with_every_session(setup: SignInSetup) -> None:
    first, second = Visitor(), Visitor()
    for client in (first, second):
        setup.sign_in(client, "gina")
        assert client.get("/components").status_code == 200
    Person.objects.filter(username="gina").update(state=Person.State.SUSPENDED)
    for client in (first, second):
        assert client.get("/components").status_code == 302
        assert client.get("/api/v1/me").status_code == 401
    assert setup.sign_in(Visitor(), "gina").status_code == 403
