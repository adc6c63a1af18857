"""The stand-in itself: what it refuses, what it keeps, what it shows. That it answers as the real
one is tests/real/test_mariadb.py.
"""

import contextlib
import json
from pathlib import Path

import httpx
import pytest

from tests.systems.sql_server.conftest import ADMIN_PASSWORD, reach_server
from tests.systems.sql_server.database_server import (
    CANARY,
    DatabaseServer,
    ask,
    code,
    make,
    set_up,
    try_sign_in,
)
from workspace_sandbox.server import CONTROL, running
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn, lexer


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("CREATE USER 'a''b'@'%' IDENTIFIED BY 'p\\'w'", "CREATE USER ?@? IDENTIFIED BY ?"),
        ('SELECT  "x",\n 12.5, `n` -- 1\n', "SELECT ?, ?, `n`"),
        ("/* hidden 'x' */ KILL 12", "KILL ?"),
        ("SELECT 'open", "(not readable)"),
        ("SELECT a FROM `ws_a`.t WHERE b <> 'x'", "SELECT a FROM `ws_a`.t WHERE b <> ?"),
    ],
)
def test_the_ledger_sees_no_value(statement: str, shown: str) -> None:
    assert lexer.without_values(statement) == shown


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"'a\'b'", "a'b"),
        ("'a''b'", "a'b"),
        (r"'\\'", "\\"),
        (r"'\%'", r"\%"),
        ('"a""b"', 'a"b'),
        (r"'\n'", "\n"),
    ],
)
def test_values_are_read_as_the_server_reads_them(text: str, value: str) -> None:
    [token] = lexer.tokens(text)
    assert token.value == value


@pytest.mark.parametrize(
    "statement",
    [
        "HANDLER t OPEN",
        "LOAD DATA INFILE 'x' INTO TABLE t",
        "CREATE PROCEDURE p() SELECT 1",
        "CREATE VIEW v AS SELECT 1",
        "CALL p()",
        "SET GLOBAL max_connections = 1",
        "SELECT * FROM information_schema.ENGINES",
        "SELECT * FROM sys.version",
        "INSERT INTO mysql.user (User) VALUES ('x')",
        "CREATE USER a IDENTIFIED BY 'x' REQUIRE SSL",
        "GRANT NONSENSE ON *.* TO admin",
        "SELECT LOAD_FILE('x')",
        "PRAGMA table_list",
        "ATTACH 'x' AS y",
        "",
        ";",
    ],
)
def test_what_is_not_known_is_refused(server: DatabaseServer, statement: str) -> None:
    with contextlib.closing(server.sign_in("admin", ADMIN_PASSWORD)) as admin:
        assert code(admin, statement) != 0
        assert code(admin, "SELECT 1") == 0


def test_prepared_statements_and_other_commands_are_refused(server: DatabaseServer) -> None:
    with contextlib.closing(server.sign_in("admin", ADMIN_PASSWORD)) as admin:
        for command, expected in ((0x16, 1295), (0x11, 1047), (0x1F, 1047)):
            admin._execute_command(command, "SELECT 1")  # type: ignore[attr-defined]
            with pytest.raises(Exception, match=str(expected)):
                admin._read_packet()  # type: ignore[no-untyped-call]
        assert code(admin, "SELECT 1") == 0
        admin.select_db("mysql")
        assert ask(admin, "SELECT DATABASE()") == [("mysql",)]
        admin.ping(reconnect=False)


