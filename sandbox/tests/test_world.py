"""A sandbox takes a stand-in where a real part does not start."""

import asyncio
from pathlib import Path

import pytest

from workspace_sandbox.real import mariadb
from workspace_sandbox.real.one_process import Address
from workspace_sandbox.secrets_file import read_or_make
from workspace_sandbox.world import World


def test_a_stand_in_takes_the_place_of_a_mariadb_that_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_self: mariadb.MariaDB) -> Address:
        raise mariadb.MariaDBFailed("MariaDB did not start")

    monkeypatch.setattr(mariadb, "why_not", lambda: None)
    monkeypatch.setattr(mariadb, "prepare", lambda: tmp_path)
    monkeypatch.setattr(mariadb.MariaDB, "start", fail)
    world = World(tmp_path, "http://127.0.0.1:1", real=True, only=frozenset({"MariaDB"}))
    world.values = read_or_make(tmp_path)

    async def start() -> None:
        await world._sql_server()
        await world.stop()

    asyncio.run(start())
    assert world.systems["sql_server"]["part"] == "stand-in"
    assert "MariaDB could not be started, its stand-in is used" in world.notes[0]
    assert "no snapshots of databases" in world.notes[1]
