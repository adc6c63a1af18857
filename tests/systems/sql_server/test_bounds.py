"""An answer of a SQL server costs a bounded amount of memory, whatever it holds."""

import resource
import socket
import struct
import time
from collections.abc import Callable, Iterator

import pytest

from tests.listening import serving
from tests.systems.sql_server.database_server import DatabaseServer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.http import MAX_ANSWER_BYTES
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client import Client
from workspace_manager.systems.sql_server.client.mariadb import connection
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL, Settings
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn

CALLS = CallPolicy(connect_s=60, answer_s=1200)
"""What is to end these answers is their size, however slowly a busy machine reads it."""
PIECE = b"x" * 65_536


def session(flavour: str, port: int) -> None:
    """Sign in and ask who we are."""
    settings = Settings(
        flavour=flavour,
        host="127.0.0.1",
        port=port,
        admin_username="ws",
        admin_password=Secret("p"),
    )
    with Client(settings, policy=CALLS).session(doing=quote_words("asking")) as opened:
        opened.own_account()


def packet(number: int, body: bytes) -> bytes:
    return struct.pack("<I", len(body))[:3] + bytes([number]) + body


def mariadb(line: socket.socket, rows: Callable[[], Iterator[bytes]]) -> None:
    capabilities = 0x0008_F20D
    greeting = b"\x0a5.5.5-10.11.6-MariaDB\0" + b"\1\0\0\0" + b"12345678\0"
    greeting += struct.pack("<H", capabilities & 0xFFFF) + b"\x2d\2\0"
    greeting += struct.pack("<H", capabilities >> 16) + b"\x15" + b"\0" * 10
    line.sendall(packet(0, greeting + b"123456789012\0mysql_native_password\0"))
    line.recv(4096)
    line.sendall(packet(2, b"\0\0\0\2\0\0\0"))
    while question := line.recv(4096):
        if b"CURRENT_USER" not in question.upper():
            line.sendall(packet(1, b"\0\0\0\2\0\0\0"))
            continue
        for piece in rows():
            line.sendall(piece)


def long_value() -> Iterator[bytes]:
    """One field and one value in packets of 16 MB, without end."""
    yield packet(1, b"\1")
    yield packet(2, b"\3def\0\0\0\1a\0\x0c\x2d\0\xff\0\0\0\xfd\0\0\0\0\0")
    yield packet(3, b"\xfe\0\0\2\0")
    number = 4
    while True:
        yield b"\xff\xff\xff" + bytes([number % 256])
        for _ in range(256):
            yield PIECE[:-1] if _ == 255 else PIECE
        number += 1


def many_fields() -> Iterator[bytes]:
    yield packet(1, b"\xfe" + struct.pack("<Q", 2**40))
    number = 2
    while True:
        field = b"\3def\0\0\0\1a\0\x0c\x2d\0\xff\0\0\0\xfd\0\0\0\0\0"
        yield packet(number % 256, field)
        number += 1


def many_rows() -> Iterator[bytes]:
    yield packet(1, b"\1")
    yield packet(2, b"\3def\0\0\0\1a\0\x0c\x2d\0\xff\0\0\0\xfd\0\0\0\0\0")
    yield packet(3, b"\xfe\0\0\2\0")
    number = 4
    while True:
        yield b"".join(packet((number + n) % 256, b"\xfb") for n in range(256))


GIGABIT = 125_000_000
"""Bytes a second of a fast line."""


def message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", len(body) + 4) + body


def postgresql(line: socket.socket, rows: Callable[[], Iterator[bytes]]) -> None:
    if line.recv(4096)[4:8] == struct.pack("!I", 80877103):
        line.sendall(b"N")
        line.recv(4096)
    line.sendall(message(b"R", b"\0\0\0\0") + message(b"Z", b"I"))
    line.recv(4096)
    field = b"a\0" + struct.pack("!IhIhih", 0, 0, 25, -1, -1, 0)
    line.sendall(message(b"T", struct.pack("!h", 1) + field))
    for piece in rows():
        line.sendall(piece)
        # Loopback outruns whoever counts what comes while other programs hold the cores.
        time.sleep(len(piece) / GIGABIT)


def pg_long() -> Iterator[bytes]:
    size = 1_000_000_000
    yield b"D" + struct.pack("!Ihi", size + 10, 1, size)
    while True:
        yield PIECE


def pg_many() -> Iterator[bytes]:
    while True:
        yield message(b"D", struct.pack("!hi", 1, -1)) * 4096


@pytest.mark.parametrize(
    ("flavour", "rows"),
    [
        (MARIADB, long_value),
        (MARIADB, many_fields),
        (MARIADB, many_rows),
        (POSTGRESQL, pg_long),
        (POSTGRESQL, pg_many),
    ],
)
@pytest.mark.one_in(2)
def test_an_answer_that_is_too_large_is_not_read_to_its_end(
    flavour: str, rows: Callable[[], Iterator[bytes]]
) -> None:
    talk = mariadb if flavour == MARIADB else postgresql
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    large = pytest.raises(Invalid, match=f"larger than {MAX_ANSWER_BYTES}")
    with serving(lambda line: talk(line, rows)) as port, large as caught:
        session(flavour, port)
    assert caught.value.advice
    # In kB: many small rows take more as objects than on the wire.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000


def test_a_server_that_asks_for_a_file_of_ours_gets_none() -> None:
    def file() -> Iterator[bytes]:
        yield packet(1, b"\xfb/etc/passwd")

    with serving(lambda line: mariadb(line, file)) as port, pytest.raises(Invalid):
        session(MARIADB, port)


def test_each_statement_has_its_own_bound(
    server: DatabaseServer, stand_in: SqlServerStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MAX_ANSWER_BYTES", 20_000)
    with Client(server.settings).session(doing=quote_words("asking")) as opened:
        for _ in range(400):
            opened.own_account()
    assert stand_in.ledger.items
