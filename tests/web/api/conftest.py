"""Systems as the API's tests need them: an identity provider that answers, and databases that only
have names.
"""

from collections.abc import Iterator

import pytest

from tests.pinned_settings import pin
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn


@pytest.fixture(scope="session")
def stand_in() -> Iterator[IdentityProviderStandIn]:
    stand_in = IdentityProviderStandIn()
    with running(stand_in):
        yield stand_in


@pytest.fixture
def identity_provider(
    stand_in: IdentityProviderStandIn, monkeypatch: pytest.MonkeyPatch
) -> IdentityProviderStandIn:
    """A stand-in, empty, that the manager is configured for."""
    stand_in.state = stand_in.seed()
    stand_in.faults.waiting.clear()
    values = {
        "url": stand_in.url,
        "realm": "workspace",
        "admin_username": "admin",
        "admin_password": "admin",
        "client_id": "https://workspace.example",
        "client_secret": "not used here",
    }
    pin(monkeypatch, "identity_provider", values)
    return stand_in


@pytest.fixture
def databases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Configured, and never called: web processes only store plans."""
    secret = {"admin_username": "manager", "admin_password": "not used here"}
    pin(monkeypatch, "sql_server", {"host": "127.0.0.1", "port": "1", **secret})
    pin(monkeypatch, "triplestore", {"url": "http://127.0.0.1:1", **secret})
