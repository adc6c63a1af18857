"""The administrator's token: fetched rarely, and never with a credential that was refused."""

import threading

import httpx
import pytest

from tests.systems.identity_provider.wire import (
    CANARY,
    GONE,
    HTML,
    SUB,
    TOKEN,
    Server,
    says,
)
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.client import token as client_token


def test_one_token_serves_many_calls_clients_and_threads() -> None:
    server = Server(GONE)
    clients = [server.users, server.with_settings(), server.with_settings()]
    threads = [threading.Thread(target=c.log_out, args=(SUB,)) for c in clients for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(server.grants), len(server.calls)) == (1, 9)
    assert server.grants[0] == {
        "grant_type": "password",
        "client_id": "admin-cli",
        "username": "admin",
        "password": CANARY,
    }
    assert server.calls[0].headers["authorization"] == f"Bearer {CANARY}"


def test_a_token_is_renewed_ten_seconds_before_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(f"{client_token.__name__}.time.monotonic", lambda: now)
    server = Server(GONE)
    server.users.log_out(SUB)
    now += 49
    server.users.log_out(SUB)
    assert len(server.grants) == 1
    now += 2
    server.users.log_out(SUB)
    assert len(server.grants) == 2


def test_an_old_token_is_replaced_once() -> None:
    answers = [says(401, error="HTTP 401 Unauthorized"), GONE, GONE]
    server = Server(lambda _: answers.pop(0))
    server.users.log_out(SUB)
    server.users.log_out(SUB)
    assert (len(server.grants), len(server.calls)) == (2, 3)


def test_a_second_401_is_denied() -> None:
    server = Server(says(401, error="HTTP 401 Unauthorized"))
    with pytest.raises(Denied):
        server.users.log_out(SUB)
    assert (len(server.grants), len(server.calls)) == (2, 2)


@pytest.mark.parametrize("status", [400, 401])
@pytest.mark.parametrize("code", ["invalid_grant", "invalid_client", "unauthorized_client"])
def test_a_refused_credential_is_not_sent_again(status: int, code: str) -> None:
    server = Server(GONE, says(status, error=code, error_description="Invalid user credentials"))
    for client in (server.users, server.users, server.with_settings()):
        with pytest.raises(Denied, match=code):
            client.log_out(SUB)
    assert len(server.grants) == 1
    assert not server.calls
    server.token = httpx.Response(200, json=TOKEN)
    server.with_settings(admin_password=Secret("changed")).log_out(SUB)
    server.users.wire.token.try_again()
    server.users.log_out(SUB)
    assert len(server.grants) == 3


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (says(403, error="access_denied", error_description="Realm not enabled"), Denied),
        (says(404, error="Realm does not exist"), Invalid),
        (says(400, error="invalid_request"), Invalid),
        (httpx.Response(400, html="<h1>Bad Request</h1>"), Invalid),
        (HTML, Invalid),
        (says(200, token_type="Bearer"), Invalid),
        (httpx.Response(200, json=[]), Invalid),
        (httpx.Response(302, headers={"location": "/"}), Invalid),
        (httpx.Response(503), Unavailable),
        (httpx.Response(429), Unavailable),
    ],
)
def test_no_token_and_why(answer: httpx.Response, error: type[ConnectorError]) -> None:
    server = Server(GONE, answer)
    for _ in range(2):
        with pytest.raises(error) as caught:
            server.users.log_out(SUB)
        assert CANARY not in f"{caught.value} {caught.value.advice} {caught.value!r}"
    assert len(server.grants) == 2, "only a refusal of the credential itself is remembered"


def test_advice_follows_what_the_provider_says() -> None:
    refusal = {"error": "invalid_grant", "error_description": "Account disabled"}
    with pytest.raises(Denied) as caught:
        Server(GONE, says(400, **refusal)).users.log_out(SUB)
    assert "Enable it" in caught.value.advice


def test_a_service_account_uses_its_own_grant() -> None:
    server = Server(GONE)
    server.with_settings(
        admin_username="service-account-robot", token_url="https://id.example/realms/x/token"
    ).log_out(SUB)
    assert server.grants[0] == {
        "grant_type": "client_credentials",
        "client_id": "robot",
        "client_secret": CANARY,
    }
