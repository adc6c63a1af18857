"""Attacks on the door, by somebody who has no account: asking to sign in, coming back with codes
that nobody gave, and knocking too often.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.attack.scene import Scene, before_any_ends
from workspace_manager.contract import slots
from workspace_sandbox.patience import PATIENCE_S, eventually

MANY: Final = 40
KNOCKS: Final = 80
AN_HOUR: Final = 60
"""Logouts that are none, from one address."""
FEW: Final = 5
"""Fewer than come: what is known is looked up again now and then."""
TIMES: Final = 1000
CALLBACK: Final = "/accounts/oidc/identity_provider/login/callback/"


def whoever_only_asks_to_sign_in_holds_up_nobody(scene: Scene) -> None:
    """Forty at once, while the identity provider takes seconds to say what it is: it was asked
    before, and nothing is written for any of them.
    """
    scene.somebody()
    with _slow(scene, "openid-configuration|/certs") as asked:
        answers = _at_once(MANY, lambda _: _begun(scene)[0])
        assert asked() < FEW
    assert {answer.status_code for answer in answers} == {302}
    assert all("sessionid" not in answer.cookies for answer in answers)


def who_comes_with_made_up_codes_holds_up_nobody(scene: Scene) -> None:
    """Each began a sign-in, and comes with a code that has to be asked about, which takes long."""
    scene.somebody()
    begun = [_begun(scene) for _ in range(MANY)]

    def come(number: int) -> int:
        answer, browser = begun[number]
        state = parse_qs(urlsplit(answer.headers["location"]).query)["state"][0]
        return browser.get(CALLBACK, params={"state": state, "code": "x"}).status_code

    slow = _slow(scene, "/protocol/openid-connect/token")
    with slow as asked, ThreadPoolExecutor(MANY) as threads:
        coming = [threads.submit(come, number) for number in range(MANY)]

        def ended() -> int:
            over = sum(one.done() for one in coming)
            assert over < MANY, "they were over before anybody else was answered"
            return over

        eventually("as many ask as may at once", lambda: asked() >= slots.AT_ONCE)
        for path in ("/health/live", "/register") * 3:
            ask = partial(httpx.get, scene.workspace.manager + path)
            before_any_ends(path, partial(ask, trust_env=False), ended)
    assert {one.result() for one in coming} <= {401, 503}


def of_many_at_once_so_many_come_through(scene: Scene) -> None:
    """The number an hour holds exactly, however many knock together."""
    url = f"{scene.workspace.manager}/accounts/oidc/identity_provider/backchannel-logout"

    def knock(_: int) -> int:
        answer = httpx.post(url, data={"logout_token": "x"}, trust_env=False)
        return answer.status_code

    statuses = _at_once(KNOCKS, knock)
    assert set(statuses) <= {400, 429}, statuses
    # Fewer, where somebody knocked here in this hour before.
    assert statuses.count(400) <= AN_HOUR
    assert statuses.count(429) >= KNOCKS - AN_HOUR


def _begun(scene: Scene) -> tuple[httpx.Response, httpx.Client]:
    browser = httpx.Client(base_url=scene.workspace.manager, trust_env=False)
    return browser.get("/sign-in"), browser


def _at_once(count: int, do: Callable[[int], Any]) -> list[Any]:
    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(do, range(count)))


@contextmanager
def _slow(scene: Scene, path: str) -> Iterator[Callable[[], int]]:
    """Have the identity provider answer this later than anybody waits; gives how often it was
    asked.
    """
    fault = {"path": path, "fault": "delay", "seconds": 10 * PATIENCE_S, "times": TIMES}
    scene.workspace.control("identity_provider", "/faults", fault)

    def asked() -> int:
        [waits] = scene.workspace.control("identity_provider", "/faults")["items"]
        return TIMES - int(waits["times"])

    try:
        yield asked
    finally:
        scene.workspace.control("identity_provider", "/faults", method="DELETE")
