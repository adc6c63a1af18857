"""A pytest plugin: each real server is started once for the whole run, when the first test asks for
it, and stopped at its end. One that dies is started again, once (tests/real_watch.py).

Tests that share one keep apart by realms and names of their own. A module whose tests look at
everything a server has starts one for itself, from the same function: `real_mariadb =
pytest.fixture(scope="module")(a_mariadb)`.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from tests.real_parts import Part
from tests.real_watch import Startable, watched
from workspace_sandbox.real import (
    keycloak,
    mariadb,
    nextcloud,
    opengdb,
    openldap,
    podman,
    portainer,
    postgresql,
    rdf4j,
    s3proxy,
    webprotege,
)

Server = TypeVar("Server", bound=Startable)


def running(part: Part, server: Server) -> Iterator[Server]:
    """Start it, give it and look after it, stop it."""
    server.start()
    try:
        with watched(part, server):
            yield server
    finally:
        server.stop()


def a_keycloak(real_part: Callable[..., Part]) -> Iterator[keycloak.Keycloak]:
    """With nothing but its master realm, and whatever realms other tests made."""
    part = real_part("Keycloak", version=keycloak.VERSION, why_not=keycloak.why_not())
    yield from running(part, keycloak.Keycloak())


def an_openldap(real_part: Callable[..., Part]) -> Iterator[openldap.OpenLDAP]:
    """With nobody in it but whom other tests put there."""
    part = real_part("OpenLDAP", version=openldap.version(), why_not=openldap.why_not())
    yield from running(part, openldap.OpenLDAP())


def a_mariadb(real_part: Callable[..., Part]) -> Iterator[mariadb.MariaDB]:
    part = real_part("MariaDB", version=mariadb.version(), why_not=mariadb.why_not())
    yield from running(part, mariadb.MariaDB())


def a_postgresql(real_part: Callable[..., Part]) -> Iterator[postgresql.PostgreSQL]:
    part = real_part("PostgreSQL", version=postgresql.version(), why_not=postgresql.why_not())
    yield from running(part, postgresql.PostgreSQL())


def an_rdf4j(real_part: Callable[..., Part]) -> Iterator[rdf4j.RDF4J]:
    part = real_part("RDF4J", version=rdf4j.version(), why_not=rdf4j.why_not())
    yield from running(part, rdf4j.RDF4J())


def an_s3proxy(real_part: Callable[..., Part]) -> Iterator[s3proxy.S3Proxy]:
    """Without any bucket but those that other tests made."""
    part = real_part("S3Proxy", version=s3proxy.VERSION, why_not=s3proxy.why_not())
    yield from running(part, s3proxy.S3Proxy())


def a_podman(real_part: Callable[..., Part]) -> Iterator[podman.Podman]:
    part = real_part("podman", version=podman.version(), why_not=podman.why_not())
    yield from running(part, podman.Podman())


def a_nextcloud(real_part: Callable[..., Part]) -> Iterator[nextcloud.Nextcloud]:
    """Where nobody signs in with an identity provider."""
    part = real_part("Nextcloud", version=nextcloud.version(), why_not=nextcloud.why_not())
    yield from running(part, nextcloud.Nextcloud())


def an_opengdb(
    real_part: Callable[..., Part], real_rdf4j: rdf4j.RDF4J
) -> Iterator[opengdb.OpenGDB]:
    """Before the RDF4J of this run."""
    part = real_part("OpenGDB", version=opengdb.version(), why_not=opengdb.why_not())
    assert real_rdf4j.url
    yield from running(part, opengdb.OpenGDB(rdf4j_url=real_rdf4j.url))


def a_portainer(
    real_part: Callable[..., Part], real_podman: podman.Podman
) -> Iterator[portainer.Portainer]:
    """Before the podman of this run."""
    part = real_part("Portainer", version=portainer.version(), why_not=portainer.why_not())
    assert real_podman.url
    yield from running(part, portainer.Portainer(docker_url=real_podman.url))


def a_webprotege(real_part: Callable[..., Part]) -> Iterator[webprotege.WebProtege]:
    part = real_part(webprotege.PART, version=webprotege.version(), why_not=webprotege.why_not())
    yield from running(part, webprotege.WebProtege())


real_keycloak = pytest.fixture(scope="session", name="real_keycloak")(a_keycloak)
real_openldap = pytest.fixture(scope="session", name="real_openldap")(an_openldap)
real_mariadb = pytest.fixture(scope="session", name="real_mariadb")(a_mariadb)
real_postgresql = pytest.fixture(scope="session", name="real_postgresql")(a_postgresql)
real_rdf4j = pytest.fixture(scope="session", name="real_rdf4j")(an_rdf4j)
real_s3proxy = pytest.fixture(scope="session", name="real_s3proxy")(an_s3proxy)
real_podman = pytest.fixture(scope="session", name="real_podman")(a_podman)
real_nextcloud = pytest.fixture(scope="session", name="real_nextcloud")(a_nextcloud)
real_opengdb = pytest.fixture(scope="session", name="real_opengdb")(an_opengdb)
real_portainer = pytest.fixture(scope="session", name="real_portainer")(a_portainer)
real_webprotege = pytest.fixture(scope="session", name="real_webprotégé")(a_webprotege)
