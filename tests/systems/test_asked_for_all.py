"""A question that one thread asks a system for all others (a token, which product it is) holds
nobody who waits for it for long, and needs no place that others have.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.systems.identity_provider.wire import GONE, SUB, TOKEN, Server
from workspace_manager.contract import slots
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.share import Patience
from workspace_manager.systems.triplestore.client.calls import TriplestoreClient
from workspace_manager.systems.triplestore.settings import Settings

BOUND_S = 60
"""Whatever hangs."""


class HangingCall:
    """A call that stays under way until it is let go."""

    def __init__(self) -> None:
        self.is_asked, self.goes_on = threading.Event(), threading.Event()

    def stay(self) -> None:
        self.is_asked.set()
        assert self.goes_on.wait(BOUND_S)


@pytest.fixture(autouse=True)
def impatient() -> Iterator[None]:
    slots.forget()
    slots.set_patience(Patience(seconds=0))
    yield
    slots.forget()


def a_token(held: HangingCall, monkeypatch: pytest.MonkeyPatch) -> Callable[[], object]:
    class Slow(Server):
        def __call__(self, request: httpx.Request) -> httpx.Response:
            if request.url.path.endswith("/token"):
                held.stay()
            return super().__call__(request)

    users = Slow(GONE).users
    return lambda: users.log_out(SUB)


def which_product(held: HangingCall, monkeypatch: pytest.MonkeyPatch) -> Callable[[], object]:
    settings = Settings(url="http://127.0.0.1:1", admin_password=Secret("x"))
    client = TriplestoreClient(settings)

    def detect() -> str:
        held.stay()
        return "graphdb"

    monkeypatch.setattr(client, "detect", detect)
    return client.flavour


Asks = Callable[[HangingCall, pytest.MonkeyPatch], Callable[[], object]]
BOTH = pytest.mark.parametrize("asks", [a_token, which_product])


@contextlib.contextmanager
def under_way(held: HangingCall, ask: Callable[[], object]) -> Iterator[threading.Thread]:
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    assert held.is_asked.wait(BOUND_S)
    try:
        yield thread
    finally:
        held.goes_on.set()
        thread.join(BOUND_S)


@BOTH
def test_who_waits_for_it_is_turned_away(asks: Asks, monkeypatch: pytest.MonkeyPatch) -> None:
    held, answers = HangingCall(), list[object]()
    ask = asks(held, monkeypatch)

    def wait() -> None:
        try:
            answers.append(ask())
        except slots.Busy as busy:
            answers.append(busy)

    with under_way(held, ask) as first:
        second = threading.Thread(target=wait, daemon=True)
        second.start()
        second.join(BOUND_S)
        assert first.is_alive()
        assert [type(one) for one in answers] == [slots.Busy]
    ask()


@BOTH
def test_who_asks_or_waits_keeps_nothing_of_the_process(
    asks: Asks, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, let_go = HangingCall(), threading.Semaphore(0)
    ask = asks(held, monkeypatch)

    @contextlib.contextmanager
    def others() -> Iterator[None]:
        let_go.release()
        yield

    def of_a_page() -> None:
        with slots.release_during_calls(others), contextlib.suppress(slots.Busy):
            ask()

    with under_way(held, of_a_page):
        of_a_page()
        assert let_go.acquire(timeout=0)
        assert let_go.acquire(timeout=0)


def test_it_is_asked_for_where_every_place_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has the places may be waiting for just this."""
    held = HangingCall()
    held.goes_on.set()
    ask = a_token(held, monkeypatch)
    slots.allow("identity_provider", 0)
    with pytest.raises(slots.Busy, match="under way"):
        ask()
    assert held.is_asked.is_set()
    slots.allow("identity_provider", 1)
    ask()


def test_a_token_is_forgotten_while_another_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    held = HangingCall()
    server = Server(GONE, httpx.Response(200, json=TOKEN))
    asked = server.users.wire.token._fetch

    def slowly() -> object:
        held.stay()
        return asked()

    monkeypatch.setattr(server.users.wire.token, "_fetch", slowly)
    with under_way(held, lambda: server.users.log_out(SUB)):
        server.users.wire.token.drop(Secret("another"))
        server.users.wire.token.try_again()
