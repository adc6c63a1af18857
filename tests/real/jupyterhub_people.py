"""People with notebooks of a real JupyterHub on a real podman, and the identity provider's stand-in
that they sign in by.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

from tests.life.browser import Browser
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.known_people import KnownPerson
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager import connector as container_manager
from workspace_manager.systems.container_manager.settings import Settings as ContainerSettings
from workspace_manager.systems.identity_provider import connector as identity_provider
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_manager.systems.identity_provider.settings import Settings as ProviderSettings
from workspace_manager.systems.notebook_hub.connector import NotebookHub, connect
from workspace_manager.systems.notebook_hub.names import KIND, container_target
from workspace_manager.systems.notebook_hub.realm import hub_client
from workspace_manager.systems.notebook_hub.settings import Settings
from workspace_sandbox.patience import eventually
from workspace_sandbox.real import jupyterhub
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

PASSWORD = "lagoon-quartz-Ember-4711"
HUB_SECRET = "canary-hub-secret"
DRIVE = "http://drive.example"


@dataclass
class HubDeployment:
    """Everything that runs."""

    docker_url: str
    provider: IdentityProviderStandIn
    hub: jupyterhub.JupyterHub
    realm: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        assert self.hub.address
        return self.hub.address.url

    @property
    def engine(self) -> ContainerEngine:
        return container_manager.connect(
            ContainerSettings(url=self.docker_url, api_key=None), Secret
        ).containers

    def connected(
        self, *, with_api: bool, people: Sequence[KnownPerson] = (), **changes: Any
    ) -> NotebookHub:
        assert self.hub.address
        token = self.hub.address.api_token if with_api else None
        api_url = self.hub.address.api_url if with_api else ""
        known = {"url": self.url, "api_url": api_url, "api_token": token}
        return connect(Settings(**{**known, **changes}), Secret, self.engine, lambda: people)

    def docker(self, path: str) -> Any:
        base = self.docker_url.replace("docker://", "http://")
        return httpx.get(f"{base}/v1.41{path}", trust_env=False).json()

    def running(self) -> set[str]:
        return {c["Names"][0].lstrip("/") for c in self.docker("/containers/json")}

    def environment(self, container: str) -> dict[str, str]:
        pairs = self.docker(f"/containers/{container}/json")["Config"]["Env"]
        return dict(pair.split("=", 1) for pair in pairs)

    def admin(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Act as the identity provider's administrator."""
        form = {"grant_type": "password", "client_id": "admin-cli", "username": "admin"}
        with httpx.Client(base_url=self.provider.url, trust_env=False) as client:
            token = client.post(
                "/realms/master/protocol/openid-connect/token", data=form | {"password": "admin"}
            ).json()["access_token"]
            headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
            path = f"/admin/realms/{self.provider.realm}{path}"
            answer = client.request(method, path, json=body, headers=headers)
        assert answer.status_code < 300, answer.text
        return answer


@dataclass
class Person:
    """Somebody with an account at the identity provider and a browser."""

    deployment: HubDeployment
    name: str
    sub: str = ""
    browser: Browser = field(default_factory=Browser)

    @property
    def container(self) -> str:
        return container_target(self.name)["container"]

    @property
    def email(self) -> str:
        return f"{self.name.encode().hex()}@example.org"

    @property
    def page(self) -> str:
        return f"{self.deployment.url}/user/{quote(self.name.lower(), safe='@~')}/lab"

    def exist(self, **attributes: str) -> "Person":
        document = {
            "username": self.name, "enabled": True, "emailVerified": True, "firstName": "F",
            "lastName": "L",
            "email": self.email,
            "attributes": {name: [value] for name, value in attributes.items()},
            "credentials": [{"type": "password", "value": PASSWORD}],
        }  # fmt: skip
        made = self.deployment.admin("POST", "/users", document)
        self.sub = made.headers["location"].rpartition("/")[2]
        return self

    def know(self, **attributes: str) -> None:
        """Have other attributes at the identity provider."""
        document = self.deployment.admin("GET", f"/users/{self.sub}").json()
        document["attributes"] = {name: [value] for name, value in attributes.items()}
        self.deployment.admin("PUT", f"/users/{self.sub}", document)

    def start(self) -> None:
        """Sign in to the hub, which starts the notebook, and wait until the notebook itself
        answers.
        """
        page = self.browser.sign_in(self.deployment.url, self.name, PASSWORD)
        assert page.status_code == 200, page.text
        eventually(f"the notebook of {self.name} answers", self.answered)

    def spawn(self) -> httpx.Response:
        """Ask for the notebook with the cookies at hand."""
        return self.browser.get(f"{self.deployment.url}/hub/spawn")

    def ask_for_named(self, server: str) -> None:
        """Ask for a server of this name, as the hub's page does."""
        page = self.browser.get(
            f"{self.deployment.url}/hub/spawn/{quote(self.name.lower())}/{server}"
        )
        assert page.status_code == 200, page.text

    def start_named(self, server: str) -> None:
        """Start a server of this name, and wait until the notebook itself answers."""
        self.ask_for_named(server)
        where = f"{self.deployment.url}/user/{quote(self.name.lower())}/{server}/lab"
        eventually(
            f"{server} answers",
            lambda: self.browser.get(where).url.path.startswith("/user/"),
        )

    def answered(self) -> bool:
        page = self.browser.get(self.page)
        return page.status_code == 200 and page.url.path.startswith("/user/")

    def stop(self) -> None:
        """Have the hub stop the notebook."""
        system = self.deployment.connected(with_api=True)
        connector = system.connectors[KIND]
        change = connector.plan(container_target(self.name), {"running": False})
        connector.apply(change)
        assert connector.verify(change)


def set_up(provider: IdentityProviderStandIn, hub_url: str, client_id: str = "") -> None:
    """Let our own set-up make the hub's client and its mappers."""
    settings = ProviderSettings(
        url=provider.url, realm=provider.realm, admin_username="admin",
        admin_password=Secret("admin"),
    )  # fmt: skip
    wants = RealmWants(
        realm=provider.realm, clients=(hub_client(hub_url, client_id, secret_ref="hub"),)
    )
    system = identity_provider.connect(settings, lambda _: Secret(HUB_SECRET), wants)
    for change in system.realm_changes():
        system.connectors[change.kind].apply(change)
