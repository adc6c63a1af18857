"""Fixtures that the stand-in's own tests share with the tests of the system that is connected to
it.
"""

from tests.systems.triplestore.conftest import (
    flavour,
    opengdb,
    stand_in,
)

__all__ = [
    "flavour",
    "opengdb",
    "stand_in",
]
