"""An administrator, and three people who may share a project."""

import pytest

from tests.fake_world.people import here, make_person
from tests.fake_world.world import World
from workspace_manager.records.models import (
    Person,
)


@pytest.fixture
def alice(world: World) -> Person:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return here(world, "alice")


@pytest.fixture
def bob(world: World) -> Person:
    return here(world, "bob")


@pytest.fixture
def carol(world: World) -> Person:
    return here(world, "carol")
