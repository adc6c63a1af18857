"""A real JupyterHub that an operator set up otherwise, on a real podman: what the check says of it.

One hub has all of the misconfigurations: each has a finding of its own.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.real.jupyterhub_people import DRIVE, HUB_SECRET, PASSWORD, HubDeployment, Person, set_up
from tests.real_parts import Part
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.known_people import KnownPerson
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.notebook_hub.names import container_name
from workspace_sandbox.patience import eventually
from workspace_sandbox.real import jupyterhub, podman
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

pytestmark = pytest.mark.real

POOR_TOKEN = "0123456789abcdef" * 3
CLIENT = "another-client"


def otherwise(token: Secret) -> dict[str, Any]:
    """What this operator set: names of people by e-mail address, another prefix, and a second
    service whose role lacks `read:servers`.
    """
    scopes = ["list:users", "delete:servers", "admin:server_state", "read:hub"]
    services = {"workspace-manager": token.reveal(), "poor": POOR_TOKEN}
    roles = {"workspace-manager": [*scopes, "read:servers"], "poor": scopes}
    return {
        "GenericOAuthenticator": {"username_claim": "email"},
        "DockerSpawner": {"prefix": "nb"},
        "JupyterHub": {
            "services": [{"name": name, "api_token": its} for name, its in services.items()],
            "load_roles": [
                {"name": name, "services": [name], "scopes": its} for name, its in roles.items()
            ],
        },
    }


@pytest.fixture(scope="module")
def wrong(real_part: Callable[..., Part]) -> Iterator[HubDeployment]:
    real_part("podman", version=podman.version(), why_not=podman.why_not())
    real_part("JupyterHub", version=jupyterhub.version(), why_not=jupyterhub.why_not())
    engine, provider = podman.Podman(), IdentityProviderStandIn()
    token = Secret("fedcba9876543210" * 3)
    with contextlib.ExitStack() as stack:
        stack.callback(engine.stop)
        docker_url = engine.start()
        stack.enter_context(running(provider))
        issuer = f"{provider.url}/realms/{provider.realm}"
        hub = jupyterhub.JupyterHub(
            docker_url=docker_url,
            client=jupyterhub.Client(issuer, Secret(HUB_SECRET), CLIENT),
            api_token=token,
            drive_url=DRIVE,
            changed=otherwise(token),
        )
        stack.callback(hub.stop)
        set_up(provider, hub.start().url, CLIENT)
        yield HubDeployment(docker_url, provider, hub)


@pytest.fixture(scope="module")
def ada(wrong: HubDeployment) -> Person:
    """She is known to the hub by her address, and her notebook runs."""
    person = Person(wrong, "ada.w").exist()
    person.browser.sign_in(wrong.url, person.name, PASSWORD)
    eventually("her notebook runs", lambda: container(person) in wrong.running())
    return person


def container(person: Person) -> str:
    return container_name(person.email, prefix="nb-")


def find_finding(deployment: HubDeployment, name: str, **how: Any) -> Finding:
    (finding,) = [
        one for one in deployment.connected(**{"with_api": True, **how}).check() if one.name == name
    ]
    return finding


def make_known_people(person: Person) -> tuple[KnownPerson, ...]:
    return (KnownPerson("nobody.yet"), KnownPerson(person.name, person.email, sub=person.sub))


@pytest.mark.parametrize("with_api", [True, False])
def test_a_hub_that_names_people_by_address_is_said(
    wrong: HubDeployment, ada: Person, with_api: bool
) -> None:
    finding = find_finding(
        wrong, "names of people", people=make_known_people(ada), with_api=with_api
    )
    assert finding.severity is Severity.FAILING
    assert f"{ada.email} is the e-mail address of ada.w" in finding.text
    assert "username_claim" in finding.remedy


@pytest.mark.parametrize("prefix", ["jupyter-", "nb"])
@pytest.mark.parametrize("with_api", [True, False])
def test_another_prefix_is_said_as_the_prefix(
    wrong: HubDeployment, ada: Person, prefix: str, with_api: bool
) -> None:
    finding = find_finding(
        wrong, "container names", people=make_known_people(ada), with_api=with_api,
        container_name_prefix=prefix,
    )  # fmt: skip
    assert finding.severity is Severity.FAILING
    assert container(ada) in finding.text
    assert finding.remedy.startswith("Set container_name_prefix to nb-.")
    right = find_finding(
        wrong, "container names", people=make_known_people(ada), container_name_prefix="nb-"
    )
    assert right.severity is Severity.OK


def test_another_client_is_said(wrong: HubDeployment) -> None:
    finding = find_finding(wrong, "client")
    assert finding.severity is Severity.WARNING
    assert f"with the client {CLIENT} of" in finding.text
    assert wrong.url in finding.remedy


def test_a_role_that_does_not_show_servers_is_said(wrong: HubDeployment) -> None:
    finding = find_finding(wrong, "servers of each person", api_token=Secret(POOR_TOKEN))
    assert finding.severity is Severity.FAILING
    assert "does not show servers" in finding.text
    assert "read:servers" in finding.remedy
