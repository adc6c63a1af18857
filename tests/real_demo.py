"""A pytest plugin: one demo on the real parts this machine can start, and one of stand-ins alone,
for the whole run.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.life.person import Workspace
from workspace_sandbox.demo import Demo
from workspace_sandbox.real import (
    jupyterhub,
    keycloak,
    mariadb,
    nextcloud,
    opengdb,
    podman,
    portainer,
    rdf4j,
)

QUICK = {"WORKSPACE_LONGEST_WAIT_SECONDS": "2", "WORKSPACE_LEASE_SECONDS": "10"}
"""Waits that a test sits through."""


def demo(*, real: bool, **settings: str) -> Iterator[Workspace]:
    """Start one, give it, stop it."""
    started = Demo(port=0, real=real, settings=settings)
    try:
        yield Workspace(started.start())
    finally:
        started.stop()


@pytest.fixture(scope="session")
def stand_ins() -> Iterator[Workspace]:
    yield from demo(real=False)


@pytest.fixture(scope="session")
def real_parts_demo(real_part: Any) -> Iterator[Workspace]:
    """A demo on real Keycloak, MariaDB, podman, JupyterHub and RDF4J, and on what the folder of
    parts has; the rest are stand-ins.
    """
    real_part("Keycloak", version=keycloak.VERSION, why_not=keycloak.why_not())
    real_part("MariaDB", version=mariadb.version(), why_not=mariadb.why_not())
    real_part("podman", version=podman.version(), why_not=podman.why_not())
    real_part("JupyterHub", version=jupyterhub.version(), why_not=jupyterhub.why_not())
    real_part("RDF4J", version=rdf4j.version(), why_not=rdf4j.why_not())
    if nextcloud.why_not() is None:
        real_part("Nextcloud", version=nextcloud.version())
    if opengdb.why_not() is None:
        real_part("OpenGDB", version=opengdb.version())
    if portainer.why_not() is None:
        real_part("Portainer", version=portainer.version())
    yield from demo(real=True, **QUICK)
