"""Nothing that could be read or used on the way is sent to a SQL server on another host, and
whoever could read it is named by the check.
"""

import contextlib
import socket
import ssl
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.certificates import Authority
from tests.listening import serving
from tests.systems.sql_server.database_server import DatabaseServer
from tests.systems.sql_server.test_bounds import CALLS, message, packet
from tests.systems.sql_server.test_password_in_clear import greeting
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.errors import Denied, Unavailable
from workspace_manager.contract.loopback import is_loopback
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client import Client
from workspace_manager.systems.sql_server.settings import (
    MARIADB,
    OFF,
    POSTGRESQL,
    UNVERIFIED,
    Settings,
)
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn

ELSEWHERE = "0.0.0.0"
"""Leads to this machine, and is not called a name of it."""
ACCOUNT = b"the-administrator"
REFUSED = b"\xff" + struct.pack("<H", 1045) + b"#28000no"
FATAL = message(b"E", b"SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed\0\0")
FLAVOURS = pytest.mark.parametrize("flavour", [MARIADB, POSTGRESQL])


class Server:
    """Greets, encrypts with `context` (None: not at all), and refuses whoever signs in. `heard`:
    what reached it beside that, encrypted or not.
    """

    def __init__(self, flavour: str, context: ssl.SSLContext | None) -> None:
        self.context = context
        self.talk: Callable[[socket.socket], None] = (
            self.mariadb if flavour == MARIADB else self.postgresql
        )
        self.heard: list[bytes] = []

    def mariadb(self, line: socket.socket) -> None:
        line.sendall(greeting(b"mysql_native_password", encrypts=self.context is not None))
        if self.context:
            line.recv(36)
        with self._encrypted(line) as inner:
            self._hear(inner)
            inner.sendall(packet(3 if self.context else 2, REFUSED))

    def postgresql(self, line: socket.socket) -> None:
        request = line.recv(4096)
        if request[4:8] != struct.pack("!I", 80877103):
            self.heard.append(request)
            line.sendall(FATAL)
            return
        line.sendall(b"S" if self.context else b"N")
        with self._encrypted(line) as inner:
            self._hear(inner)
            inner.sendall(FATAL)

    def _hear(self, line: socket.socket) -> None:
        heard = line.recv(4096)
        if heard:
            self.heard.append(heard)

    @contextlib.contextmanager
    def _encrypted(self, line: socket.socket):  # type: ignore[no-untyped-def]
        if self.context is None:
            yield line
            return
        with self.context.wrap_socket(line, server_side=True) as inner:
            yield inner


def enter(flavour: str, port: int, *, host: str = ELSEWHERE, **settings: Any) -> None:
    made = Settings(
        flavour=flavour,
        host=host,
        port=port,
        admin_username=ACCOUNT.decode(),
        admin_password=Secret("p"),
        **settings,
    )
    with Client(made, policy=CALLS).session(doing=quote_words("asking")):
        pass


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@FLAVOURS
def test_without_encryption_nothing_is_sent_to_another_host(flavour: str) -> None:
    server = Server(flavour, None)
    none = pytest.raises(Unavailable, match="offers no encryption")
    with serving(server.talk) as port, none as caught:
        enter(flavour, port)
    assert server.heard == []
    assert "ssl_cert" in caught.value.advice


@FLAVOURS
@pytest.mark.parametrize(
    ("hosts", "trusted", "expired", "words"),
    [
        ([ELSEWHERE], False, False, "no authority that the manager trusts"),
        ([ELSEWHERE], True, True, "not valid today"),
        (["127.0.0.1", "sql.example"], True, False, "for another name"),
    ],
)
def test_whoever_does_not_prove_to_be_the_server_is_told_nothing(
    flavour: str,
    hosts: list[str],
    trusted: bool,
    expired: bool,
    words: str,
    authority: Authority,
    tmp_path: Path,
) -> None:
    server = Server(flavour, authority.context(*hosts, expired=expired))
    ours = authority if trusted else Authority(tmp_path, "another")
    told = pytest.raises(Unavailable, match=words)
    with serving(server.talk) as port, told as caught:
        enter(flavour, port, certificate_authority=str(ours.file))
    assert server.heard == []
    assert "right server" in caught.value.advice


@FLAVOURS
def test_by_default_the_authorities_of_the_machine_are_asked(
    flavour: str, authority: Authority
) -> None:
    server = Server(flavour, authority.context(ELSEWHERE))
    with serving(server.talk) as port, pytest.raises(Unavailable, match="no authority"):
        enter(flavour, port)
    assert server.heard == []


