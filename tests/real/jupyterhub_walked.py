"""The walk of a sign-in from a real JupyterHub, with the fixture of tests/real/test_jupyterhub.py.
The words of a real identity provider are in nextcloud_walked.py.
"""

from typing import Any

import pytest

from tests.real.jupyterhub_people import Place
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
    place: Place, members: dict[str, Any], said: str
) -> None:
    way = way_from(place.connected(with_api=False).sign_in_start(), system=SYSTEM.name)
    (client,) = place.admin("GET", f"/clients?clientId={place.url}").json()
    realm = f"{place.provider.url}/realms/{place.provider.realm}"
    settings = Settings(
        place.provider.url, place.provider.realm, admin_username="admin", admin_password=None
    )
    try:
        place.admin("PUT", f"/clients/{client['id']}", {**client, **members})
        at = at_sign_in(settings, realm, way.leads_to)
    finally:
        place.admin("PUT", f"/clients/{client['id']}", client)
    assert (at.is_our_realm, at.client_id) == (True, place.url)
    assert said in at.said
    assert bool(said) == bool(at.said) == bool(at.remedy)