def test_the_control_routes_show_what_exists(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    make(server)
    set_up(server, "ws_a", "alice")
    with contextlib.closing(server.sign_in("alice", CANARY, "ws_a")):
        state = httpx.get(f"{stand_in.control_url}/state").json()
    assert "alice@%" in state["users"]
    assert state["databases"] == ["ws_a"]
    assert state["grants"][-1]["database"] == r"ws\_a"
    assert state["sessions"][0] | {"id": 0} == {"id": 0, "account": "alice@%", "database": "ws_a"}
    calls = httpx.get(f"{stand_in.control_url}/calls").json()["items"]
    [made] = [call for call in calls if call["method"] == "CREATE" and "USER" in call["path"]]
    assert (made["path"], made["status"], made["effect"]) == (
        "CREATE USER IF NOT EXISTS ?@? IDENTIFIED BY ?",
        0,
        True,
    )
    shown = json.dumps([state, calls])
    assert CANARY not in shown
    assert "*" + "0" * 3 not in shown
    assert "stand-in" in httpx.get(stand_in.url + "/").text


def test_faults_come_by_control_route(server: DatabaseServer, stand_in: SqlServerStandIn) -> None:
    fault = {"statement": "^SELECT ?", "fault": "status", "status": 1040, "times": 2}
    assert httpx.post(f"{stand_in.control_url}/faults", json=fault).status_code == 201
    with contextlib.closing(server.sign_in("admin", ADMIN_PASSWORD)) as admin:
        assert [code(admin, "SELECT 1") for _ in range(3)] == [1040, 1040, 0]


def test_a_reset_brings_back_the_beginning(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    make(server)
    set_up(server, "ws_a", "alice")
    httpx.post(f"{stand_in.url}{CONTROL}/reset")
    assert try_sign_in(server, "alice", CANARY) == 1045
    assert "ws_a" not in server.databases()
    assert stand_in.what_exists()["databases"] == []


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    first = SqlServerStandIn(data_dir=tmp_path, admin_password="one")
    with running(first):
        server = reach_server(first)
        make(server)
        set_up(server, "ws_a", "alice")
        with contextlib.closing(server.sign_in("alice", CANARY, "ws_a")) as alice:
            ask(alice, "CREATE TABLE t (a INT)")
            ask(alice, "INSERT INTO t VALUES (7)")
    assert CANARY not in (tmp_path / "sql_server.json").read_text()
    second = SqlServerStandIn(data_dir=tmp_path, admin_password="two")
    with running(second):
        server = reach_server(second)
        with contextlib.closing(server.sign_in("alice", CANARY, "ws_a")) as alice:
            assert ask(alice, "SELECT a FROM t") == [(7,)]
        assert try_sign_in(server, "admin", "one") == 1045
        assert try_sign_in(server, "admin", "two") == 0
        server.run("DROP DATABASE ws_a")
    assert not list((tmp_path / "sql_server").glob("*.sqlite"))


def test_other_administrators_and_ports() -> None:
    stand_in = SqlServerStandIn(admin_username="keeper", admin_password="k")
    with running(stand_in):
        server = reach_server(stand_in)
        assert try_sign_in(server, "keeper", "k") == 0
        assert try_sign_in(server, "admin", ADMIN_PASSWORD) == 1045
        again = SqlServerStandIn(sql_port=stand_in.sql_port)
        assert again.sql_port == stand_in.sql_port


def test_an_anonymous_account_comes_before_a_person_on_its_own_host(server: DatabaseServer) -> None:
    make(server)
    with contextlib.closing(server.sign_in("admin", ADMIN_PASSWORD)) as admin:
        ask(admin, "CREATE USER ''@'127.0.0.1' IDENTIFIED BY 'anybody'")
        assert try_sign_in(server, "admin", ADMIN_PASSWORD) == 1045
        assert try_sign_in(server, "alice", CANARY) == 1045
        assert try_sign_in(server, "alice", "anybody") == 0
        ask(admin, "DROP USER ''@'127.0.0.1'")
    assert try_sign_in(server, "alice", CANARY) == 0


def test_traps_of_names_are_those_of_the_real_server(server: DatabaseServer) -> None:
    server.run(
        "CREATE USER 'eve'@'%' IDENTIFIED BY 'x'", "CREATE USER 'a😀b'@'%' IDENTIFIED BY 'x'"
    )
    assert "a?b@%" in server.accounts()
    assert server.run("SELECT COUNT(*) FROM mysql.user WHERE User = 'eve  '") == [(1,)]
    server.run("DROP USER 'eve '@'%'", "DROP USER 'a😁b'@'%'")
    assert not {"eve@%", "a?b@%"} & server.accounts()
