"""A running workspace withstands every attack from outside."""

from collections.abc import Iterator

import pytest

from tests.attack.__main__ import RECHECK
from tests.attack.attacks import ATTACKS
from tests.attack.scene import Scene
from tests.life.person import Workspace
from workspace_sandbox.demo import Demo

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    """A demo of its own: sessions are rechecked every two seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(RECHECK, "2")
        demo = Demo(port=0)
        try:
            yield Scene(Workspace(demo.start()))
        finally:
            demo.stop()


@pytest.mark.parametrize("attack", ATTACKS)
def test_is_withstood(attack: str, scene: Scene) -> None:
    ATTACKS[attack](scene)
