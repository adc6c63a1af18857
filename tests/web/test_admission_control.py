"""The question whether the process lives is answered before everything else; a thread that waits
for a system keeps nobody's page waiting; and no visitor who is slow does.
"""

import asyncio
import contextlib
import json
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import Any

import pytest
from django.test import Client

from tests.web.asking import Visitor, until
from workspace_manager.contract import slots
from workspace_manager.contract.message import quote_words
from workspace_manager.web import request_body
from workspace_manager.web.admission_control import AdmissionControl, Limits

LIMITS = Limits(visitor_s=3600)
BOUND_S = 120
"""Whatever hangs."""
SILENT, DOWNLOADS = 80, 300
LARGE = b"x" * (request_body.PIECE + 1)


class Slow:
    """An application whose `/slow` waits at a system and `/busy` for the machine, until it is over;
    `/long` is without an end.
    """

    def __init__(self) -> None:
        self.over, self.asked = threading.Event(), list[str]()
        self.inside = self.at_once = self.most_at_once = self.closed = 0
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        self.asked.append(path)
        start_response("200 OK", [])
        if path == "/slow":
            with slots.hold_slot("drive", kind="drive", doing=quote_words("asking")):
                self._stay()
        elif path == "/busy":
            self._stay()
        return Long(self) if path == "/long" else [b"page"]

    def _stay(self) -> None:
        with self._lock:
            self.inside += 1
        self.over.wait(BOUND_S)

    @contextlib.contextmanager
    def making(self) -> Iterator[None]:
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        yield
        with self._lock:
            self.at_once -= 1


class Long:
    """An answer that goes on for ever."""

    def __init__(self, application: Slow) -> None:
        self._application = application

    def __iter__(self) -> Iterator[bytes]:
        while True:
            with self._application.making():
                piece = b"x" * 10_000
            yield piece

    def close(self) -> None:
        self._application.closed += 1


@pytest.fixture
def slow() -> Iterator[Slow]:
    slots.forget()
    slots.allow("drive", 1000)
    application = Slow()
    yield application
    application.over.set()
    slots.forget()


def run(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), BOUND_S))


def start(front: AdmissionControl, *visitors: Visitor) -> list["asyncio.Task[Visitor]"]:
    return [asyncio.create_task(one.ask(front)) for one in visitors]


async def page(front: AdmissionControl) -> Visitor:
    return await Visitor("/any").ask(front)


def test_whether_it_lives_is_said_while_nobody_else_is_let_in(slow: Slow) -> None:
    front = AdmissionControl(slow, Limits(threads=12, waiting=3))

    async def story() -> None:
        held = start(front, *(Visitor("/slow") for _ in range(12)))
        await until(lambda: slow.inside == 12)
        wait = start(front, *(Visitor("/any") for _ in range(3)))
        await asyncio.sleep(0)
        assert (await Visitor("/health/live").ask(front)).status == 200
        refused = await page(front)
        assert (refused.status, int(refused.headers["retry-after"]) > 0) == (503, True)
        assert json.loads(refused.body)["status"] == 503
        assert not any(one.done() for one in (*held, *wait))
        slow.over.set()
        assert {one.status for one in await asyncio.gather(*held, *wait)} == {200}
        assert (await page(front)).body == b"page"

    run(story)


def test_whether_it_lives_is_said_while_all_that_work_are_busy(slow: Slow) -> None:
    front = AdmissionControl(slow, LIMITS)

    async def story() -> None:
        held = start(front, *(Visitor("/busy") for _ in range(LIMITS.working)))
        await until(lambda: slow.inside == LIMITS.working)
        (waits,) = start(front, Visitor("/any"))
        assert (await Visitor("/health/live").ask(front)).status == 200
        assert not waits.done()
        slow.over.set()
        assert (await waits).body == b"page"
        await asyncio.gather(*held)

    run(story)


def test_pages_go_on_while_more_than_can_work_wait_for_a_system(slow: Slow) -> None:
    front = AdmissionControl(slow, LIMITS)

    async def story() -> None:
        held = start(front, *(Visitor("/slow") for _ in range(2 * LIMITS.working)))
        await until(lambda: slow.inside == 2 * LIMITS.working)
        assert (await page(front)).body == b"page"
        assert not any(one.done() for one in held)
        slow.over.set()
        await asyncio.gather(*held)

    run(story)


