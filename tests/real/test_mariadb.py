"""The connectors on a real MariaDB: the same tests that the stand-in passes, what only the real one has, and starting and stopping it."""

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pymysql
import pytest

from tests.real_parts import Part
from tests.systems.sql_server.cases_accounts import *  # noqa: F403
from tests.systems.sql_server.cases_databases import *  # noqa: F403
from tests.systems.sql_server.cases_grants import *  # noqa: F403
from tests.systems.sql_server.cases_mariadb import *  # noqa: F403
from tests.systems.sql_server.cases_rights import *  # noqa: F403
from tests.systems.sql_server.place import CANARY, USER, Place, ask, make, set_up, user_change
from tests.systems.sql_server.script import answers_of
from workspace_manager.contract.connector import Result
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.stand_in import running
from workspace_manager.sandbox import children, mariadb
from workspace_manager.systems.sql_server.emulator import SqlServerStandIn
from workspace_manager.systems.sql_server.settings import Settings

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def real_mariadb(real_part: Callable[..., Part]) -> Iterator[mariadb.MariaDB]:
    real_part("MariaDB", version=mariadb.version(), why_not=mariadb.why_not())
    server = mariadb.MariaDB()
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def place(real_mariadb: mariadb.MariaDB) -> Place:
    return place_of(real_mariadb)


def place_of(server: mariadb.MariaDB) -> Place:
    address = server.address
    assert address
    return Place(
        Settings(
            host=address.host,
            port=address.port,
            admin_username=address.admin_username,
            admin_password=address.admin_password,
        )
    )


def test_the_stand_in_answers_as_the_real_one(place: Place) -> None:
    stand_in = SqlServerStandIn()
    with running(stand_in):
        other = Place(
            Settings(
                host=stand_in.host,
                port=stand_in.sql_port,
                admin_username=stand_in.admin_username,
                admin_password=Secret(stand_in.admin_password),
            )
        )
        imitated = answers_of(other)
    real = answers_of(place)
    assert imitated == real


def test_what_runs_with_the_rights_of_somebody_gone_is_named(place: Place) -> None:
    make(place, "alice")
    make(place, "bob")
    set_up(place, "ws_shared", "alice", "bob")
    set_up(place, "ws_own", "alice")
    for database in ("ws_shared", "ws_own"):
        with contextlib.closing(place.sign_in("alice", CANARY, database)) as session:
            ask(session, "CREATE VIEW v AS SELECT 1 AS a")
    change = user_change(place, "alice", None)
    outcome = place.system().connectors[USER].remove(change)
    assert outcome.result is Result.CHANGED
    [line] = outcome.by_hand
    assert "the view v in the database ws_shared" in line
    assert place.system().connectors[USER].verify(change)


def test_who_knocks_again_and_again_does_not_keep_an_account(place: Place) -> None:
    """The server lists whoever it is about to refuse under the name they said (observed, MariaDB 10.11)."""
    make(place)
    connector = place.system().connectors[USER]
    change = user_change(place, "alice", None)
    knocked, done = threading.Event(), threading.Event()

    def knock() -> None:
        while not done.is_set():
            with contextlib.suppress(pymysql.MySQLError):
                place.sign_in("alice", "a wrong password").close()
            knocked.set()

    knocking = [threading.Thread(target=knock) for _ in range(4)]
    for thread in knocking:
        thread.start()
    try:
        assert knocked.wait(10)
        connector.remove(change)
        assert all(connector.verify(change) for _ in range(200))
    finally:
        done.set()
        for thread in knocking:
            thread.join()


def test_it_comes_back_as_it_was(tmp_path: Path, real_mariadb: mariadb.MariaDB) -> None:
    for expected in (False, True):
        server = mariadb.MariaDB(directory=tmp_path / "kept", admin_username="keeper")
        server.start()
        try:
            there = place_of(server)
            assert ("ws_kept" in there.databases()) is expected
            there.run("CREATE DATABASE IF NOT EXISTS ws_kept")
        finally:
            server.stop()
    mariadb.MariaDB(directory=tmp_path).stop()


def test_it_ends_with_the_run_that_started_it(real_mariadb: mariadb.MariaDB) -> None:
    script = (
        "from workspace_manager.sandbox.mariadb import MariaDB\n"
        "server = MariaDB()\n"
        "print(server.start().port, server._home, flush=True)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout
        port, home = run.stdout.readline().split()
        with socket.create_connection(("127.0.0.1", int(port)), timeout=5):
            pass
        run.kill()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", int(port)), timeout=5).close()
        except ConnectionRefusedError:
            break
        time.sleep(0.05)
    else:
        pytest.fail("it outlived the run that started it")
    children.remove_leftovers(mariadb.NAME)
    assert not Path(home).exists()
    assert real_mariadb.address


def test_nobody_else_may_sign_in(place: Place) -> None:
    hosts = {name for name in place.accounts() if not name.endswith("@localhost")}
    assert hosts == {f"{place.settings.admin_username}@%"}
