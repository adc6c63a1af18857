"""PostgreSQL without a server: what its codes and words mean, how statements are quoted, who is
shown as having access.
"""

import socket
import threading
from collections.abc import Iterator

import pytest
from psycopg.sql import Composed

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.client import Client
from workspace_manager.systems.sql_server.client.postgresql import dialect
from workspace_manager.systems.sql_server.client.postgresql.access import entries
from workspace_manager.systems.sql_server.client.postgresql.answers import (
    CLOSED,
    LOCKED,
    NOT_FROM_HERE,
    NOT_UNDERSTOOD,
    REFUSED,
    code_of_text,
    error_of,
)
from workspace_manager.systems.sql_server.settings import POSTGRESQL, Settings
from workspace_sandbox.patience import PATIENCE_S

QUICK = CallPolicy(connect_s=1, answer_s=0.6)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        *((code, Unavailable) for code in (CLOSED, "08001", "53300", "57P01", "57P03", "57014")),
        *((code, Unavailable) for code in ("40P01", "55006", "55P03", "25006", "58030")),
        *((code, Denied) for code in (REFUSED, LOCKED, NOT_FROM_HERE, "28000", "42501")),
        *((code, NotFound) for code in ("3D000", "42704")),
        *((code, Conflict) for code in ("42P04", "42710", "2BP01")),
        *((code, Invalid) for code in ("42601", "42939", "42622", "XX000", "", NOT_UNDERSTOOD)),
    ],
)
def test_each_code_has_one_reaction_and_advice(code: str, kind: type[ConnectorError]) -> None:
    error = error_of(code, kind="sql_server.user", doing=quote_words("trying"))
    assert type(error) is kind
    assert error.advice


def test_a_code_may_mean_something_else_for_one_statement() -> None:
    class Mine(Denied):
        """Ours."""

    error = error_of("42501", kind="k", doing=quote_words("d"), meaning={"42501": Mine})
    assert type(error) is Mine
    assert error.advice


HERE = 'connection failed: connection to server at "127.0.0.1", port 5432 failed: '


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('FATAL:  password authentication failed for user "alice"', REFUSED),
        ('FATAL:  LDAP authentication failed for user "alice"', REFUSED),
        ('FATAL:  role "alice" is not permitted to log in', LOCKED),
        ('FATAL:  no pg_hba.conf entry for host "10.0.0.1", user "alice"', NOT_FROM_HERE),
        ('FATAL:  role "alice" does not exist', "28000"),
        ('FATAL:  database "ws_a" does not exist', "3D000"),
        ('FATAL:  permission denied for database "ws_a"', "42501"),
        ("FATAL:  sorry, too many clients already", "53300"),
        ("FATAL:  the database system is starting up", "57P03"),
        ('FATAL:  database "ws_a" is not currently accepting connections', "55000"),
        ("FATAL:  Passwort-Authentifizierung für Benutzer »alice« fehlgeschlagen", REFUSED),
        ("Connection refused\n\tIs the server running on that host?", CLOSED),
        ("server closed the connection unexpectedly", CLOSED),
        ("received invalid response to SSL negotiation: H", NOT_UNDERSTOOD),
        ("expected authentication request from server, but received S", NOT_UNDERSTOOD),
    ],
)
def test_a_refused_sign_in_is_understood(text: str, code: str) -> None:
    assert code_of_text(HERE + text, password_asked=True) == code


def test_an_unknown_word_before_any_password_is_no_refusal_of_one() -> None:
    assert code_of_text(HERE + "FATAL:  etwas ganz anderes", password_asked=False) == CLOSED


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (dialect.lock('x"y', on=True), 'ALTER ROLE "x""y" NOLOGIN'),
        (dialect.drop_role("a;b"), 'DROP ROLE "a;b"'),
        (dialect.join("ws_a", "%s"), 'GRANT "ws_a" TO "%s"'),
        (dialect.close_to("ws_a", ""), 'REVOKE ALL ON DATABASE "ws_a" FROM PUBLIC CASCADE'),
        (dialect.close_to("ws_a", "public"), 'REVOKE ALL ON DATABASE "ws_a" FROM "public" CASCADE'),
        (dialect.set_password("a", "p'q"), "ALTER ROLE \"a\" PASSWORD 'p''q'"),
        (dialect.reassign("a", "ws_a"), 'REASSIGN OWNED BY "a" TO "ws_a"'),
    ],
)
def test_quoting(statement: Composed, text: str) -> None:
    assert statement.as_string() == text


