"""A stand-in that stalls costs a replay a bounded time, however it stalls and whatever the
recording allows to have been before.
"""

import itertools
import socket
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import ClassVar

import pytest

from tests.listening import serving
from tests.recorded import prior_state
from tests.recorded.expected_meaning import Table
from tests.recorded.expected_meaning_container_manager import TABLE
from tests.recorded.prior_state import State, Unlike, replay
from tests.recorded.prior_state_container_manager import ContainerManagerStage
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request, send
from tests.recorded.test_own_copy import exchange_of
from workspace_sandbox.patience import PATIENCE_S, ends_before
from workspace_sandbox.server import StandIn

WAIT = "/containers/{}/wait"


@contextmanager
def dripping(first: bytes = b"") -> Iterator[tuple[str, threading.Event]]:
    """A server that sends a byte every 50 ms until it is told to end; gives its address, and what
    tells it.
    """
    over = threading.Event()

    def drip(line: socket.socket) -> None:
        line.sendall(first)
        while not over.wait(0.05):
            line.sendall(b"x")

    with serving(drip) as port:
        try:
            yield f"http://127.0.0.1:{port}", over
        finally:
            over.set()


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 200 OK\r\nX-Long: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_an_answer_that_drips_is_given_up(first: bytes) -> None:
    with dripping(first) as (url, over), ends_before(over):
        reply = send(Request(url, "GET", "/", {}, b"", answer_s=0.3))
    assert reply.status in {None, 200}


class _Endless:
    """A stage that knows another state until it is over, none of which is the one."""

    table: ClassVar[Table] = TABLE
    free: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, url: str, over: threading.Event) -> None:
        self._over = over
        self.server = _Nothing()
        self.server.url = url

    def running(self) -> AbstractContextManager[None]:
        return nullcontext()

    def reset(self) -> None:
        """There is nothing."""

    def states(self, exchange: Exchange) -> Iterator[State]:
        del exchange
        request = Request(self.server.url, "GET", "/", {}, b"", answer_s=0.1)
        numbers = itertools.takewhile(lambda _: not self._over.is_set(), itertools.count())
        return (State(f"number {n}", lambda: request) for n in numbers)


class _Nothing(StandIn):
    name = "nothing"
    product = "Nothing"

    def seed(self) -> dict[str, object]:
        return {}


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 500 Oh\r\n\r\n"])
def test_a_replay_ends_whatever_may_have_been_before(
    first: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prior_state, "REPLAY_S", 0.5)
    said = "< HTTP/1.1 200 OK\n\n{}\n"
    exchange = exchange_of(tmp_path, f"> GET /version HTTP/1.1\n\n{said}")
    with (
        dripping(first) as (url, over),
        ends_before(over),
        pytest.raises(Unlike, match=r"0\.5 seconds"),
    ):
        replay(_Endless(url, over), exchange)


@pytest.mark.parametrize("before", ["/api/endpoints/1/docker", "", "/v1.41"])
def test_waiting_for_a_container_that_runs_is_answered_at_once(before: str) -> None:
    stage = ContainerManagerStage()
    with stage.running():
        containers = stage.stand_in._api.containers
        record = containers.create("runs", {"Image": "bb:1"})
        containers.start(record)
        for name in ("runs", record["id"]):
            path = before + WAIT.format(name)
            reply = send(Request(stage.stand_in.url, "POST", path, {}, b"", answer_s=PATIENCE_S))
            assert reply.status in {401, 501}, reply
            assert record["status"] == "running", "it was answered because the container ended"
            other = send(Request(stage.stand_in.url, "GET", "/_stand_in/state", {}, b""))
            assert other.status == 200
