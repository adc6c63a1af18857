"""Attacks on the door, by somebody who has no account: asking to sign in, coming back with codes
that nobody gave, and knocking too often.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.attack.scene import Scene

MANY: Final = 40
KNOCKS: Final = 80
AN_HOUR: Final = 60
"""Logouts that are none, from one address."""
SLOW_S: Final = 20
ALIVE_S: Final = 0.5
PAGE_S: Final = 3.0
CALLBACK: Final = "/accounts/oidc/identity_provider/login/callback/"


def whoever_only_asks_to_sign_in_holds_up_nobody(scene: Scene) -> None:
    """Forty at once, while the identity provider takes seconds to say what it is: it was asked
    before, and nothing is written for any of them.
    """
    scene.somebody()
    with _slow(scene, "openid-configuration|/certs"):
        began = time.monotonic()
        answers = _at_once(MANY, lambda _: _begun(scene)[0])
        took = time.monotonic() - began
    assert {answer.status_code for answer in answers} == {302}
    assert all("sessionid" not in answer.cookies for answer in answers)
    assert took < SLOW_S, f"forty answers took {took:.1f} s"


def who_comes_with_made_up_codes_holds_up_nobody(scene: Scene) -> None:
    """Each began a sign-in, and comes with a code that has to be asked about, which takes long."""
    scene.somebody()
    begun = [_begun(scene) for _ in range(MANY)]

    def come(number: int) -> int:
        answer, browser = begun[number]
        state = parse_qs(urlsplit(answer.headers["location"]).query)["state"][0]
        return browser.get(CALLBACK, params={"state": state, "code": "x"}).status_code

    with _slow(scene, "/protocol/openid-connect/token"), ThreadPoolExecutor(MANY) as threads:
        coming = [threads.submit(come, number) for number in range(MANY)]
        waited = []
        while not all(one.done() for one in coming):
            waited.append((_took(scene, "/health/live"), _took(scene, "/register")))
            time.sleep(0.1)
    assert {one.result() for one in coming} <= {401, 503}
    assert waited
    assert max(alive for alive, _ in waited) < ALIVE_S
    assert max(page for _, page in waited) < PAGE_S


def of_many_at_once_so_many_come_through(scene: Scene) -> None:
    """The number an hour holds exactly, however many knock together."""
    url = f"{scene.workspace.manager}/accounts/oidc/identity_provider/backchannel-logout"

    def knock(_: int) -> int:
        answer = httpx.post(url, data={"logout_token": "x"}, timeout=60, trust_env=False)
        return answer.status_code

    statuses = _at_once(KNOCKS, knock)
    assert set(statuses) <= {400, 429}, statuses
    # Fewer, where somebody knocked here in this hour before.
    assert statuses.count(400) <= AN_HOUR
    assert statuses.count(429) >= KNOCKS - AN_HOUR


def _begun(scene: Scene) -> tuple[httpx.Response, httpx.Client]:
    browser = httpx.Client(base_url=scene.workspace.manager, timeout=60, trust_env=False)
    return browser.get("/sign-in"), browser


def _took(scene: Scene, path: str) -> float:
    began = time.monotonic()
    httpx.get(scene.workspace.manager + path, timeout=60, trust_env=False)
    return time.monotonic() - began


def _at_once(count: int, do: Callable[[int], Any]) -> list[Any]:
    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(do, range(count)))


@contextmanager
def _slow(scene: Scene, path: str) -> Iterator[None]:
    fault = {"method": "", "path": path, "fault": "delay", "seconds": SLOW_S, "times": 1000}
    fault = {name: value for name, value in fault.items() if value != ""}
    scene.workspace.control("identity_provider", "/faults", fault)
    try:
        yield
    finally:
        scene.workspace.control("identity_provider", "/faults", method="DELETE")
