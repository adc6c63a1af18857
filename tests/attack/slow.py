"""Attacks by systems that are slow on purpose: a byte a second, to whoever asks."""

import contextlib
import statistics
import threading
import time
from collections.abc import Callable, Iterator
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
STORED: Final = {
    "container_manager": ("url", "api_key"),
    "drive": ("base_url", "admin_password"),
    "notebook_hub": ("url", "api_token"),
    "ontology_editor": ("host", "api_key"),
    "triplestore": ("url", "admin_password"),
}
"""Where each is and what it is asked with: all that the plan of another person needs nothing of."""


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
    """Eight systems drip at once: five that are set up, which plans, previews of removals and
    checks call, and three that settings are tested with. Whoever needs none of them notices
    nothing.
    """
    other = scene.somebody()
    many = [scene.somebody() for _ in range(MANY)]
    undisturbed, before = _while_visited(scene, other)
    with contextlib.ExitStack() as stack:
        stored = {name: stack.enter_context(Dripping(pause_s=1).running()) for name in STORED}
        tested = {
            name: stack.enter_context(_dripping(name).running())
            for name in ("identity_provider", "sql_server", "triplestore")
        }
        sick = [*stored.values(), *tested.values()]
        assert len(sick) == MANY
        for name, one in stored.items():
            stack.enter_context(_slow(scene, name, one))
        made = [_asks_for_repository(one) for one in many]
        for life in many:
            assert life.call("POST", "/projects", {"label": "Shared"}).status_code == 201
        testers = _started(_test, *((scene, name, one) for name, one in tested.items()))
        testers += _started(_check, (scene, "notebook_hub"))
        held = lambda: all(one.held for one in tested.values())  # noqa: E731
        eventually("each test of settings is held", held, seconds=30)
        # Together with them more than are made at once: some are told to come again.
        checkers = _started(_check, *((scene, name) for name in stored))
        lookers = _started(_preview, *((scene, life) for life in many))
        eventually("calls are held", lambda: sum(one.held for one in sick) >= MANY, seconds=30)
        disturbed, during = _while_visited(scene, other)
        assert any(one.held for one in sick), "nothing dripped any more"
        for caller in (*testers, *checkers, *lookers):
            caller.join()
        assert all(one.most_held for one in sick), [one.most_held for one in sick]
    _report(undisturbed, before, disturbed, during, sick)
    alive = max(during.alive)
    assert alive < _bound(max(before.alive)), f"/health/live took {alive:.2f} s"
    later = max(LATER_S, undisturbed)
    assert disturbed < undisturbed + later, f"{disturbed:.1f} s instead of {undisturbed:.1f} s"
    assert during.statuses == {200}, during.statuses
    for life, identity in zip(many, made, strict=True):
        _ready(life, identity)


def _bound(undisturbed: float) -> float:
    """Half a second; on a machine that others keep so busy that it took nearly as long before
    anything dripped, half a second more than that.
    """
    return ALIVE_S if undisturbed < ALIVE_S / 2 else undisturbed + ALIVE_S


def _started(call: Callable[..., None], *each: tuple[object, ...]) -> list[threading.Thread]:
    threads = [threading.Thread(target=call, args=given) for given in each]
    for thread in threads:
        thread.start()
    return threads


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
    known, (address, secret) = scene.workspace.system(name), STORED[name]

    def move(url: str) -> None:
        settings = {address: url} | ({secret: known[secret]} if known.get(secret) else {})
        answer = scene.workspace.api.patch(f"/systems/{name}", json={"settings": settings})
        assert answer.status_code == 200, answer.text

    move(sick.url)
    try:
        yield
    finally:
        move(known[address])


def _dripping(name: str) -> Dripping:
    """An SQL server speaks first."""
    if name == "sql_server":
        return Dripping(at_once=b"", pause_s=1, asked=False)
    return Dripping(pause_s=1)


def _test(scene: Scene, name: str, sick: Dripping) -> None:
    """Of more than a few at once some are told that too many are made."""
    address = {"url": sick.url}
    if name == "sql_server":
        address = {"host": "127.0.0.1", "port": str(sick.port)}
    secrets = {"admin_password": "anything"}
    if name == "identity_provider":
        secrets["client_secret"] = "anything"
    body = {"settings": {**address, **secrets}}
    answer = _post(scene, f"/systems/{name}/test", body)
    assert answer.status_code in {200, 503}, answer.text
    assert answer.status_code == 200 or int(answer.headers["Retry-After"]) > 0


def _check(scene: Scene, name: str) -> None:
    _post(scene, f"/systems/{name}/check")


def _preview(scene: Scene, life: Life) -> None:
    """It looks for somebody in every system; what does not answer in time is said on the plan."""
    _post(scene, f"/people/{life.username}/removal")


def _post(scene: Scene, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
    headers = dict(scene.workspace.api.headers)
    url = f"{scene.workspace.manager}/api/v1{path}"
    return httpx.post(url, json=body, headers=headers, timeout=120, trust_env=False)


def _report(
    undisturbed: float, before: Visitors, disturbed: float, during: Visitors, sick: list[Dripping]
) -> None:
    def said(took: float, visitors: Visitors) -> str:
        alive, pages = max(visitors.alive), statistics.median(visitors.pages)
        return f"plan {took:.2f} s, /health/live at most {alive:.2f} s, a page {pages:.2f} s"

    held = " + ".join(str(one.most_held) for one in sick)
    print(f"undisturbed: {said(undisturbed, before)}")
    print(f"with systems that drip ({held} calls): {said(disturbed, during)}")
