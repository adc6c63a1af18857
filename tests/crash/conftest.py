"""A replay for each test: this process's database, a clock that can be turned, and nothing left of
it afterwards.
"""

import os
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connection

from tests.clock import turned
from tests.crash.fake_systems import FakeSystems
from tests.crash.kept_content import keep_in
from tests.crash.replay import Replay, replaying
from workspace_manager import worker
from workspace_manager.snapshots import store_health, upkeep

ALL = "WORKSPACE_TEST_MATRIX"
"""Set by `make matrix`: nothing is sampled."""
SEED = "WORKSPACE_TEST_SEED"


@pytest.fixture(scope="session")
def everything() -> bool:
    """Whether all is tried, and not a sample."""
    return bool(os.environ.get(ALL))


@pytest.fixture(scope="session")
def seed() -> int:
    """What samples are drawn by: the same unless another is given."""
    return int(os.environ.get(SEED, "5"))


@pytest.fixture
def replay(transactional_db: None) -> Iterator[Replay]:
    """Runs on a database that is kept and put back as a whole."""
    if connection.vendor != "sqlite":
        pytest.skip("the matrix keeps and puts back whole databases, which only SQLite can")
    with turned() as clock, replaying(clock) as found, pytest.MonkeyPatch.context() as patch:
        found.fakes = fakes = FakeSystems(found.point)
        patch.setattr(worker, "connected_systems", fakes.systems)
        keep_in(fakes, patch)
        # A look writes down what it sees and nothing follows from it: it is killed nowhere here.
        patch.setattr(settings, "HEALTH_LOOK_SECONDS", 0)
        patch.setattr(store_health, "look", lambda: None)
        patch.setattr(upkeep, "look", lambda _systems: None)
        yield found
