"""What the tests of the stories share."""

import pytest

from tests.lifecycle.world import World


@pytest.fixture
def world() -> World:
    return World()
