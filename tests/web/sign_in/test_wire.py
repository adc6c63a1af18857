"""Answers of a sick or hostile identity provider during a sign-in cost little."""

import gzip
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
import requests
from allauth.socialaccount.adapter import get_adapter

from tests.dripping import Dripping
from workspace_manager.contract.http import MAX_ANSWER_BYTES
from workspace_sandbox.patience import PATIENCE_S, ends_before


@contextmanager
def answering(status: int, body: bytes, **headers: str) -> Iterator[tuple[str, list[str]]]:
    """A server that answers all alike; gives its address and what was asked of it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.path} {self.headers['Accept-Encoding']}")
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE_S)


def packed(times: int) -> bytes:
    made = b"\0" * 60_000_000
    for _ in range(times):
        made = gzip.compress(made)
    return made


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip, gzip", lambda: packed(2)),
        ("gzip", lambda: packed(1)),
        ("deflate", lambda: packed(1)),
        ("identity", lambda: b"x" * (MAX_ANSWER_BYTES + 1)),
    ],
)
def test_an_answer_of_any_size_is_bounded(encoding: str, body: Callable[[], bytes]) -> None:
    with answering(200, body(), Content_Encoding=encoding) as (url, _):
        tracemalloc.start()
        with (
            get_adapter().get_requests_session() as session,
            pytest.raises(requests.RequestException),
        ):
            session.get(url)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < 5 * MAX_ANSWER_BYTES


def test_an_answer_that_was_asked_for_is_read() -> None:
    body = gzip.compress(b'{"a": 1}')
    session = get_adapter().get_requests_session()
    with answering(200, body, Content_Encoding="gzip") as (url, asked), session:
        assert session.get(url).json() == {"a": 1}
    assert asked == ["/ gzip, identity"]


def test_a_redirect_is_not_followed() -> None:
    session = get_adapter().get_requests_session()
    refused = pytest.raises(requests.TooManyRedirects)
    with answering(307, b"", Location="/elsewhere") as (url, asked), session, refused:
        session.get(url)
    assert len(asked) == 1


def test_no_answer_is_late() -> None:
    with get_adapter().get_requests_session() as session:
        assert session.request.keywords["timeout"] == 5


def test_an_answer_that_drips_ends_with_the_time_for_it() -> None:
    with get_adapter().get_requests_session() as session:
        ask = session.request.func
        with (
            Dripping().running() as system,
            ends_before(system.over),
            pytest.raises(requests.Timeout, match=r"within 0\.5 seconds"),
        ):
            ask("GET", system.url, timeout=0.5)


def test_a_form_and_its_answer_are_as_they_were_sent() -> None:
    said: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            said.extend([self.path, self.headers["Authorization"], body])
            self.send_response(400)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", "15")
            self.end_headers()
            self.wfile.write(b'{"error": "no"}')

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.handle_request, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/token?a=b%20c"
    with get_adapter().get_requests_session() as session:
        answer = session.post(url, data={"code": "x y"}, auth=("us", "pässword"))
    server.server_close()
    assert (answer.status_code, answer.ok, answer.json()) == (400, False, {"error": "no"})
    assert said[0] == "/token?a=b%20c"
    assert said[1].startswith("Basic ")
    assert said[2] == "code=x+y"
