"""The walk of a sign-in from a real JupyterHub, with the fixture of tests/real/test_jupyterhub.py.
The words of a real identity provider are in nextcloud_walked.py.
"""

from typing import Any

import pytest

from tests.real.jupyterhub_people import HubDeployment
from workspace_manager.contract.sign_in_walk import way_from
from workspace_manager.systems.identity_provider.client.authorization import at_sign_in
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_manager.systems.notebook_hub import SYSTEM


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({}, ""),
        ({"enabled": False}, "Client disabled"),
        ({"redirectUris": ["http://elsewhere.example/"]}, "Invalid parameter: redirect_uri"),
        ({"standardFlowEnabled": False}, "Standard flow is disabled"),
    ],
)
def test_a_sign_in_is_walked_from_the_hub_to_the_identity_provider(
    deployment: HubDeployment, members: dict[str, Any], said: str
) -> None:
    way = way_from(deployment.connected(with_api=False).sign_in_start(), system=SYSTEM.name)
    (client,) = deployment.admin("GET", f"/clients?clientId={deployment.url}").json()
    realm = f"{deployment.provider.url}/realms/{deployment.provider.realm}"
    settings = Settings(
        deployment.provider.url,
        deployment.provider.realm,
        admin_username="admin",
        admin_password=None,
    )
    try:
        deployment.admin("PUT", f"/clients/{client['id']}", {**client, **members})
        at = at_sign_in(settings, realm, way.leads_to)
    finally:
        deployment.admin("PUT", f"/clients/{client['id']}", client)
    assert (at.is_our_realm, at.client_id) == (True, deployment.url)
    assert said in at.said
    assert bool(said) == bool(at.said) == bool(at.remedy)
