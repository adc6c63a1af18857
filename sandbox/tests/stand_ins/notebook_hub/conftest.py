"""Fixtures that the stand-in's own tests share with the tests of the system that is connected to
it.
"""

from tests.systems.notebook_hub.conftest import (
    world,
)

__all__ = [
    "world",
]
