"""The meanings of codes, our rights, and that no answer of anything else is taken for
success.
"""

import socket
import threading
from collections.abc import Iterator
from typing import cast

import pymysql
import pytest

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import quote_words as words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client import Client
from workspace_manager.systems.sql_server.client.mariadb.answers import error_of
from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.client.mariadb.dialect import as_pattern, quote_name
from workspace_manager.systems.sql_server.client.mariadb.privileges import (
    find_missing_rights,
    read_grant,
)
from workspace_manager.systems.sql_server.client.mariadb.session import MariaDBSession
from workspace_manager.systems.sql_server.settings import Settings
from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn

QUICK = CallPolicy(connect_s=1, answer_s=0.6)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        *((code, Unavailable) for code in (2002, 2003, 2006, 2013, 1040, 1053, 1205, 1927, 1290)),
        *((code, Denied) for code in (1044, 1045, 1142, 1227, 1130, 4151)),
        *((code, NotFound) for code in (1396, 1133, 1141, 1008)),
        *((code, Invalid) for code in (1064, 1235, 1470, 1105, 31337, -1)),
        (1007, Conflict),
    ],
)
def test_each_code_has_one_reaction_and_advice(code: int, kind: type[ConnectorError]) -> None:
    error = error_of(code, kind="sql_server.user", doing=words("trying"))
    assert type(error) is kind
    assert error.advice
    assert (
        error_of(code, kind="k", doing=words("d"), meaning={code: Conflict}).__class__ is Conflict
    )


def test_a_stand_in_says_that_it_makes_no_snapshots(stand_in: SqlServerStandIn) -> None:
    """It has no engine of a table to show, which every real server has."""
    with (
        pymysql.connect(
            host=stand_in.host, port=stand_in.sql_port, user=stand_in.admin_username,
            password=stand_in.admin_password, connect_timeout=PATIENCE_S,
        ) as opened,
        pytest.raises(pymysql.err.MySQLError) as refused,
    ):  # fmt: skip
        opened.cursor().execute("SELECT ENGINE FROM information_schema.TABLES")
    error = error_of(refused.value.args[0], kind="sql_server.database", doing=words("reading"))
    assert "does not support this statement" in error.detail
    assert "snapshots" in error.advice


@pytest.mark.parametrize(
    ("line", "database", "table", "names", "may_grant"),
    [
        ("GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '*AB'", "*", "*", {"USAGE"}, False),
        (
            "GRANT ALL PRIVILEGES ON *.* TO `a`@`%` WITH GRANT OPTION",
            "*",
            "*",
            {"ALL PRIVILEGES"},
            True,
        ),
        (
            r"GRANT SELECT, CREATE VIEW ON `ws\_%`.* TO `a`@`%`",
            r"ws\_%",
            "*",
            {"SELECT", "CREATE VIEW"},
            False,
        ),
        (
            "GRANT SELECT (a, b), INSERT ON `x`.`y``z` TO `a`@`%`",
            "x",
            "y`z",
            {"SELECT", "INSERT"},
            False,
        ),
    ],
)
def test_a_line_of_grants_is_understood(
    line: str, database: str, table: str, names: set[str], may_grant: bool
) -> None:
    read = read_grant(line)
    assert read
    assert (read.database, read.table, read.names, read.may_grant) == (
        database,
        table,
        frozenset(names),
        may_grant,
    )


@pytest.mark.parametrize("line", ["GRANT `role` TO `a`@`%`", "SET DEFAULT ROLE r FOR `a`@`%`", ""])
def test_lines_about_roles_give_nothing(line: str) -> None:
    assert read_grant(line) is None


def test_what_is_missing_is_said_with_its_statement() -> None:
    lacks = list(find_missing_rights([], "o'neil@10.0.0.%"))
    assert len(lacks) == 8
    assert all("TO 'o''neil'@'10.0.0.%'" in lack.remedy for lack in lacks)
    everything = read_grant("GRANT ALL PRIVILEGES ON *.* TO `a`@`%` WITH GRANT OPTION")
    assert everything
    assert not list(find_missing_rights([everything], "a@%"))


