"""One stand-in per test and a connected system beside it."""

from collections.abc import Iterator

import pytest

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.triplestore.client.calls import CALLS
from workspace_manager.systems.triplestore.connector import Triplestore, connect
from workspace_manager.systems.triplestore.settings import Settings
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

CANARY = "canary-Zx81-not-to-be-seen"
ADMIN_PASSWORD = "canary-Qq72-administrator"


def resolver(ref: str) -> Secret:
    return Secret({"vault/1": CANARY, "vault/2": CANARY + "-2"}[ref], name=ref)


def connected(
    stand_in: TriplestoreStandIn, *, calls: CallPolicy = CALLS, **changes: object
) -> Triplestore:
    values = {
        "url": stand_in.url,
        "admin_username": "admin",
        "admin_password": Secret(ADMIN_PASSWORD),
        **changes,
    }
    return connect(Settings(**values), resolver, calls=calls)  # type: ignore[arg-type]


@pytest.fixture(params=["opengdb", "graphdb"])
def flavour(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def stand_in(flavour: str) -> Iterator[TriplestoreStandIn]:
    found = TriplestoreStandIn(admin_password=ADMIN_PASSWORD, flavour=flavour)
    with running(found):
        yield found


@pytest.fixture
def opengdb() -> Iterator[TriplestoreStandIn]:
    found = TriplestoreStandIn(admin_password=ADMIN_PASSWORD)
    with running(found):
        yield found
