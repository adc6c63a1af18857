"""One deadline for a whole exchange: whatever comes a byte at a time ends with it."""

import math
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.certificates import Authority
from tests.dripping import HEADERS, Dripping
from workspace_manager.contract import deadline, http, wire
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.deadline import act_until, moment
from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client import Client
from workspace_manager.systems.sql_server.client.postgresql import wire as postgresql
from workspace_manager.systems.sql_server.settings import (
    MARIADB,
    POSTGRESQL,
    UNVERIFIED,
    VERIFIED,
    Settings,
)
from workspace_sandbox.patience import ends_before

SHORT = CallPolicy(connect_s=0.5, answer_s=0.5)
LONGEST_S = 1.5
"""Of all calls here: a connection of half a second, and an answer of a second."""
EVERYDAY = ("a header", "a body")

WAYS = {
    "connects and is silent": Dripping(b"", b""),
    "a status line": Dripping(b"HTTP/1.1 200 ", b"O"),
    "a header": Dripping(HEADERS),
    "headers without end": Dripping(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
    "informational answers without end": Dripping(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "a body": Dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n"),
    "a body in pieces": Dripping(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"
    ),
    "the size of a piece": Dripping(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"0"),
}


@pytest.fixture(autouse=True)
def each_wait_has_an_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """How long each look-up, connection, read and write may take is what is left of the call: that
    a call ends before a system that holds it for minutes does not say that it ends in time.
    """
    given: list[float | None] = []

    def left(wanted: float | None) -> float | None:
        given.append(deadline.remaining_time(wanted))
        return given[-1]

    for waits in (wire, postgresql):
        monkeypatch.setattr(waits, "remaining_time", left)
    yield
    assert given
    assert all(one is not None and one <= LONGEST_S for one in given), given


def asks(url: str, content: bytes | None = None) -> None:
    client = HttpClient(url, system="drive", policy=SHORT)
    client.send("POST", "/", doing=quote_words("asking"), content=content)


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=[] if way in EVERYDAY else pytest.mark.thorough) for way in WAYS],
)
def test_an_answer_that_drips_ends_with_the_call(way: str) -> None:
    with WAYS[way].running() as system, ends_before(system.over), pytest.raises(Unavailable):
        asks(system.url)


@pytest.mark.thorough
@pytest.mark.parametrize("way", [Dripping(b"", b""), Dripping(b"\x16\x03\x03\x40\x00", b"\x02")])
def test_tls_that_is_never_agreed_on_ends_with_the_call(way: Dripping) -> None:
    with way.running() as system, ends_before(system.over), pytest.raises(Unavailable):
        asks(f"https://localhost:{system.port}")


@pytest.mark.thorough
def test_what_drips_once_tls_is_agreed_on_ends_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path)
    tls = authority.context("127.0.0.1", "localhost")
    trusting = ssl.create_default_context(cafile=str(authority.file))
    monkeypatch.setattr(http, "trust_context", lambda: trusting)
    web = Dripping(tls=tls)
    with web.running(), ends_before(web.over), pytest.raises(Unavailable, match="within"):
        asks(f"https://localhost:{web.port}")
    sql = Dripping(b"\xff\xff\x00\x03", b"\x00", tls=tls, greeting=greeting(0x000A_FA0D))
    with sql.running(), ends_before(sql.over), pytest.raises(Unavailable, match=r"2013|2003"):
        signs_in(MARIADB, sql.port, encryption=UNVERIFIED)


@pytest.mark.thorough
def test_whoever_takes_a_request_a_little_at_a_time_holds_nobody() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listens:
        over = threading.Event()

        def sips() -> None:
            line, _ = listens.accept()
            with line:
                while not over.wait(0.1):
                    line.recv(1000)

        thread = threading.Thread(target=sips)
        thread.start()
        with ends_before(over), pytest.raises(Unavailable):
            asks(f"http://127.0.0.1:{listens.getsockname()[1]}", b"x" * 40_000_000)
        over.set()
        thread.join()


