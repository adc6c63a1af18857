"""Fixtures that the stand-in's own tests share with the tests of the system that is connected to
it.
"""

from tests.systems.drive.conftest import (
    bearer,
    client,
    drive,
    engine,
    exists,
    issuer,
    make_drive,
    servers,
    stand_in,
    switch,
    vault,
    wire,
)

__all__ = [
    "bearer",
    "client",
    "drive",
    "engine",
    "exists",
    "issuer",
    "make_drive",
    "servers",
    "stand_in",
    "switch",
    "vault",
    "wire",
]
