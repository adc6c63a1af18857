"""Where the walk of a sign-in leads, and what is asked on the way: a hub that answers as it is
told, before the identity provider's stand-in. Whole walks are in tests/life/test_sign_in_walk.py.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar
from urllib.parse import urlencode

import pytest
from aiohttp import web

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.sign_in_walk import MOST_REDIRECTS
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.operations.sign_in_walk import walk_findings
from workspace_manager.systems.drive.settings import Settings as DriveSettings
from workspace_manager.systems.identity_provider import connector as identity_provider
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_manager.systems.notebook_hub import connector as notebook_hub
from workspace_manager.systems.notebook_hub.checks_sign_in import NAME
from workspace_manager.systems.notebook_hub.settings import Settings as HubSettings
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

HUB = "notebook_hub"
BACK = "http://hub.example/hub/oauth_callback"
ERROR_PAGE = (
    '<div class="error"><h1> 500 : Internal Server Error </h1><p>No <b>provider</b></p></div>'
)


class Leads(StandIn):
    """A hub of which a test says where a sign-in leads."""

    name: ClassVar[str] = "leads"
    product: ClassVar[str] = "hub"

    def seed(self) -> dict[str, Any]:
        return {}

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/{tail:.*}", self._lead)

    async def _lead(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        assert "cookie" not in request.headers
        headers = {"Set-Cookie": "state=kept"}
        if self.leads_to:
            return web.Response(status=302, headers={"Location": self.leads_to, **headers})
        return web.Response(status=500, text=ERROR_PAGE, content_type="text/html", headers=headers)

    leads_to = ""
    asked: ClassVar[list[str]] = []


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProviderStandIn]:
    known = {"clientId": "known", "redirectUris": [BACK], "publicClient": True}
    one = IdentityProviderStandIn(clients=[known])
    with running(one):
        yield one


@pytest.fixture
def hub(provider: IdentityProviderStandIn) -> Iterator[Leads]:
    one = Leads()
    one.asked.clear()
    with running(one):
        yield one


def systems(hub: Leads, provider: IdentityProviderStandIn) -> ConnectedSystems:
    told = Settings(
        url=provider.url,
        realm=provider.realm,
        admin_username="admin",
        admin_password=Secret("admin"),
        client_id="http://manager.example",
    )
    of_hub = HubSettings(url=hub.url, api_url="", api_token=None)
    return ConnectedSystems(
        by_name={
            "identity_provider": identity_provider.connect(told, Secret),
            HUB: notebook_hub.connect(of_hub, Secret, None),
        },
        settings={"identity_provider": told, HUB: of_hub, "drive": DriveSettings(base_url="")},
    )


def walk(
    hub: Leads, provider: IdentityProviderStandIn, found: list[Finding] | None = None
) -> list[Finding]:
    connected = systems(hub, provider)
    return walk_findings(HUB, connected.by_name[HUB], connected, found or [])


def request_for(provider: IdentityProviderStandIn, client_id: str, realm: str = "") -> str:
    asked = urlencode({"client_id": client_id, "response_type": "code", "redirect_uri": BACK})
    return f"{provider.url}/realms/{realm or provider.realm}/protocol/openid-connect/auth?{asked}"


@pytest.mark.parametrize(
    ("leads_to", "one", "words"),
    [
        ("", "walk_stays_saying", "500 : Internal Server Error No provider"),
        ("/hub/login", "walk_stays", "302"),
        ("http://[", "walk_stays", "302"),
        ("http://elsewhere.example/auth?client_id=x", "walk_leads_elsewhere", "//elsewhere"),
        ("{other realm}", "walk_leads_elsewhere", "/realms/other/"),
        ("{our client}", "walk_refused", "Client not found"),
        ("{another client}", "walk_refused_another_client", "Client not found"),
        ("{known client}", "walk_another_client", "client known"),
    ],
)
def test_where_a_walk_leads(
    hub: Leads, provider: IdentityProviderStandIn, leads_to: str, one: str, words: str
) -> None:
    addresses = {
        "{other realm}": request_for(provider, hub.url, "other"),
        "{our client}": request_for(provider, hub.url),
        "{another client}": request_for(provider, "nobody"),
        "{known client}": request_for(provider, "known"),
    }
    hub.leads_to = addresses.get(leads_to, leads_to)
    (finding,) = walk(hub, provider)
    assert finding.message is not None
    assert finding.message.code == f"operations.{one}", finding
    # A client that the identity provider takes may be one that somebody made by hand.
    severity = Severity.WARNING if one == "walk_another_client" else Severity.FAILING
    assert (finding.severity, finding.name_message) == (severity, NAME)
    assert words in finding.text
    assert finding.remedy
    assert 1 <= len(hub.asked) <= MOST_REDIRECTS


def test_what_the_check_says_already_is_not_walked(
    hub: Leads, provider: IdentityProviderStandIn
) -> None:
    say = Findings(HUB)
    told = say.failing(NAME, quote_words("the hub is another"), quote_words("make it ours"))
    silent = say.failing(
        quote_words("reachable"), quote_words("no"), quote_words("start it"), hides=("*",)
    )
    for found in (told, silent):
        assert walk(hub, provider, [found]) == [found]
    assert hub.asked == []


def test_an_identity_provider_that_is_away_hides_the_walk(
    hub: Leads, provider: IdentityProviderStandIn
) -> None:
    connected = systems(hub, provider)
    away = replace(connected.settings_of(Settings), url="http://127.0.0.1:9")
    gone = ConnectedSystems(
        by_name={
            "identity_provider": identity_provider.connect(away, Secret),
            HUB: connected.by_name[HUB],
        },
        settings={**connected.settings, "identity_provider": away},
    )
    hub.leads_to = f"{away.url}/realms/{away.realm}/protocol/openid-connect/auth?client_id=x"
    (finding,) = walk_findings(HUB, gone.by_name[HUB], gone, [])
    assert (finding.severity, finding.hides) == (Severity.WARNING, (NAME.code,))
    assert finding.remedy


def test_without_an_identity_provider_nothing_is_walked(
    hub: Leads, provider: IdentityProviderStandIn
) -> None:
    connected = systems(hub, provider)
    alone = ConnectedSystems(by_name={HUB: connected.by_name[HUB]}, settings=connected.settings)
    assert walk_findings(HUB, alone.by_name[HUB], alone, []) == []
    assert hub.asked == []
