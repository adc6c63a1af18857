"""A server that asks for the password itself gets none, whatever it calls that."""

import socket
import struct
from importlib.util import find_spec

import pytest

from tests.listening import serving
from tests.systems.sql_server.test_bounds import message, packet, session
from workspace_manager.contract.errors import ConnectorError, Invalid
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL

ASKS = [
    b"mysql_clear_password",
    b"mysql_old_password",
    b"dialog",
    b"sha256_password",
    b"caching_sha2_password",
    b"something",
]


def greeting(plugin: bytes, *, encrypts: bool = False) -> bytes:
    capabilities = 0x0008_F20D | (0x800 if encrypts else 0)
    text = b"\x0a5.5.5-10.11.6-MariaDB\0" + b"\1\0\0\0" + b"12345678\0"
    text += struct.pack("<H", capabilities & 0xFFFF) + b"\x2d\2\0"
    text += struct.pack("<H", capabilities >> 16) + b"\x15" + b"\0" * 10
    return packet(0, text + b"123456789012\0" + plugin + b"\0")


@pytest.mark.parametrize("plugin", ASKS)
def test_mariadb_gets_no_password_by_asking_for_another_way(plugin: bytes) -> None:
    heard: list[bytes] = []

    def talk(line: socket.socket) -> None:
        line.sendall(greeting(b"mysql_native_password"))
        line.recv(4096)
        line.sendall(packet(2, b"\xfe" + plugin + b"\0\4Password: "))
        heard.append(line.recv(4096))

    with serving(talk) as port, pytest.raises(Invalid, match="would reveal it") as caught:
        session(MARIADB, port)
    assert heard == [b""]
    assert caught.value.advice


@pytest.mark.skipif(bool(find_spec("nacl")), reason="with PyNaCl it is proved")
def test_a_proof_we_cannot_make_is_named() -> None:
    heard: list[bytes] = []

    def talk(line: socket.socket) -> None:
        line.sendall(greeting(b"mysql_native_password"))
        line.recv(4096)
        line.sendall(packet(2, b"\xfeclient_ed25519\0" + b"n" * 32))
        heard.append(line.recv(4096))

    with serving(talk) as port, pytest.raises(Invalid, match="PyNaCl") as caught:
        session(MARIADB, port)
    assert heard == [b""]
    assert "mysql_native_password" in caught.value.advice


@pytest.mark.parametrize("plugin", ASKS)
def test_mariadb_gets_a_proof_alone_whatever_it_greets_with(plugin: bytes) -> None:
    heard: list[bytes] = []

    def talk(line: socket.socket) -> None:
        line.sendall(greeting(plugin))
        heard.append(line.recv(4096))
        line.sendall(packet(2, b"\1\4"))
        heard.append(line.recv(4096))

    with serving(talk) as port, pytest.raises(ConnectorError):
        session(MARIADB, port)
    assert b"mysql_native_password" in heard[0]
    assert heard[1] == b""


@pytest.mark.parametrize("asked", [struct.pack("!I", 3), struct.pack("!I", 5) + b"salt"])
def test_postgresql_gets_no_password_by_asking_for_it(asked: bytes) -> None:
    heard: list[bytes] = []

    def talk(line: socket.socket) -> None:
        if line.recv(4096)[4:8] == struct.pack("!I", 80877103):
            line.sendall(b"N")
            line.recv(4096)
        line.sendall(message(b"R", asked))
        heard.append(line.recv(4096))

    with serving(talk) as port, pytest.raises(Invalid, match="would reveal it") as caught:
        session(POSTGRESQL, port)
    assert not any(text.startswith(b"p") for text in heard)
    assert caught.value.advice
