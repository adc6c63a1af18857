"""Failure reports to a process: of every client, once in a while, and not of looks
and trials.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from aiohttp import web

from tests.listening import serving
from workspace_manager.contract import deadline, failure_reports, slots
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.share import Patience
from workspace_manager.systems.sql_server.client import Client
from workspace_manager.systems.sql_server.settings import Settings
from workspace_sandbox.server import StandIn, running

DOING = quote_words("asking")


class Moody(StandIn):
    """Answers with the status that its address names."""

    name: ClassVar[str] = "moody"
    product: ClassVar[str] = "moody"

    def seed(self) -> dict[str, Any]:
        return {}

    def add_routes(self, app: web.Application) -> None:
        async def answer(request: web.Request) -> web.Response:
            return web.Response(status=int(request.match_info["status"]))

        app.router.add_get("/{status}", answer)


@pytest.fixture
def failed_systems(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    found: list[str] = []
    failure_reports.install(found.append)
    yield found
    failure_reports.install(None)


def test_trouble_is_told_and_refusals_are_not(failed_systems: list[str]) -> None:
    moody = Moody()
    with running(moody):
        for system, status in (("a", 200), ("b", 404), ("c", 401), ("d", 503), ("e", 500)):
            HttpClient(moody.url, system=system).send("GET", f"/{status}", doing=DOING)
    assert failed_systems == ["d", "e"]
    nobody = HttpClient(moody.url, system="f", policy=CallPolicy(connect_s=1, answer_s=1))
    with pytest.raises(Unavailable):
        nobody.send("GET", "/200", doing=DOING)
    assert failed_systems == ["d", "e", "f"]


def test_the_sql_server_is_heard_too(failed_systems: list[str]) -> None:
    with serving(lambda line: None) as port:
        settings = Settings(
            host="127.0.0.1", port=port, admin_username="a", admin_password=Secret("p")
        )
        with pytest.raises(Unavailable), Client(settings).session(doing=DOING):
            pass
    assert failed_systems == ["sql_server"]


def test_one_is_told_of_once_in_a_while(
    failed_systems: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = deadline.moment()
    monkeypatch.setattr(failure_reports, "moment", lambda: now)
    for _ in range(5):
        failure_reports.report_failure("drive")
    failure_reports.report_failure("triplestore")
    assert failed_systems == ["drive", "triplestore"]
    now += failure_reports.AGAIN_S
    failure_reports.report_failure("drive")
    assert failed_systems == ["drive", "triplestore", "drive"]


def test_looks_and_trials_are_not_heard(failed_systems: list[str]) -> None:
    with failure_reports.suppress_reports():
        failure_reports.report_failure("drive")
    slots.allow("drive", 0)
    slots.set_patience(Patience(seconds=0, threads=0))
    full = HttpClient("http://127.0.0.1:1", system="drive")
    try:
        with pytest.raises(slots.Busy):
            full.send("GET", "/", doing=DOING)
    finally:
        slots.forget()
    assert failed_systems == []
