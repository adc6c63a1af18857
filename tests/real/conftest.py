"""A workspace whose drive and identity provider are real, for all tests that need just that."""

from collections.abc import Callable, Iterator

import pytest

from tests.life.person import Life, Workspace
from tests.life.test_drive import come_in
from tests.real.nextcloud_workspace import ILLNESSES, connected, recover
from tests.real_parts import Part
from workspace_sandbox.demo import Demo
from workspace_sandbox.real import keycloak, nextcloud, postgresql


@pytest.fixture(scope="session")
def workspace(real_part: Callable[..., Part]) -> Iterator[Workspace]:
    """A demo of stand-ins, but for the drive and who signs people in to it."""
    real_part("Keycloak", version=keycloak.VERSION, why_not=keycloak.why_not())
    real_part("Nextcloud", version=nextcloud.version(), why_not=nextcloud.why_not())
    demo = Demo(port=0, real=True, only=frozenset({"Keycloak", "Nextcloud"}))
    try:
        yield Workspace(demo.start())
    finally:
        demo.stop()


@pytest.fixture(scope="session")
def inside(workspace: Workspace) -> nextcloud.Inside:
    return nextcloud.Inside.at(**workspace.system("drive")["inside"])


@pytest.fixture
def sicken(workspace: Workspace, inside: nextcloud.Inside) -> Iterator[Callable[[str], None]]:
    """Make the drive sick in one of `ILLNESSES`; afterwards it is well again."""

    def make(illness: str) -> None:
        ILLNESSES[illness](workspace, inside)

    yield make
    recover(workspace, inside)


@pytest.fixture
def newcomer(workspace: Workspace) -> Life:
    """Somebody who has signed in for the first time and is connected."""
    life = come_in(workspace)
    connected(life)
    return life


@pytest.fixture(scope="module")
def server(real_part: Callable[..., Part]) -> Iterator[postgresql.Address]:
    """A PostgreSQL of the test file’s own."""
    real_part("PostgreSQL", version=postgresql.version(), why_not=postgresql.why_not())
    running = postgresql.PostgreSQL()
    running.start()
    try:
        assert running.address
        yield running.address
    finally:
        running.stop()
