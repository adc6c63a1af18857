"""A stage for each test: this process's database, a clock that can be turned, and nothing left of what was played."""

import os
from collections.abc import Iterator

import pytest
from django.db import connection

from tests.crash.clock import turned
from tests.crash.lives import Theatre, theatre
from tests.crash.outside import Outside
from workspace_manager import worker

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
def stage(transactional_db: None) -> Iterator[Theatre]:
    """Plays on a database that is kept and put back as a whole."""
    if connection.vendor != "sqlite":
        pytest.skip("the matrix keeps and puts back whole databases, which only SQLite can")
    with turned() as clock, theatre(clock) as found, pytest.MonkeyPatch.context() as patch:
        found.outside = outside = Outside(found.point)
        patch.setattr(worker, "connected_systems", outside.systems)
        yield found
