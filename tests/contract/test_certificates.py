"""A service that does not prove who it is is told nothing, by the client of all systems and while
somebody signs in.
"""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from tests.certificates import Authority
from tests.listening import serving
from workspace_manager.contract import http
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.http import HttpClient, Token
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.web.sign_in import wire

CANARY = "canary-of-the-key"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@contextmanager
def encrypting(context: ssl.SSLContext) -> Iterator[tuple[str, list[bytes]]]:
    """A server that encrypts; gives its address and what it heard."""
    heard: list[bytes] = []

    def talk(line: socket.socket) -> None:
        with context.wrap_socket(line, server_side=True) as inner:
            if said := inner.recv(4096):
                heard.append(said)
                inner.sendall(ANSWER)

    with serving(talk) as port:
        yield f"https://127.0.0.1:{port}", heard


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Begin anew with the authorities of this file."""

    def trust(file: Path) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        http.trust_context.cache_clear()

    yield trust
    http.trust_context.cache_clear()


def call(url: str) -> int:
    key = Token("X-API-Key", Secret(CANARY))
    client = HttpClient(url, system="drive", credential=key)
    return client.send("GET", "/", doing=quote_words("asking")).status


def sign_in(url: str) -> int:
    return int(wire.session().get(url, headers={"X-API-Key": CANARY}).status_code)


DOORS = pytest.mark.parametrize(
    ("ask", "error"), [(call, Unavailable), (sign_in, requests.RequestException)]
)


@DOORS
@pytest.mark.parametrize(
    ("hosts", "trusted", "expired"),
    [
        (["127.0.0.1"], False, False),
        (["127.0.0.1"], True, True),
        (["drive.example", "127.0.0.2"], True, False),
    ],
)
def test_who_does_not_prove_who_it_is_is_told_nothing(
    ask: Callable[[str], int],
    error: type[Exception],
    hosts: list[str],
    trusted: bool,
    expired: bool,
    tmp_path: Path,
    trusting: Callable[[Path], None],
) -> None:
    authority = Authority(tmp_path)
    if trusted:
        trusting(authority.file)
    with encrypting(authority.context(*hosts, expired=expired)) as (url, heard):
        with pytest.raises(error) as caught:
            ask(url)
        assert heard == []
    if isinstance(caught.value, Unavailable):
        assert "its certificate" in str(caught.value)
        assert "SSL_CERT_FILE" in caught.value.advice


@DOORS
def test_an_authority_of_ones_own_is_trusted_where_the_machine_trusts_it(
    ask: Callable[[str], int],
    error: type[Exception],
    tmp_path: Path,
    trusting: Callable[[Path], None],
) -> None:
    authority = Authority(tmp_path)
    with encrypting(authority.context("127.0.0.1")) as (url, heard):
        with pytest.raises(error):
            ask(url)
        trusting(authority.file)
        assert ask(url) == 200
    assert len(heard) == 1
    assert CANARY.encode() in heard[0]


def test_a_sign_in_uses_nothing_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusting: Callable[[Path], None]
) -> None:
    """Neither a proxy nor a password that lies in a home directory."""
    secrets = tmp_path / "netrc"
    secrets.write_text("machine 127.0.0.1 login eve password of-somebody\n")
    monkeypatch.setenv("NETRC", str(secrets))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    authority = Authority(tmp_path)
    trusting(authority.file)
    with encrypting(authority.context("127.0.0.1")) as (url, heard):
        assert sign_in(url) == 200
    assert b"authorization" not in heard[0].lower()
