"""Sign-ins that end there and end here, at a real provider and at its stand-in (`class
Test…(SessionLife)`): what is refreshed, what is refused, and what the manager is told.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest
from django.core.cache import cache
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.pinned_settings import pin
from tests.systems.identity_provider.provider_under_test import (
    MANAGER,
    SECRETS,
    ProviderUnderTest,
    claims,
)
from tests.visitors import Visitor
from workspace_manager.access import provider_state, session_check
from workspace_manager.access.session_check import Tokens, Verdict
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import Person, ProviderState, SignIn
from workspace_manager.systems.identity_provider.realm.services import BACKCHANNEL_LOGOUT_PATH
from workspace_manager.wiring import connected_systems

EVENT = "http://schemas.openid.net/event/backchannel-logout"


class LogoutListener:
    """Where the manager's client is told of sign-outs: keeps what is posted there."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                listener.tokens += parse_qs(body).get("logout_token", [])
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                return None

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}{BACKCHANNEL_LOGOUT_PATH}"

    @contextmanager
    def listening(self) -> Iterator["LogoutListener"]:
        thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()


@contextmanager
def manager_client(provider: ProviderUnderTest, url: str) -> Iterator[None]:
    """The manager's client as it is, but for signing in without a browser, and the address that it
    is told at.
    """
    with provider.admin() as admin:
        was = admin.get("/clients", params={"clientId": MANAGER}).json()[0]
        assert was["attributes"]["backchannel.logout.url"] == f"{MANAGER}{BACKCHANNEL_LOGOUT_PATH}"
        told = {**was["attributes"], "backchannel.logout.url": url}
        changed = {**was, "directAccessGrantsEnabled": True, "attributes": told}
        admin.put("", json={"revokeRefreshToken": True, "refreshTokenMaxReuse": 0})
        assert admin.put(f"/clients/{was['id']}", json=changed).status_code == 204
        try:
            yield
        finally:
            admin.put(f"/clients/{was['id']}", json=was)
            admin.put("", json={"revokeRefreshToken": False})


@pytest.fixture
def listener(
    provider: ProviderUnderTest, monkeypatch: pytest.MonkeyPatch, db: None
) -> Iterator[LogoutListener]:
    """The manager's environment names this realm; whatever is told it is kept."""
    cache.clear()
    settings = provider.settings
    values = {
        "url": settings.url,
        "realm": settings.realm,
        "admin_username": settings.admin_username,
        "admin_password": (settings.admin_password or Secret("")).reveal(),
        "client_id": MANAGER,
        "client_secret": SECRETS["vault/client"],
    }
    pin(monkeypatch, "identity_provider", values)
    with LogoutListener().listening() as listener, manager_client(provider, listener.url):
        yield listener


def signed_in(provider: ProviderUnderTest, name: str) -> tuple[str, Person]:
    """Somebody signs in; gives what a session would name, and who it is."""
    found = provider.sign_in(name, client_id=MANAGER, client_secret=SECRETS["vault/client"])
    assert found["status"] == 200, found
    said = claims(found["id_token"])
    person = Person.objects.filter(username=name).first() or make_person(name, sub=said["sub"])
    tokens = Tokens(
        Secret(found["access_token"]),
        timezone.now() + timedelta(seconds=found["expires_in"]),
        Secret(found["refresh_token"]),
        Secret(found["id_token"]),
    )
    return session_check.begin(person, sub=said["sub"], sid=said["sid"], tokens=tokens), person


def minutes_pass(minutes: float = 5.1) -> None:
    then = timezone.now() - timedelta(minutes=minutes)
    SignIn.objects.update(answered_at=then)
    ProviderState.objects.update(answered_at=then)


def verdict(sign_in: str, person: Person) -> Verdict:
    return session_check.verdict(sign_in, person, connected_systems)


class SessionLife:
    """Tests that every identity provider passes; the fixture `provider` is a realm that
    was set up.
    """

    def test_a_sign_in_goes_on_though_each_refresh_token_is_good_once(
        self, provider: ProviderUnderTest, name: str, listener: LogoutListener
    ) -> None:
        provider.make(name)
        sign_in, person = signed_in(provider, name)
        for _ in range(3):
            minutes_pass()
            assert verdict(sign_in, person) is Verdict.ALL
        old = SignIn.objects.get(id=sign_in).refresh_token
        minutes_pass()
        assert verdict(sign_in, person) is Verdict.ALL
        newest = SignIn.objects.get(id=sign_in).refresh_token
        assert newest
        SignIn.objects.filter(id=sign_in).update(refresh_token=old)
        minutes_pass()
        assert verdict(sign_in, person) is Verdict.ENDED
        with pytest.raises(Denied):
            provider.system.refresh(newest)

    def test_disabling_tells_nobody_and_the_next_question_ends_the_sign_in(
        self, provider: ProviderUnderTest, name: str, listener: LogoutListener
    ) -> None:
        sub = provider.make(name)
        sign_in, person = signed_in(provider, name)
        with provider.admin() as admin:
            assert admin.put(f"/users/{sub}", json={"enabled": False}).status_code == 204
        assert listener.tokens == []
        assert verdict(sign_in, person) is Verdict.ALL
        minutes_pass()
        assert verdict(sign_in, person) is Verdict.ENDED
        assert not SignIn.objects.exists()
        assert provider_state.current_state(person, connected_systems)[0] == "disabled"

    def test_deleting_tells_nobody_either(
        self, provider: ProviderUnderTest, name: str, listener: LogoutListener
    ) -> None:
        sub = provider.make(name)
        sign_in, person = signed_in(provider, name)
        with provider.admin() as admin:
            assert admin.delete(f"/users/{sub}").status_code == 204
        assert listener.tokens == []
        minutes_pass()
        assert verdict(sign_in, person) is Verdict.ENDED
        assert provider_state.current_state(person, connected_systems)[0] == "gone"

    def test_signing_somebody_out_is_told_and_ends_every_session_here(
        self, provider: ProviderUnderTest, name: str, listener: LogoutListener
    ) -> None:
        sub = provider.make(name)
        (first, person), (second, _) = signed_in(provider, name), signed_in(provider, name)
        with provider.admin() as admin:
            assert admin.post(f"/users/{sub}/logout").status_code == 204
        assert len(listener.tokens) == 2
        for token in listener.tokens:
            said = claims(token)
            assert (said["sub"], said["events"]) == (sub, {EVENT: {}})
            assert said["sid"]
            assert "nonce" not in said
            answer = Visitor().post(BACKCHANNEL_LOGOUT_PATH, {"logout_token": token})
            assert answer.status_code == 200, answer.content
        assert [verdict(one, person) for one in (first, second)] == [Verdict.ENDED] * 2

    def test_signing_out_of_one_session_ends_that_one(
        self, provider: ProviderUnderTest, name: str, listener: LogoutListener
    ) -> None:
        provider.make(name)
        (first, person), (second, _) = signed_in(provider, name), signed_in(provider, name)
        row = SignIn.objects.get(id=first)
        settings = provider.settings
        url = f"{settings.url}/realms/{settings.realm}/protocol/openid-connect/logout"
        hint = {"id_token_hint": (row.id_token or Secret("")).reveal()}
        assert httpx.post(url, data=hint, headers={"Accept": "text/html"}).status_code == 200
        (token,) = listener.tokens
        assert claims(token)["sid"] == row.sid
        answer = Visitor().post(BACKCHANNEL_LOGOUT_PATH, {"logout_token": token})
        assert answer.status_code == 200
        assert verdict(first, person) is Verdict.ENDED
        assert verdict(second, person) is Verdict.ALL
