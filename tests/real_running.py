"""A pytest plugin: each real server is started once for the whole run, when the first test asks for it, and stopped at its end.

Tests that share one keep apart by realms, names and databases of their own, and leave it as they found it.
"""

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

import pytest

from tests.real_parts import Part
from workspace_manager.sandbox import keycloak, mariadb, podman, postgresql, rdf4j


class Startable(Protocol):
    """What every real server of the sandbox can do."""

    def start(self) -> object: ...

    def stop(self) -> None: ...


Server = TypeVar("Server", bound=Startable)


def running(server: Server) -> Iterator[Server]:
    """Start it, give it, stop it."""
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def real_keycloak(real_part: Callable[..., Part]) -> Iterator[keycloak.Keycloak]:
    """With nothing but its master realm, and whatever realms other tests made."""
    real_part("Keycloak", version=keycloak.VERSION, why_not=keycloak.why_not())
    yield from running(keycloak.Keycloak())


@pytest.fixture(scope="session")
def real_mariadb(real_part: Callable[..., Part]) -> Iterator[mariadb.MariaDB]:
    real_part("MariaDB", version=mariadb.version(), why_not=mariadb.why_not())
    yield from running(mariadb.MariaDB())


@pytest.fixture(scope="session")
def real_postgresql(real_part: Callable[..., Part]) -> Iterator[postgresql.PostgreSQL]:
    real_part("PostgreSQL", version=postgresql.version(), why_not=postgresql.why_not())
    yield from running(postgresql.PostgreSQL())


@pytest.fixture(scope="session")
def real_rdf4j(real_part: Callable[..., Part]) -> Iterator[rdf4j.RDF4J]:
    real_part("RDF4J", version=rdf4j.version(), why_not=rdf4j.why_not())
    yield from running(rdf4j.RDF4J())


@pytest.fixture(scope="session")
def real_podman(real_part: Callable[..., Part]) -> Iterator[podman.Podman]:
    real_part("podman", version=podman.version(), why_not=podman.why_not())
    yield from running(podman.Podman())
