"""Fixtures that the stand-in's own tests share with the tests of the system that is connected to
it.
"""

from tests.systems.sql_server.conftest import (
    server,
    stand_in,
)

__all__ = [
    "server",
    "stand_in",
]
