"""Refreshing the tokens of somebody's own session: what is sent, and what each answer means."""

import httpx
import pytest

from tests.systems.identity_provider.wire import CANARY, HTML, Server, says
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.contract.secret import Secret

OLD = Secret("the-refresh-token")


def make_server(answer: httpx.Response) -> Server:
    return Server(says(404), token=answer)


def test_new_tokens_are_asked_for_as_the_managers_client() -> None:
    server = make_server(says(200, access_token="a2", refresh_token="r2", expires_in=60))
    tokens = server.sessions.refresh(OLD)
    assert (tokens.access.reveal(), tokens.refresh.reveal(), tokens.seconds) == ("a2", "r2", 60.0)
    assert server.grants == [
        {
            "grant_type": "refresh_token",
            "client_id": "manager",
            "client_secret": CANARY,
            "refresh_token": "the-refresh-token",
        }
    ]


def test_a_provider_that_keeps_the_refresh_token_sends_none() -> None:
    server = make_server(says(200, access_token="a2", expires_in="soon"))
    tokens = server.sessions.refresh(OLD)
    assert (tokens.refresh.reveal(), tokens.seconds) == ("the-refresh-token", 0.0)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (says(400, error="invalid_grant", error_description="Session not active"), Denied),
        (says(401, error="unauthorized_client"), Invalid),
        (says(401, error="invalid_client"), Invalid),
        (says(400, error="invalid_request"), Invalid),
        (says(200, refresh_token="r2"), Invalid),
        (says(200, access_token=["a2"]), Invalid),
        (HTML, Invalid),
        (httpx.Response(302, headers={"location": "/login"}), Invalid),
        (httpx.Response(503), Unavailable),
        (httpx.Response(429, headers={"retry-after": "7"}), Unavailable),
    ],
)
def test_any_other_answer_is_one_of_the_five_errors(
    answer: httpx.Response, error: type[ConnectorError]
) -> None:
    with pytest.raises(error) as raised:
        make_server(answer).sessions.refresh(OLD)
    assert raised.value.advice
    for secret in (CANARY, "the-refresh-token", "r2"):
        assert secret not in str(raised.value)