ALL = ["CREATE", "CONNECT", "TEMPORARY"]
RIGHT = [("ws_a", ALL, False), ("ws_a+use", ["CONNECT", "TEMPORARY"], False)]
ALICE, BOB = ("ws_a", "alice", False), ("ws_a+use", "bob", False)
EVE, READING = ("ws_a+ro", "eve", False), ("ws_a+ro", ["CONNECT"], False)


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        ({"members": [ALICE], "rights": RIGHT}, {"alice": "right everything define"}),
        ({"members": [BOB], "rights": RIGHT}, {"bob (not everything)": "write"}),
        ({"members": [EVE], "rights": [*RIGHT, READING]}, {"eve (not everything)": "read"}),
        (
            # The role of the readers is half made, or may do more: its members do not have it yet.
            {"members": [BOB, EVE], "rights": [*RIGHT, ("ws_a+ro", ["CONNECT", "CREATE"], False)]},
            {"bob (not everything)": "write", "eve (not everything)": ""},
        ),
        ({"members": [], "rights": RIGHT}, {}),
        ({"members": [ALICE], "rights": []}, {"alice (not everything)": ""}),
        (
            {"members": [ALICE, BOB], "rights": RIGHT[:1]},
            {
                "alice (not everything)": "",
                "bob (not everything)": "",
            },
        ),
        (
            {"members": [ALICE], "rights": RIGHT, "open_": False},
            {"alice (not everything)": ""},
        ),
        (
            {"members": [("ws_a", "alice", True)], "rights": RIGHT},
            {"alice (may hand it on)": "everything"},
        ),
        (
            {"members": [ALICE], "rights": [("ws_a", ALL, True), RIGHT[1]]},
            {"alice (may hand it on)": "everything"},
        ),
        (
            {"members": [], "rights": [*RIGHT, ("", ["CONNECT"], False), ("bob", ALL, False)]},
            {"everybody": "", "bob (without being a member)": ""},
        ),
        (
            {"members": [ALICE], "rights": [], "roles_left": True},
            {"alice": "right everything define", "the roles of its members": ""},
        ),
    ],
)
def test_who_has_access_is_shown_with_what_differs(
    found: dict[str, object], shown: dict[str, str]
) -> None:
    given = entries("ws_a", **{"open_": True, "roles_left": False, **found})  # type: ignore[arg-type]
    words = ("right", "everything")
    assert {
        entry.shown: " ".join(
            [*(word for word in words if getattr(entry, word)), entry.use]
        ).strip()
        for entry in given
    } == shown


@pytest.mark.parametrize(
    ("name", "legal"),
    [
        *(("alice", True), ("x" * 63, True), ("ü" * 31, True)),
        *(("x" * 64, False), ("ü" * 32, False), ("eve ", False), ("a\0", False)),
    ],
)
def test_names_that_the_server_would_cut_are_refused(name: str, legal: bool) -> None:
    assert names.is_user_name(name, POSTGRESQL) is legal


def test_names_that_the_server_or_a_database_has_are_nobodys() -> None:
    for name in ("pg_monitor", "ws_lab_1", "ws-left", "postgres"):
        assert names.is_technical(name, POSTGRESQL)
    assert not names.is_technical("pg_monitor")
    assert not names.is_database_name("ws_" + "x" * 57, POSTGRESQL)
    for name in ("pg_monitor", "WS_lab_1"):
        with pytest.raises(NameImpossible):
            names.user_name(name)


@pytest.fixture(
    params=[
        b"",
        b"SSH-2.0-OpenSSH_9.2p1\r\n",
        b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>",
        b"\x00\x00\x00\x00",
        b"N",
        b"NR\x00\x00\x00\x08\x00\x00\x00\x00",
        b"NE\x00\x00\x00\x0c",
        b"\xff" * 300,
        None,
    ]
)
def stranger(request: pytest.FixtureRequest) -> Iterator[int]:
    """Something else on the port: it sends a few bytes and closes, or (None) says nothing
    at all.
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(10)
        ended = threading.Event()

        def serve() -> None:
            while not ended.is_set():
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
        port = int(server.getsockname()[1])
        yield port
        ended.set()
        with socket.create_connection(("127.0.0.1", port)):
            pass
        thread.join()


def test_a_stranger_on_the_port_is_never_a_success(stranger: int) -> None:
    settings = Settings(
        flavour=POSTGRESQL,
        host="127.0.0.1",
        port=stranger,
        admin_username="admin",
        admin_password=Secret("canary"),
    )
    with (
        pytest.raises((Unavailable, Invalid)) as caught,
        Client(settings, policy=QUICK).session(doing=quote_words("asking")),
    ):
        pass
    assert "canary" not in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "no-such-host.invalid", "", "/tmp", "a,b", "a" * 300, "bad host\0"]
)
def test_nobody_there_is_unavailable(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    settings = Settings(
        flavour=POSTGRESQL,
        host=host,
        port=free,
        admin_username="a",
        admin_password=Secret("b"),
    )
    client = Client(settings, policy=QUICK)
    with pytest.raises((Unavailable, Invalid)):
        client.sign_in("alice", Secret("x"), doing=quote_words("trying"))
