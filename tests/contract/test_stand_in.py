"""Faults that stand-ins are told to have, and callers that go away."""

import logging
import socket
from typing import Any, ClassVar

import httpx
import pytest
from aiohttp import web

from workspace_sandbox.fault_injection import Faults
from workspace_sandbox.patience import PATIENCE_S, eventually
from workspace_sandbox.server import StandIn, running


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"fault": "nothing"},
        {"fault": "status", "path": "("},
        {"fault": "status", "colour": "red"},
        {"fault": "status", "times": "often"},
        {"fault": "status", "status": "no number"},
        {"fault": "delay", "seconds": None},
    ],
)
def test_what_is_no_fault_is_refused_when_it_is_given(document: dict[str, Any]) -> None:
    faults = Faults()
    with pytest.raises(ValueError, match="fault"):
        faults.add(document)
    assert faults.take(method="GET", path="/") is None


def test_a_number_may_be_written_as_text() -> None:
    faults = Faults()
    faults.add({"fault": "status", "status": "429", "times": "2"})
    taken = [faults.take(method="GET", path="/") for _ in range(3)]
    assert [fault and fault.status for fault in taken] == [429, 429, None]


class Reader(StandIn):
    """Reads what it is sent."""

    name: ClassVar[str] = "reader"
    product: ClassVar[str] = "a reader"

    def seed(self) -> dict[str, Any]:
        return {}

    def add_routes(self, app: web.Application) -> None:
        async def read(request: web.Request) -> web.Response:
            return web.Response(body=await request.read())

        app.router.add_post("/", read)


def test_who_hangs_up_half_way_is_no_failure_of_the_stand_in(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reader = Reader()
    with running(reader):
        url = httpx.URL(reader.url)
        with socket.create_connection((url.host, url.port or 0), timeout=PATIENCE_S) as caller:
            caller.sendall(b"POST / HTTP/1.1\r\nHost: reader\r\nContent-Length: 10\r\n\r\nhalf")
        eventually("the call is noted", lambda: reader.ledger.items)
        assert httpx.post(reader.url, content=b"whole").content == b"whole"
    assert [call["status"] for call in reader.ledger.items] == [0, 200]
    assert not [line for line in caplog.records if line.levelno >= logging.ERROR]
