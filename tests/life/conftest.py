"""One demo for the tests of a life, of stand-ins; that of real parts is in tests/real_demo.py."""

from collections.abc import Iterator

import pytest

from tests.life.person import Workspace
from tests.real_demo import demo


@pytest.fixture(scope="package")
def stand_ins() -> Iterator[Workspace]:
    """A demo of stand-ins alone. It ends with these tests: its processes look for work as long as
    they run.
    """
    yield from demo(real=False)
