"""The connectors on a real MariaDB: the same tests that the stand-in passes, what only the real one
has, and starting and stopping it.
"""

import contextlib
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pymysql
import pytest

from tests.real.leftovers import check_it_ends_with_its_run
from tests.real_running import a_mariadb
from tests.systems.sql_server.cases_accounts import *  # noqa: F403
from tests.systems.sql_server.cases_databases import *  # noqa: F403
from tests.systems.sql_server.cases_grants import *  # noqa: F403
from tests.systems.sql_server.cases_inventory import *  # noqa: F403
from tests.systems.sql_server.cases_mariadb import *  # noqa: F403
from tests.systems.sql_server.cases_passwords import *  # noqa: F403
from tests.systems.sql_server.cases_passwords import POLICY, find_finding
from tests.systems.sql_server.cases_rights import *  # noqa: F403
from tests.systems.sql_server.cases_variables import *  # noqa: F403
from tests.systems.sql_server.database_server import (
    CANARY,
    USER,
    DatabaseServer,
    ask,
    make,
    set_up,
    user_change,
)
from tests.systems.sql_server.script import answers_of
from workspace_manager.contract.connector import Result, Severity
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.names import TRIAL
from workspace_manager.systems.sql_server.settings import Settings
from workspace_sandbox.patience import PATIENCE_S, eventually
from workspace_sandbox.real import mariadb
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn

pytestmark = pytest.mark.real


real_mariadb = pytest.fixture(scope="module", name="real_mariadb")(a_mariadb)
"""Its own: these tests look at everything there is."""


@pytest.fixture
def server(real_mariadb: mariadb.MariaDB) -> DatabaseServer:
    return reach_server(real_mariadb)


def reach_server(server: mariadb.MariaDB) -> DatabaseServer:
    address = server.address
    assert address
    return DatabaseServer(
        Settings(
            host=address.host,
            port=address.port,
            admin_username=address.admin_username,
            admin_password=address.admin_password,
        )
    )


def test_the_stand_in_answers_as_the_real_one(server: DatabaseServer) -> None:
    stand_in = SqlServerStandIn()
    with running(stand_in):
        other = DatabaseServer(
            Settings(
                host=stand_in.host,
                port=stand_in.sql_port,
                admin_username=stand_in.admin_username,
                admin_password=Secret(stand_in.admin_password),
            )
        )
        imitated = answers_of(other)
    real = answers_of(server)
    assert imitated == real


def test_a_log_with_passwords_in_it_is_found(server: DatabaseServer) -> None:
    """A server writes the statement that sets a password as it came."""
    logs = "SELECT argument FROM mysql.general_log"
    server.run("SET GLOBAL log_output = 'TABLE'")
    server.run("SET GLOBAL general_log = ON")
    try:
        make(server, "logged.user")
        assert find_finding(server.system().check(), "logs").severity == Severity.FAILING
        statements = [str(row) for row in server.run(logs)]
        assert any("CREATE USER" in one and "canary" in one for one in statements)
    finally:
        server.run("SET GLOBAL general_log = OFF")
        server.run("TRUNCATE mysql.general_log")
        server.run("SET GLOBAL log_output = DEFAULT")
    assert "logs" not in {one.name for one in server.system().check()}


@pytest.mark.parametrize(
    ("variable", "value", "name"),
    [
        ("read_only", "ON", "writing"),
        ("old_passwords", "ON", "password format"),
        ("default_password_lifetime", "90", "age of passwords"),
    ],
)
def test_a_variable_that_shuts_people_out_is_found(
    server: DatabaseServer, variable: str, value: str, name: str
) -> None:
    assert name not in {one.name for one in server.system().check()}
    server.run(f"SET GLOBAL {variable} = {value}")
    try:
        assert find_finding(server.system().check(), name).remedy
    finally:
        server.run(f"SET GLOBAL {variable} = DEFAULT")


def test_what_runs_with_the_rights_of_somebody_gone_is_named(server: DatabaseServer) -> None:
    make(server, "alice")
    make(server, "bob")
    set_up(server, "ws_shared", "alice", "bob")
    set_up(server, "ws_own", "alice")
    for database in ("ws_shared", "ws_own"):
        with contextlib.closing(server.sign_in("alice", CANARY, database)) as session:
            ask(session, "CREATE VIEW v AS SELECT 1 AS a")
    change = user_change(server, "alice", None)
    outcome = server.system().connectors[USER].remove(change)
    assert outcome.result is Result.CHANGED
    [line] = outcome.by_hand
    assert "the view v in the database ws_shared" in line.english
    assert server.system().connectors[USER].verify(change)