def test_pages_go_on_while_many_send_one_byte_and_no_more(slow: Slow) -> None:
    front = AdmissionControl(slow, LIMITS)

    async def story() -> None:
        silent = [Visitor("/silent", b"x", method="POST", length=2) for _ in range(SILENT)]
        held = start(front, *silent)
        assert (await page(front)).body == b"page"
        assert not any(one.done() for one in held)
        assert "/silent" not in slow.asked
        for one in silent:
            one.send_body(b"y", more=False)
        assert {one.body for one in await asyncio.gather(*held)} == {b"page"}

    run(story)


def test_who_does_not_send_a_request_in_time_is_told_so(slow: Slow) -> None:
    async def story() -> None:
        silent = Visitor("/silent", b"x", method="POST", length=2)
        await silent.ask(AdmissionControl(slow, Limits(visitor_s=0.01)))
        assert (silent.status, json.loads(silent.body)["status"]) == (408, 408)
        assert silent.headers["connection"] == "close"
        assert not slow.asked

    run(story)


def test_who_hangs_up_before_the_request_is_here_is_answered_nothing(slow: Slow) -> None:
    async def story() -> None:
        gone = Visitor("/silent", b"x", method="POST", length=2)
        gone.hang_up()
        await gone.ask(AdmissionControl(slow, LIMITS))
        assert (gone.status, slow.asked) == (0, [])

    run(story)


def test_large_bodies_are_counted_and_hold_no_thread(slow: Slow) -> None:
    front = AdmissionControl(slow, LIMITS)

    async def story() -> None:
        large = [
            Visitor("/any", LARGE, method="POST", length=70_000) for _ in range(LIMITS.large_bodies)
        ]
        held = start(front, *large)
        await until(lambda: front.large_bodies.taken == LIMITS.large_bodies)
        one_more = await Visitor("/any", LARGE, method="POST", length=70_000).ask(front)
        assert (one_more.status, (await page(front)).status) == (503, 200)
        assert not any(one.done() for one in held)
        large[0].hang_up()
        await held[0]
        assert (await Visitor("/any", LARGE, method="POST").ask(front)).status == 200
        for one in large[1:]:
            one.send_body(b"x" * (70_000 - len(LARGE)), more=False)
        assert {one.body for one in await asyncio.gather(*held[1:])} == {b"page"}

    run(story)


@pytest.mark.parametrize(("size", "deadlines"), [(1, 1), (65_536, 1), (65_537, 2), (600_000, 10)])
def test_each_64_kb_have_a_deadline(
    slow: Slow, monkeypatch: pytest.MonkeyPatch, size: int, deadlines: int
) -> None:
    begun: list[float | None] = []
    timeout = asyncio.timeout

    def counted(seconds: float | None) -> asyncio.Timeout:
        begun.append(seconds)
        return timeout(seconds)

    monkeypatch.setattr(asyncio, "timeout", counted)
    sent = b"x" * size
    pieces = [sent[at : at + 16_384] for at in range(0, size, 16_384)]

    async def story() -> None:
        asked = await Visitor("/any", *pieces, method="POST").ask(AdmissionControl(slow, LIMITS))
        assert asked.status == 200
        assert begun == [LIMITS.visitor_s] * deadlines

    run(story)


def test_a_body_is_read_whole_or_not_at_all() -> None:
    seen: list[bytes] = []

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        seen.append(environ["wsgi.input"].read())
        start_response("204 No Content", [])
        return []

    async def story() -> None:
        front = AdmissionControl(application, Limits(body=100_000))
        await Visitor("/", b"a", b"b", method="POST").ask(front)
        await Visitor("/", b"c", method="POST", length=200_000).ask(front)
        chunked = ((b"transfer-encoding", b"chunked"),)
        unstated = Visitor("/", method="POST", length=0, headers=chunked)
        unstated.send_body(b"d", more=False)
        await unstated.ask(front)

    run(story)
    assert seen == [b"ab", b"", b""]


def test_pages_go_on_while_many_have_a_long_answer(slow: Slow) -> None:
    front = AdmissionControl(slow, LIMITS)

    async def story() -> None:
        reading = [Visitor("/long", is_taking=False) for _ in range(DOWNLOADS)]
        held = start(front, *reading)
        await until(lambda: all(one.offered for one in reading))
        assert (await page(front)).body == b"page"
        assert not any(one.done() for one in held)
        assert {one.offered for one in reading} == {1}, "nothing is made that nobody takes"
        assert slow.most_at_once <= LIMITS.making
        for one in reading:
            one.takes.set()
        await until(lambda: all(one.offered > 2 for one in reading))
        assert (await page(front)).body == b"page"
        for one in reading:
            one.hang_up()
        await asyncio.gather(*held)
        assert slow.closed == DOWNLOADS

    run(story)


