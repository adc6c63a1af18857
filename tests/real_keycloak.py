"""A pytest plugin: one real Keycloak for the whole run. It takes half a minute to start, and a realm each keeps its users apart."""

from collections.abc import Callable, Iterator

import pytest

from tests.real_parts import Part
from workspace_manager.sandbox import keycloak


@pytest.fixture(scope="session")
def real_keycloak(real_part: Callable[..., Part]) -> Iterator[keycloak.Keycloak]:
    """Running, with nothing but its master realm, and whatever realms other tests made."""
    real_part("Keycloak", version=keycloak.VERSION, why_not=keycloak.why_not())
    running = keycloak.Keycloak()
    running.start()
    try:
        yield running
    finally:
        running.stop()