def test_who_knocks_is_no_session(server: DatabaseServer) -> None:
    """The server lists whoever has said a name, also one that it is going to refuse (observed,
    MariaDB 10.11).
    """
    make(server)
    connector = server.system().connectors[USER]
    change = user_change(server, "alice", None)
    connector.remove(change)
    with socket.create_connection(
        (server.settings.host, server.settings.port), timeout=PATIENCE_S
    ) as door:
        door.recv(4096)
        door.sendall(said_name("alice"))
        assert door.recv(4096), "it asks for the password in another way"
        commands = "SELECT COMMAND FROM information_schema.PROCESSLIST WHERE USER = 'alice'"
        assert server.run(commands) == [("Connect",)]
        assert connector.verify(change) is None, "it may have come before the account went"
    eventually("it is refused", lambda: connector.verify(change))


def said_name(user: str) -> bytes:
    """The first packet of a client, which names a user and a way to sign in that the account does
    not have.
    """
    protocol_41, secure_connection, plugin_auth = 0x200, 0x8000, 0x80000
    abilities = struct.pack("<IIB23x", protocol_41 | secure_connection | plugin_auth, 2**24, 45)
    body = abilities + user.encode() + b"\0" + b"\0" + b"dialog\0"
    return struct.pack("<I", len(body))[:3] + b"\1" + body


def test_it_comes_back_as_it_was(tmp_path: Path, real_mariadb: mariadb.MariaDB) -> None:
    for expected in (False, True):
        server = mariadb.MariaDB(directory=tmp_path / "kept", admin_username="keeper")
        server.start()
        try:
            there = reach_server(server)
            assert ("ws_kept" in there.databases()) is expected
            there.run("CREATE DATABASE IF NOT EXISTS ws_kept")
        finally:
            server.stop()
    mariadb.MariaDB(directory=tmp_path).stop()


def test_it_ends_with_the_run_that_started_it(real_mariadb: mariadb.MariaDB) -> None:
    check_it_ends_with_its_run(mariadb, "MariaDB")
    assert real_mariadb.address


def test_nobody_else_may_sign_in(server: DatabaseServer) -> None:
    hosts = {name for name in server.accounts() if not name.endswith("@localhost")}
    assert hosts == {f"{server.settings.admin_username}@%"}


SIMPLE = "simple_password_check"
AS_BEFORE = "0123456789abcdef" * 2 + "01234567"
"""Forty hexadecimal digits, which a policy with its defaults refuses."""


@pytest.fixture
def with_a_policy(server: DatabaseServer) -> Iterator[DatabaseServer]:
    """The server as its own documentation hardens it, with the plugin's defaults."""
    try:
        server.run(f"INSTALL SONAME '{SIMPLE}'")
    except pymysql.Error:
        pytest.skip(f"this MariaDB has no {SIMPLE} (Debian's mariadb-server brings it)")
    try:
        yield server
    finally:
        server.run(f"UNINSTALL SONAME '{SIMPLE}'")


def test_a_password_policy_takes_what_the_manager_makes(with_a_policy: DatabaseServer) -> None:
    server, system = with_a_policy, with_a_policy.system()
    assert find_finding(system.check(), POLICY).severity == Severity.OK
    assert f"{SIMPLE}_other_characters" in find_finding(system.check(), POLICY).text
    assert [one.severity for one in system.trial()] == [Severity.OK]
    with pytest.raises(pymysql.err.OperationalError, match="1819"):
        server.run(f"CREATE USER carol@'%' IDENTIFIED BY '{AS_BEFORE}'")

    server.run(f"SET GLOBAL {SIMPLE}_digits = 40")
    found = find_finding(system.check(), POLICY)
    assert found.severity == Severity.FAILING
    assert f"{SIMPLE}_digits = 40" in found.text
    [tried] = system.trial()
    assert (tried.severity, "1819" in tried.text) == (Severity.FAILING, True), tried
    assert not any(name.startswith(TRIAL) for name in server.accounts())
    server.run(f"SET GLOBAL {SIMPLE}_digits = DEFAULT")
