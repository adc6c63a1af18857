"""Attacks by systems that are slow on purpose: a byte a second, to whoever asks."""

import contextlib
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import httpx

from tests.attack.scene import Scene, before_all_end, before_any_ends
from tests.dripping import Dripping
from tests.life.person import Life
from workspace_sandbox.patience import eventually

MANY: Final = 8
VISITORS: Final = 40
PAUSE_S: Final = 2
"""Of anybody between two requests: a crowd without one takes all of a slow machine."""
PAGES: Final = ("/register", "/", "/api/v1/openapi.json")
STORED: Final = {
    "container_manager": ("url", "api_key"),
    "drive": ("base_url", "admin_password"),
    "notebook_hub": ("url", "api_token"),
    "ontology_editor": ("host", "api_key"),
    "triplestore": ("url", "admin_password"),
}
"""Where each is and what it is asked with: all that the plan of another person needs nothing of."""


def systems_that_drip_hold_nobody(scene: Scene) -> None:
    """Eight systems drip at once: five that are set up, which plans, previews of removals and
    checks call, and three that settings are tested with. Whoever needs none of them is served while
    all those calls stand: nobody waits until one of them ends.
    """
    other = scene.somebody()
    many = [scene.somebody() for _ in range(MANY)]
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
        with Crowd() as crowd:
            for name, one in tested.items():
                crowd.comes(partial(_test, scene, name, one))
            crowd.comes(partial(_check, scene, "notebook_hub"))
            held = lambda: all(one.held for one in tested.values())  # noqa: E731
            eventually("each test of settings is held", held)
            # Together with them more than are made at once: some are told to come again.
            for name in stored:
                crowd.comes(partial(_check, scene, name))
            for life in many:
                crowd.comes(partial(_preview, scene, life))
            eventually("calls are held", lambda: sum(one.held for one in sick) >= MANY)
            statuses = _served_meanwhile(scene, other, sick)
        assert all(one.most_held for one in sick), [one.most_held for one in sick]
    assert statuses == {200}, statuses
    for life, identity in zip(many, made, strict=True):
        _ready(life, identity)


def _served_meanwhile(scene: Scene, life: Life, sick: list[Dripping]) -> set[int]:
    """Somebody gets databases, and pages are shown, while forty others are there and systems hold
    what called them. Gives what the others were answered.
    """
    ended = lambda: sum(one.ended for one in sick)  # noqa: E731
    standing = lambda: set().union(*(one.standing for one in sick))  # noqa: E731
    with Crowd() as visitors:
        statuses: set[int] = set()
        for number in range(VISITORS):
            url = scene.workspace.manager + PAGES[number % len(PAGES)]
            visitors.comes(partial(_noted, statuses, url))
        for n in range(3):
            make = lambda n=n: life.make("sql_database", f"Notes {n} {uuid.uuid4().hex}")  # noqa: E731
            before_all_end("a database is made", make, standing)
            for path in (*PAGES, "/health/live"):
                before_any_ends(
                    path, partial(_noted, statuses, scene.workspace.manager + path), ended
                )
    return statuses


def _noted(statuses: set[int], url: str) -> None:
    statuses.add(httpx.get(url, trust_env=False).status_code)


class Crowd:
    """People who do the same again and again, until the block ends."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._people = ThreadPoolExecutor(VISITORS)
        self._there: list[Future[None]] = []

    def __enter__(self) -> "Crowd":
        return self

    def comes(self, call: Callable[[], object]) -> None:
        self._there.append(self._people.submit(self._again_and_again, call))

    def _again_and_again(self, call: Callable[[], object]) -> None:
        call()
        while not self._stop.wait(PAUSE_S):
            call()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._people.shutdown()
        for one in self._there:
            one.result()


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
    """Of more than a few at once some are told that too many are made; so is a token that asks more
    often than it may.
    """
    address = {"url": sick.url}
    if name == "sql_server":
        address = {"host": "127.0.0.1", "port": str(sick.port)}
    secrets = {"admin_password": "anything"}
    if name == "identity_provider":
        secrets["client_secret"] = "anything"
    body = {"settings": {**address, **secrets}}
    answer = _post(scene, f"/systems/{name}/test", body)
    assert answer.status_code in {200, 429, 503}, answer.text
    assert answer.status_code == 200 or int(answer.headers["Retry-After"]) > 0


def _check(scene: Scene, name: str) -> None:
    _post(scene, f"/systems/{name}/check")


def _preview(scene: Scene, life: Life) -> None:
    """It looks for somebody in every system; what does not answer in time is said on the plan."""
    _post(scene, f"/people/{life.username}/removal")


def _post(scene: Scene, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
    headers = dict(scene.workspace.api.headers)
    url = f"{scene.workspace.manager}/api/v1{path}"
    return httpx.post(url, json=body, headers=headers, trust_env=False)
