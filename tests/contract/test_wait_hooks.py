"""A thread that calls a system, or waits, has given back before what others may use."""

import smtplib
from collections.abc import Callable, Iterator

import pytest

from tests.dripping import Dripping
from workspace_manager.contract import slots, wait_hooks
from workspace_manager.contract.bulkhead import Bulkhead
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.share import Patience
from workspace_manager.letters.mail_server import EmailBackend
from workspace_manager.systems.sql_server.client import Client
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL, Settings

CALLS = CallPolicy(connect_s=1, answer_s=1)


def http(port: int) -> None:
    client = HttpClient(f"http://127.0.0.1:{port}", system="drive", policy=CALLS)
    client.send("GET", "/", doing=quote_words("asking"))


def sql(flavour: str, port: int) -> None:
    settings = Settings(
        flavour=flavour, host="127.0.0.1", port=port, admin_username="a", admin_password=Secret("x")
    )
    with Client(settings, policy=CALLS).session(doing=quote_words("asking")) as session:
        session.count_accounts()


def mail(port: int) -> None:
    EmailBackend(host="127.0.0.1", port=port, timeout=1).open()


OUTSIDE: dict[str, Callable[[int], None]] = {
    "http": http,
    "mariadb": lambda port: sql(MARIADB, port),
    "postgresql": lambda port: sql(POSTGRESQL, port),
    "mail": mail,
}


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    slots.forget()
    yield
    slots.forget()


@pytest.mark.parametrize("kind", OUTSIDE)
def test_before_anything_is_sent(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Dripping(asked=False).running() as system:
        let_go: list[int] = []
        monkeypatch.setattr(wait_hooks, "_let_go", lambda: let_go.append(system.most_held))
        with pytest.raises((ConnectorError, OSError, smtplib.SMTPException)):
            OUTSIDE[kind](system.port)
        assert let_go
        assert let_go[0] == 0, "it was connected already"


def test_what_was_taken_in_between_is_given_back_before_the_next_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who has a place has it for several calls, and may use the database between them."""
    let_go: list[int] = []
    monkeypatch.setattr(wait_hooks, "_let_go", lambda: let_go.append(1))
    with (
        Dripping(asked=False).running() as system,
        slots.hold_slot("drive", kind="drive.account", doing=quote_words("asking")),
    ):
        before = len(let_go)
        for n in (1, 2):
            with pytest.raises(Unavailable):
                http(system.port)
            assert len(let_go) >= before + n


def test_before_a_place_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    let_go: list[int] = []
    monkeypatch.setattr(wait_hooks, "_let_go", lambda: let_go.append(1))
    slots.allow("drive", 0)
    slots.set_patience(Patience(seconds=0))
    with (
        pytest.raises(slots.Busy),
        slots.hold_slot("drive", kind="drive.account", doing=quote_words("x")),
    ):
        pytest.fail("there is no place")
    assert let_go


def test_before_a_turn_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    let_go: list[int] = []
    monkeypatch.setattr(wait_hooks, "_let_go", lambda: let_go.append(1))
    few = Bulkhead(1, slow_s=0.01)
    with few.slot() as first, few.slot() as second:
        assert (first, second) == (True, False)
    assert let_go


def test_before_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    monkeypatch.setattr(wait_hooks, "_let_go", lambda: said.append("let go"))
    monkeypatch.setattr("time.sleep", said.append)
    wait_hooks.pause(3)
    assert said == ["let go", 3]