@pytest.mark.thorough
def test_a_name_that_nobody_looks_up_ends_with_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    found, over = socket.getaddrinfo, threading.Event()

    def asleep(host: str, port: int, *args: int, **flags: int) -> object:
        if host == "sleepy" and not flags.get("flags"):
            over.wait()
        return found(host, port, *args, **flags)

    monkeypatch.setattr(socket, "getaddrinfo", asleep)
    try:
        with ends_before(over), pytest.raises(Unavailable):
            asks("http://sleepy")
        for flavour in (MARIADB, POSTGRESQL):
            with ends_before(over), pytest.raises(ConnectorError):
                signs_in(flavour, 1, host="sleepy")
    finally:
        over.set()


def test_of_many_addresses_each_is_tried_within_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each takes all that it is given: the first takes it all, and there is none for the others."""
    now = 0.0

    def connect(line: wire._InTime, _where: object) -> None:
        nonlocal now
        with line._in_time():
            now += line.gettimeout() or math.inf
        raise TimeoutError

    one = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 1))
    monkeypatch.setattr(wire, "_looked_up", lambda *_: [one] * 500)
    monkeypatch.setattr(wire._InTime, "connect", connect)
    monkeypatch.setattr(deadline, "moment", lambda: now)
    with pytest.raises(TimeoutError), act_until(1):
        wire.connect("many", 1, within=1)
    assert now == 1


def signs_in(
    flavour: str, port: int, *, host: str = "127.0.0.1", encryption: str = VERIFIED
) -> None:
    settings = Settings(
        flavour=flavour,
        host=host,
        port=port,
        admin_username="a",
        admin_password=Secret("x"),
        encryption=encryption,
    )
    calls = CallPolicy(connect_s=0.5, answer_s=1)
    with Client(settings, policy=calls).session(doing=quote_words("asking")) as session:
        session.count_accounts()


def greeting(capabilities: int) -> bytes:
    """What a MariaDB says first."""
    said = b"\x0a5.5.5-10.11.6-MariaDB\0" + b"\1\0\0\0" + b"12345678\0"
    said += struct.pack("<H", capabilities & 0xFFFF) + b"\x2d\2\0"
    said += struct.pack("<H", capabilities >> 16) + b"\x15" + b"\0" * 10
    said += b"123456789012\0mysql_native_password\0"
    return struct.pack("<I", len(said))[:3] + b"\0" + said


THOROUGH = pytest.mark.thorough
GREETING = b"\x4a\x00\x00\x00\x0a5.5.5-10.11.2-MariaDB\x00"


@pytest.mark.parametrize(
    ("flavour", "way"),
    [
        (MARIADB, Dripping(GREETING, b"x", asked=False)),
        (POSTGRESQL, Dripping(b"NR\x00\x00\x40\x00", b"\x00")),
        pytest.param(MARIADB, Dripping(b"", b"", asked=False), marks=THOROUGH),
        pytest.param(MARIADB, Dripping(b"", b"\x01", asked=False), marks=THOROUGH),
        pytest.param(POSTGRESQL, Dripping(b"", b""), marks=THOROUGH),
        pytest.param(POSTGRESQL, Dripping(b"N", b"R"), marks=THOROUGH),
        pytest.param(POSTGRESQL, Dripping(b"S", b"\x16"), marks=THOROUGH),
    ],
)
def test_a_hand_shake_of_an_sql_server_that_drips_ends(flavour: str, way: Dripping) -> None:
    with way.running() as system, ends_before(system.over), pytest.raises(ConnectorError):
        signs_in(flavour, system.port)


def test_no_call_lasts_longer_than_we_may_act() -> None:
    patient = HttpClient("", system="drive", policy=CallPolicy(connect_s=30, answer_s=30))
    with Dripping().running() as system:
        patient.base_url = system.url
        with (
            ends_before(system.over),
            pytest.raises(Unavailable),
            act_until(moment() + 1),
        ):
            patient.send("GET", "/", doing=quote_words("asking"))
