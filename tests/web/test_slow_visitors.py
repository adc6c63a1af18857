"""Connections that say nothing, and visitors who take nothing of long answers, hold nobody's page:
seen at the server that `serve` starts.
"""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from workspace_sandbox import children

SILENT, DOWNLOADS = 80, 300
BOUND_S = 120
"""Whatever hangs."""
ONE_BYTE = b"POST /any HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx"
LONG = b"GET /long HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    port, folder = children.free_port(), tmp_path_factory.mktemp("served")
    environment = {
        **os.environ,
        "WORKSPACE_DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "WORKSPACE_QUEUE_URL": f"sqlite:///{folder / 'queue.sqlite3'}",
    }
    command = [sys.executable, "-m", "tests.web.served", str(port)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, env=environment, cwd=root) as server:
        try:
            wait_until_it_lives(port, server)
            yield port
        finally:
            server.send_signal(signal.SIGTERM)


def wait_until_it_lives(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + BOUND_S
    with httpx.Client(trust_env=False, timeout=BOUND_S) as client:
        while time.monotonic() < until:
            with contextlib.suppress(httpx.ConnectError):
                assert client.get(f"http://127.0.0.1:{port}/health/live").status_code == 200
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                pytest.fail(f"it ended with {server.wait(0.1)}")
    pytest.fail("it does not live")


@contextlib.contextmanager
def connections(port: int, many: int, sent: bytes) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        opened = []
        for _ in range(many):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), BOUND_S))
            one.sendall(sent)
            opened.append(one)
        yield opened


def page(port: int) -> str:
    with httpx.Client(trust_env=False, timeout=BOUND_S) as client:
        assert client.get(f"http://127.0.0.1:{port}/health/live").status_code == 200
        return client.get(f"http://127.0.0.1:{port}/any").text


def test_a_page_is_answered_while_eighty_connections_are_silent(port: int) -> None:
    with connections(port, SILENT, ONE_BYTE) as silent:
        assert page(port) == "page"
        assert not select.select(silent, [], [], 0)[0], "they are not silent any more"
        for one in silent:
            one.sendall(b"yyyyyyyy")
        assert all(one.recv(15) == b"HTTP/1.1 200 OK" for one in silent)


def test_a_page_is_answered_while_300_answers_are_taken_by_nobody(port: int) -> None:
    with connections(port, DOWNLOADS, LONG) as downloads:
        assert {one.recv(15) for one in downloads} == {b"HTTP/1.1 200 OK"}
        assert page(port) == "page"
        assert all(one.recv(1_000_000) for one in downloads)
    assert page(port) == "page"
