"""Sign-in with nothing left out: the manager in this process, the identity provider's stand-in
behind it, and a browser in between.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.test import Client

from tests.pinned_settings import pin
from tests.systems.identity_provider.stand_in_wire import Browser, Wire, person
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

MANAGER = "http://testserver"
CALLBACK = "/accounts/oidc/identity_provider/login/callback/"
CLIENT = {
    "clientId": MANAGER,
    "secret": "manager-secret",
    "publicClient": False,
    "redirectUris": [MANAGER + CALLBACK],
    "attributes": {
        "pkce.code.challenge.method": "S256",
        "post.logout.redirect.uris": f"{MANAGER}/",
    },
}


class SignInSetup:
    """Signs somebody in, step by step, so that a test can put something between the steps."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def start(self, client: Client, after: str | None = None) -> str:
        """Ask to sign in; gives the address of the identity provider that the browser is
        sent to.
        """
        response = client.get("/sign-in", {} if after is None else {"next": after})
        assert response.status_code == 302, response.content
        return str(response.headers["Location"])

    def fill_in(self, address: str, name: str) -> str:
        """Type name and password there; gives path and query that the browser is sent back to."""
        browser = Browser(self.wire)
        answer = browser.fill(
            browser.send("GET", address), username=name, password="correct horse battery"
        )
        assert answer.status_code == 302, answer.text
        back = urlsplit(answer.headers["location"])
        assert f"{back.scheme}://{back.netloc}{back.path}" == MANAGER + CALLBACK
        return f"{back.path}?{back.query}"

    def sign_in(self, client: Client, name: str, after: str | None = None) -> Any:
        """The whole way; gives the answer that ends it."""
        return client.get(self.fill_in(self.start(client, after), name))


@contextmanager
def start_provider(name: str) -> Iterator[SignInSetup]:
    """An identity provider that knows `name`, and the way to sign in there."""
    stand_in = IdentityProviderStandIn(clients=[CLIENT], users=[person(name)])
    with running(stand_in):
        yield SignInSetup(Wire(stand_in))


def pin_provider(monkeypatch: pytest.MonkeyPatch, setup: SignInSetup) -> None:
    """Tell the manager about it and where it is itself; whoever comes is let in."""
    monkeypatch.setattr(settings, "BASE_URL", MANAGER)
    values = {
        "url": setup.wire.base,
        "realm": setup.wire.realm,
        "admin_username": "admin",
        "admin_password": "admin",
        "client_id": MANAGER,
        "client_secret": "manager-secret",
        "admit_unregistered": "true",
    }
    pin(monkeypatch, "identity_provider", values)


def read_query(address: str) -> dict[str, str]:
    """What the query of an address says."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