@FLAVOURS
def test_the_server_that_is_meant_is_spoken_to(flavour: str, authority: Authority) -> None:
    server = Server(flavour, authority.context(ELSEWHERE))
    with serving(server.talk) as port, pytest.raises(Denied):
        enter(flavour, port, certificate_authority=str(authority.file))
    assert len(server.heard) == 1
    assert ACCOUNT in server.heard[0]


@FLAVOURS
def test_an_authority_is_asked_for_this_machine_too_where_it_is_named(
    flavour: str, authority: Authority, tmp_path: Path
) -> None:
    other = Authority(tmp_path, "another")
    server = Server(flavour, other.context("127.0.0.1"))
    with serving(server.talk) as port, pytest.raises(Unavailable, match="no authority"):
        enter(flavour, port, host="127.0.0.1", certificate_authority=str(authority.file))
    assert server.heard == []


@FLAVOURS
@pytest.mark.parametrize("encrypts", [True, False])
def test_what_is_unverified_is_asked_for_by_name(
    flavour: str, encrypts: bool, authority: Authority
) -> None:
    """`unverified` insists on encryption, `off` uses none; on this machine none is needed."""
    server = Server(flavour, authority.context("sql.example") if encrypts else None)
    with serving(server.talk) as port:
        with pytest.raises(Denied if encrypts else Unavailable):
            enter(flavour, port, encryption=UNVERIFIED)
        assert len(server.heard) == encrypts
        with pytest.raises(Denied):
            enter(flavour, port, host="127.0.0.1")
    assert len(server.heard) > encrypts
    plain = Server(flavour, None)
    with serving(plain.talk) as port, pytest.raises(Denied):
        enter(flavour, port, encryption=OFF)
    assert ACCOUNT in plain.heard[0]


@FLAVOURS
@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_file_of_authorities_that_is_none_is_named(
    flavour: str, content: str | None, tmp_path: Path
) -> None:
    file = tmp_path / "authority.pem"
    if content:
        file.write_text(content)
    server = Server(flavour, None)
    with serving(server.talk) as port, pytest.raises(Unavailable, match="authorities cannot be"):
        enter(flavour, port, certificate_authority=str(file))
    assert server.heard == []


@FLAVOURS
def test_an_exchanged_authority_is_used_without_a_restart(
    flavour: str, authority: Authority, tmp_path: Path
) -> None:
    file = tmp_path / "used.pem"
    file.write_bytes(Authority(tmp_path, "old").file.read_bytes())
    server = Server(flavour, authority.context(ELSEWHERE))
    with serving(server.talk) as port:
        with pytest.raises(Unavailable):
            enter(flavour, port, certificate_authority=str(file))
        file.write_bytes(authority.file.read_bytes())
        with pytest.raises(Denied):
            enter(flavour, port, certificate_authority=str(file))


@FLAVOURS
def test_another_protocol_in_place_of_tls_is_no_success(flavour: str) -> None:
    def talk(line: socket.socket) -> None:
        if flavour == MARIADB:
            line.sendall(greeting(b"mysql_native_password", encrypts=True))
        line.recv(4096)
        line.sendall(b"S" + b"HTTP/1.1 400 Bad Request\r\n\r\n")
        line.recv(4096)

    with serving(talk) as port, pytest.raises(Unavailable):
        enter(flavour, port)


def test_the_check_names_who_could_read_along(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    def finding(name: str, **changes: Any) -> tuple[Severity, str]:
        found = {one.name: one for one in server.system(**changes).check()}
        return found[name].severity, found[name].text + found[name].remedy

    assert finding("encryption")[0] is Severity.OK
    severity, said = finding("encryption", host=ELSEWHERE, encryption=OFF)
    assert severity is Severity.WARNING
    assert "encryption verified in the settings" in said
    severity, said = finding("reachable", host=ELSEWHERE)
    assert severity is Severity.FAILING
    assert "ssl_cert" in said


@pytest.mark.parametrize(
    ("host", "here"),
    [
        *((name, True) for name in ("localhost", "LOCALHOST.", "127.0.0.1", "127.9.9.9", "::1")),
        *((name, False) for name in ("127.0.0.1.example.org", "127.example.org", "", "0.0.0.0")),
        *((name, False) for name in ("localhost.example.org", "sql-server", "127.1", "10.0.0.1")),
    ],
)
def test_a_name_that_begins_like_this_machine_is_another(host: str, here: bool) -> None:
    assert is_loopback(host) is here
