"""Whether the process lives is answered before everything else, and a thread that waits for a
system keeps nobody's page waiting.
"""

import json
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client

from workspace_manager.contract import places
from workspace_manager.contract.message import quoted
from workspace_manager.web import front
from workspace_sandbox.patience import PATIENCE_S


class Slow:
    """An application whose `/slow` waits at a system, `/busy` for the machine, until it is over."""

    def __init__(self) -> None:
        self.over, self.inside = threading.Event(), threading.Semaphore(0)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/slow":
            with places.at("drive", kind="drive", doing=quoted("asking")):
                self.inside.release()
                self.over.wait(PATIENCE_S)
        elif environ["PATH_INFO"] == "/busy":
            self.inside.release()
            self.over.wait(PATIENCE_S)
        start_response("200 OK", [])
        return [b"page"]

    def wait_for(self, many: int) -> None:
        for _ in range(many):
            assert self.inside.acquire(timeout=PATIENCE_S)


@pytest.fixture
def slow() -> Iterator[Slow]:
    places.forget()
    places.allow("drive", 1000)
    application = Slow()
    yield application
    application.over.set()
    places.forget()


def ask(stands: front.Front, path: str, method: str = "GET") -> tuple[str, dict[str, str], bytes]:
    said: list[Any] = []
    environ = {"PATH_INFO": path, "REQUEST_METHOD": method}
    body = b"".join(stands(environ, lambda status, headers: said.extend([status, headers])))
    return said[0], dict(said[1]), body


def test_whether_it_lives_is_said_while_every_thread_but_the_spare_ones_is_held(
    slow: Slow,
) -> None:
    stands, many = front.Front(slow), front.THREADS - front.SPARE
    with ThreadPoolExecutor(many) as pool:
        held = [pool.submit(ask, stands, "/slow") for _ in range(many)]
        slow.wait_for(many)
        assert ask(stands, "/health/live")[0] == "200 OK"
        status, headers, body = ask(stands, "/any")
        assert (status[:3], int(headers["Retry-After"]) > 0) == ("503", True)
        assert json.loads(body)["status"] == 503
        slow.over.set()
        assert {one.result()[0] for one in held} == {"200 OK"}
    assert ask(stands, "/any")[2] == b"page"


def test_whether_it_lives_is_said_while_all_that_work_are_busy(slow: Slow) -> None:
    stands = front.Front(slow)
    with ThreadPoolExecutor(front.WORKING + 1) as pool:
        held = [pool.submit(ask, stands, "/busy") for _ in range(front.WORKING)]
        slow.wait_for(front.WORKING)
        waits = pool.submit(ask, stands, "/any")
        assert ask(stands, "/health/live")[0] == "200 OK"
        assert not waits.done()
        slow.over.set()
        assert waits.result(PATIENCE_S)[2] == b"page"
        assert [one.result(PATIENCE_S) for one in held]


def test_pages_go_on_while_more_than_can_work_wait_for_a_system(slow: Slow) -> None:
    stands = front.Front(slow)
    with ThreadPoolExecutor(2 * front.WORKING) as pool:
        held = [pool.submit(ask, stands, "/slow") for _ in range(2 * front.WORKING)]
        slow.wait_for(2 * front.WORKING)
        assert ask(stands, "/any")[2] == b"page"
        slow.over.set()
        assert [one.result(PATIENCE_S) for one in held]


def test_a_mistake_of_the_application_leaves_nobody_inside() -> None:
    def wrong(_environ: Any, _start: Any) -> Iterable[bytes]:
        raise RuntimeError

    stands = front.Front(wrong)
    for _ in range(front.THREADS):
        with pytest.raises(RuntimeError):
            ask(stands, "/")


def test_it_says_what_the_application_says(slow: Slow, db: None) -> None:
    """Both answer: this one where a server runs, the other wherever the address is looked up."""
    said = Client().get("/health/live")
    _, headers, body = ask(front.Front(slow), "/health/live")
    assert json.loads(body) == said.json()
    assert headers["Content-Type"] == said["Content-Type"]
    assert headers["Cache-Control"] == said["Cache-Control"]
    assert ask(front.Front(slow), "/health/live", "POST")[2] == b"page"
