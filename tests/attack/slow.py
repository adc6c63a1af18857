"""Attacks by systems that are slow on purpose: a byte a second, to whoever asks."""

import contextlib
import statistics
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

import httpx

from tests.attack.scene import Scene
from tests.dripping import Dripping
from tests.life.person import Life, eventually

MANY: Final = 8
VISITORS: Final = 40
PAUSE_S: Final = 0.5
"""Of a visitor between two pages."""
ALIVE_S: Final = 0.5
LATER_S: Final = 1.0


class Visitors:
    """Forty people who look at pages again and again, and somebody who asks whether it lives."""

    def __init__(self, manager: str) -> None:
        self._manager, self._stop = manager, threading.Event()
        self.alive: list[float] = []
        self.pages: list[float] = []
        self.statuses: set[int] = set()
        asks = threading.Thread(target=self._ask_for_life)
        looks = [threading.Thread(target=self._look, args=(n,)) for n in range(VISITORS)]
        self._threads = [asks, *looks]

    def __enter__(self) -> "Visitors":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _ask_for_life(self) -> None:
        with httpx.Client(base_url=self._manager, trust_env=False, timeout=60) as client:
            while not self._stop.wait(0.05):
                self.alive.append(self._asked(client, "/health/live"))

    def _look(self, number: int) -> None:
        path = ("/register", "/", "/api/v1/openapi.json")[number % 3]
        with httpx.Client(base_url=self._manager, trust_env=False, timeout=60) as client:
            while not self._stop.wait(PAUSE_S):
                self.pages.append(self._asked(client, path))

    def _asked(self, client: httpx.Client, path: str) -> float:
        began = time.monotonic()
        self.statuses.add(client.get(path).status_code)
        return time.monotonic() - began


def systems_that_drip_hold_nobody(scene: Scene) -> None:
    """Eight plans at a system that drips, and eight tests of settings that drip: whoever needs
    neither notices nothing.
    """
    other = scene.somebody()
    many = [scene.somebody() for _ in range(MANY)]
    undisturbed, before = _while_visited(scene, other)
    with contextlib.ExitStack() as stack:
        sick = stack.enter_context(Dripping(pause_s=1).running())
        stack.enter_context(_slow(scene, "triplestore", sick))
        made = [_asks_for_repository(one) for one in many]
        eventually("calls are held", lambda: sick.held, seconds=30)
        testers = [threading.Thread(target=_test, args=(scene, sick, n)) for n in range(MANY)]
        for tester in testers:
            tester.start()
        eventually("tests are held", lambda: sick.held >= 4, seconds=30)
        disturbed, during = _while_visited(scene, other)
        assert sick.held, "nothing dripped any more"
        for tester in testers:
            tester.join()
    _report(undisturbed, before, disturbed, during, sick)
    # A machine that is busy with something else is slow without them too.
    bound = max(ALIVE_S, 3 * max(before.alive))
    assert max(during.alive) < bound, f"/health/live took {max(during.alive):.2f} s"
    assert disturbed < undisturbed + LATER_S, f"{disturbed:.1f} s instead of {undisturbed:.1f} s"
    assert during.statuses == {200}, during.statuses
    for life, identity in zip(many, made, strict=True):
        _ready(life, identity)


def _while_visited(scene: Scene, life: Life) -> tuple[float, Visitors]:
    """How long making a database takes somebody, while forty others are there."""
    with Visitors(scene.workspace.manager) as visitors:
        took = []
        for n in range(3):
            began = time.monotonic()
            life.make("sql_database", f"Notes {n} {began}")
            took.append(time.monotonic() - began)
    return statistics.median(took), visitors


def _asks_for_repository(life: Life) -> str:
    body = {"kind": "triplestore_repository", "label": "Finds", "project": None}
    answer = life.call("POST", "/components", body)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["component"]["id"])


def _ready(life: Life, identity: str) -> None:
    def look() -> bool:
        return bool(life.call("GET", f"/components/{identity}").json()["state"] == "ready")

    eventually("the repository is ready after all", look)


@contextlib.contextmanager
def _slow(scene: Scene, name: str, sick: Dripping) -> Iterator[None]:
    """Have a system's address be that of one that drips, for a while."""
    known = scene.workspace.system(name)
    password = known["admin_password"]

    def move(url: str) -> None:
        settings = {"url": url, "admin_password": password}
        answer = scene.workspace.api.patch(f"/systems/{name}", json={"settings": settings})
        assert answer.status_code == 200, answer.text

    move(sick.url)
    try:
        yield
    finally:
        move(known["url"])


def _test(scene: Scene, sick: Dripping, _number: int) -> None:
    """Half of them are told at once that too many are made."""
    settings = {"url": sick.url, "admin_password": "anything"}
    path = f"{scene.workspace.manager}/api/v1/systems/triplestore/test"
    headers = dict(scene.workspace.api.headers)
    body: dict[str, Any] = {"settings": settings}
    answer = httpx.post(path, json=body, headers=headers, timeout=120, trust_env=False)
    assert answer.status_code in {200, 503}, answer.text
    assert answer.status_code == 200 or int(answer.headers["Retry-After"]) > 0


def _report(
    undisturbed: float, before: Visitors, disturbed: float, during: Visitors, sick: Dripping
) -> None:
    def said(took: float, visitors: Visitors) -> str:
        alive, pages = max(visitors.alive), statistics.median(visitors.pages)
        return f"plan {took:.2f} s, /health/live at most {alive:.2f} s, a page {pages:.2f} s"

    print(f"undisturbed: {said(undisturbed, before)}")
    print(f"with systems that drip ({sick.most_held} calls): {said(disturbed, during)}")