def test_long_answers_are_counted(slow: Slow) -> None:
    front = AdmissionControl(slow, Limits(long_answers=2, visitor_s=3600))

    async def story() -> None:
        reading = [Visitor("/long", is_taking=False) for _ in range(2)]
        held = start(front, *reading)
        await until(lambda: all(one.offered for one in reading))
        assert (await Visitor("/long").ask(front)).status == 503
        assert slow.closed == 1
        for one in reading:
            one.takes.set()
            one.hang_up()
        await asyncio.gather(*held)
        assert (front.long_answers.taken, slow.closed) == (0, 3)

    run(story)


def test_who_takes_nothing_of_a_long_answer_is_given_up(slow: Slow) -> None:
    async def story() -> None:
        front = AdmissionControl(slow, Limits(visitor_s=0.01))
        takes_nothing = await Visitor("/long", is_taking=False).ask(front)
        assert (takes_nothing.status, takes_nothing.has_all) == (200, False)
        assert (front.long_answers.taken, slow.closed) == (0, 1)

    run(story)


def test_the_readers_language_holds_for_all_of_a_long_answer() -> None:
    language: ContextVar[str] = ContextVar("language", default="en")

    def application(_environ: Any, start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        language.set("de")
        return (language.get().encode() for _ in range(3))

    async def story() -> None:
        front = AdmissionControl(application)
        assert (await page(front)).body == b"dedede"
        assert (await Visitor("/", method="HEAD").ask(front)).body == b""

    run(story)
    assert language.get() == "en"


def test_headers_with_an_underscore_are_nobodys() -> None:
    environ: dict[str, Any] = {}

    def application(asked: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        environ.update(asked)
        start_response("204 No Content", [])
        return []

    headers = (
        (b"X_Forwarded_For", b"10.0.0.1"), (b"x-forwarded-for", b"10.0.0.2"),
        (b"x-forwarded-for", b"10.0.0.3"), (b"cookie", b"a=1"), (b"cookie", b"b=2"),
        (b"content-type", b"text/plain"),
    )  # fmt: skip

    async def story() -> None:
        await Visitor("/ä ?", raw_path=b"/%C3%A4%20%ff", headers=headers).ask(
            AdmissionControl(application)
        )

    run(story)
    assert environ["HTTP_X_FORWARDED_FOR"] == "10.0.0.2,10.0.0.3"
    assert environ["HTTP_COOKIE"] == "a=1; b=2"
    assert environ["CONTENT_TYPE"] == "text/plain"
    assert environ["PATH_INFO"].encode("latin-1") == "/ä ".encode() + b"\xff"


def test_every_cookie_is_given() -> None:
    """Django begins each with a blank."""

    def application(_environ: Any, start_response: Any) -> Iterable[bytes]:
        cookies = [("Set-Cookie", " a=1; Path=/"), ("Set-Cookie", " b=2")]
        start_response("204 No Content", [*cookies, ("Content-Length", "0")])
        return []

    async def story() -> None:
        given: list[Any] = []

        async def send(event: dict[str, Any]) -> None:
            given.append(event)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request"}

        await AdmissionControl(application)(Visitor("/").scope, receive, send)
        assert given[0]["headers"][:2] == [(b"set-cookie", b"a=1; Path=/"), (b"set-cookie", b"b=2")]

    run(story)


def test_a_mistake_of_the_application_leaves_nobody_inside() -> None:
    def wrong(_environ: Any, _start: Any) -> Iterable[bytes]:
        raise RuntimeError

    async def story() -> None:
        front = AdmissionControl(wrong, Limits(threads=2, waiting=0))
        for _ in range(3):
            with pytest.raises(RuntimeError):
                await page(front)

    run(story)


def test_it_says_what_the_application_says(slow: Slow, db: None) -> None:
    """Both answer: this one where a server runs, the other wherever the address is looked up."""
    said = Client().get("/health/live")

    async def story() -> None:
        front = AdmissionControl(slow)
        answered = await Visitor("/health/live").ask(front)
        assert json.loads(answered.body) == said.json()
        assert answered.headers["content-type"] == said["Content-Type"]
        assert answered.headers["cache-control"] == said["Cache-Control"]
        assert (await Visitor("/health/live", method="POST").ask(front)).body == b"page"

    run(story)
