"""Fixtures that the stand-in's own tests share with the tests of the system that is connected to
it.
"""

from tests.systems.container_manager.conftest import (
    key,
    stand_in,
)

__all__ = [
    "key",
    "stand_in",
]
