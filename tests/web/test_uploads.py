"""An upload is read by a thread while it arrives: it is never held as a whole, and nobody waits for
its visitor.
"""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.handlers.wsgi import WSGIRequest

from tests.web.asking import Visitor, until
from workspace_manager.snapshots_settings import SnapshotBounds
from workspace_manager.web import request_body
from workspace_manager.web.admission_control import AdmissionControl, Limits
from workspace_manager.web.uploads import is_taken_upload, read_form

BOUND_S = 120
"""Whatever hangs."""
PATH = "/api/v1/components"
FORM = (b"content-type", b"multipart/form-data; boundary=b")
PIECE = b"x" * request_body.PIECE
LIMITS = Limits(body=len(PIECE), visitor_s=3600, uploads=2, working=1)


def answer_as_django(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Read the form as the routes do; they need a database, and this does not."""
    request = WSGIRequest(environ)
    file = read_form(request, lambda members, name, file: (members, name, b"".join(file)))
    start_response("200 OK", [])
    return [repr(file).encode()]


class Reading:
    """An application that reads bodies in pieces, as far as it wants to."""

    def __init__(self, most: int = 10**9) -> None:
        self.most, self.read, self.largest = most, 0, 0
        self.broke: list[OSError] = []
        self.threads = set[str]()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self.threads.add(threading.current_thread().name.partition("_")[0])
        try:
            while self.read < self.most and (piece := environ["wsgi.input"].read(1_000_000)):
                self.read += len(piece)
                self.largest = max(self.largest, len(piece))
        except OSError as broke:
            self.broke.append(broke)
        start_response("202 Accepted", [])
        return [b"taken"]


def run(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), BOUND_S))


def front_of(application: Reading, limits: Limits = LIMITS) -> AdmissionControl:
    return AdmissionControl(application, limits, is_upload=is_taken_upload)


def upload(*sends: bytes, length: int = -1, path: str = PATH) -> Visitor:
    return Visitor(path, *sends, method="POST", length=length, headers=[FORM])


def test_it_is_read_piece_by_piece_while_it_arrives() -> None:
    application = Reading()

    async def story() -> None:
        visitor = upload(PIECE, length=3 * len(PIECE) + 5)
        task = asyncio.create_task(visitor.ask(front_of(application)))
        await until(lambda: application.read == len(PIECE))
        assert not task.done()
        visitor.send_body(PIECE + PIECE, more=True)
        visitor.send_body(b"abcde", more=False)
        await task
        assert (visitor.status, visitor.body, visitor.has_all) == (202, b"taken", True)

    run(story)
    assert application.read == 3 * len(PIECE) + 5
    assert application.largest <= 2 * len(PIECE)
    assert application.threads == {"upload"}


def test_others_work_while_it_waits_for_its_visitor() -> None:
    application = Reading()
    front = front_of(application)

    async def story() -> None:
        silent = [upload(b"x", length=len(PIECE) + 1) for _ in range(LIMITS.uploads)]
        tasks = [asyncio.create_task(one.ask(front)) for one in silent]
        await until(lambda: front.uploads.taken == LIMITS.uploads)
        assert (await Visitor("/any").ask(front)).status == 202
        refused = await upload(b"x", length=len(PIECE) + 1).ask(front)
        assert (refused.status, json.loads(refused.body)["status"]) == (503, 503)
        for one in silent:
            one.send_body(PIECE, more=False)
        await asyncio.gather(*tasks)
        assert {one.status for one in silent} == {202}

    run(story)


def test_a_visitor_who_hangs_up_ends_it() -> None:
    application = Reading()

    async def story() -> None:
        visitor = upload(b"x", length=len(PIECE) + 1)
        visitor.hang_up()
        await visitor.ask(front_of(application))
        assert visitor.status == 0

    run(story)
    assert len(application.broke) == 1


def test_a_visitor_who_is_too_slow_is_told() -> None:
    application = Reading()

    async def story() -> None:
        limits = Limits(body=len(PIECE), visitor_s=0.01)
        visitor = await upload(b"x", length=len(PIECE) + 1).ask(front_of(application, limits))
        assert visitor.status == 408

    run(story)
    assert len(application.broke) == 1


def test_one_that_is_refused_is_not_read_to_its_end() -> None:
    application = Reading(most=1)

    async def story() -> None:
        visitor = await upload(PIECE, length=100 * len(PIECE)).ask(front_of(application))
        assert (visitor.status, visitor.body) == (202, b"taken")

    run(story)
    assert application.read <= len(PIECE)


def test_the_framework_reads_a_form_from_it() -> None:
    head = b'--b\r\ncontent-disposition: form-data; name="%s"%s\r\n\r\n'
    sent = head % (b"kind", b"") + b"k\r\n" + head % (b"content", b'; filename="f"') + PIECE
    end = b"\r\n--b--\r\n"

    async def story() -> None:
        front = AdmissionControl(answer_as_django, LIMITS, is_upload=is_taken_upload)
        visitor = await upload(sent, PIECE, end).ask(front)
        assert visitor.body == repr(({"kind": "k"}, "f", PIECE + PIECE)).encode()

    run(story)


@pytest.mark.parametrize("path", ["/api/v1/people", "/api/v1/components/", "/components"])
def test_nothing_else_is_read_so(path: str) -> None:
    application = Reading()

    async def story() -> None:
        await upload(PIECE, length=2 * len(PIECE), path=path).ask(front_of(application))

    run(story)
    assert (application.read, application.threads) == (0, {"request"})


def test_one_above_the_bound_is_not_read(settings: LazySettings) -> None:
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(upload_bytes=1)
    application = Reading()

    async def story() -> None:
        await upload(PIECE, length=2 * len(PIECE)).ask(front_of(application))

    run(story)
    assert application.read == 0