@pytest.mark.parametrize(
    ("pattern", "enough"),
    [
        (r"ws\_%", True),
        ("ws_%", True),
        ("%", True),
        (r"ws\_a%", False),
        (r"ws\_", False),
        ("wiki", False),
    ],
)
def test_only_a_pattern_that_takes_in_all_our_databases_is_enough(
    pattern: str, enough: bool
) -> None:
    line = f"GRANT ALL PRIVILEGES ON `{pattern}`.* TO `a`@`%` WITH GRANT OPTION"
    read = read_grant(line)
    assert read
    missing = {
        lack.what
        for lack in find_missing_rights([read], "a@%")
        if "begin with" in lack.what.english
    }
    assert (not missing) is enough


def test_quoting() -> None:
    assert quote_name("a`b%c") == "`a``b%%c`"
    assert as_pattern("ws_a%b") == r"ws\_a\%b"


@pytest.fixture(
    params=[
        b"",
        b"SSH-2.0-OpenSSH_9.2p1\r\n",
        b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>",
        b"\x00\x00\x00\x00",
        b"\x05\x00\x00\x00\x0a5.5\x00",
        b"\xff" * 300,
        b"\x01\x00\x00\x00\x0a",
        None,
    ]
)
def stranger(request: pytest.FixtureRequest) -> Iterator[int]:
    """Something else on the port: it sends a few bytes and closes, or (None) says nothing
    at all.
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = threading.Event()

        def serve() -> None:
            try:
                visitor, _ = server.accept()
            except OSError:
                return
            with visitor:
                if request.param is None:
                    ended.wait(PATIENCE_S)
                else:
                    visitor.sendall(request.param)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        ended.set()
        thread.join()


def test_a_stranger_on_the_port_is_never_a_success(stranger: int) -> None:
    settings = Settings(
        host="127.0.0.1", port=stranger, admin_username="admin", admin_password=Secret("canary")
    )
    with (
        pytest.raises((Unavailable, Invalid)) as caught,
        Client(settings, policy=QUICK).session(doing=words("asking")),
    ):
        pass
    assert "canary" not in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-host.invalid", "", "a" * 300, "bad host\0"])
def test_nobody_there_is_unavailable(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    settings = Settings(host=host, port=free, admin_username="a", admin_password=Secret("b"))
    client = Client(settings, policy=QUICK)
    with pytest.raises((Unavailable, Invalid)):
        client.sign_in("alice", Secret("x"), doing=words("trying"))


class Knocks:
    """A connection that answers each look at the sessions with the next of these, and with the last
    one for ever.
    """

    def __init__(self, *looks: dict[int, str]) -> None:
        self._looks = [list(look.items()) for look in looks]

    def rows(self, _statement: str, *_values: str) -> list[tuple[int, str]]:
        return self._looks.pop(0) if len(self._looks) > 1 else self._looks[0]


@pytest.mark.parametrize(
    ("looks", "sessions"),
    [
        (({},), 0),
        (({1: "Sleep", 2: "Query"},), 2),
        (({1: "Connect"}, {}), 0),
        (({1: "Connect"}, {2: "Connect"}), 0),
        (({1: "Connect"}, {1: "Connect", 2: "Connect"}, {1: "Sleep", 3: "Connect"}), 1),
        (({1: "Connect", 2: "Sleep"}, {2: "Query"}), 1),
    ],
    ids=["nobody", "two", "refused", "another one knocks", "let in", "beside a session"],
)
def test_who_knocks_is_a_session_once_let_in(
    looks: tuple[dict[int, str], ...], sessions: int
) -> None:
    """Who knocks after the first look came after the account was seen gone, and cannot be
    let in.
    """
    assert MariaDBSession(cast(Connection, Knocks(*looks))).count_sessions("alice") == sessions


def test_who_is_not_refused_in_time_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workspace_manager.systems.sql_server.client.mariadb.session._PAUSE_S", 0)
    assert MariaDBSession(cast(Connection, Knocks({1: "Connect"}))).count_sessions("alice") == 1
