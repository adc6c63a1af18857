"""A slow system takes its own share of a process's threads, and no other's."""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.dripping import Dripping
from workspace_manager.contract import share, slots
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.deadline import moment
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.share import Patience
from workspace_manager.systems.sql_server.client import Client
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL, Settings
from workspace_sandbox.patience import PATIENCE_S


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    slots.forget()
    slots.set_patience(Patience(seconds=0))
    yield
    slots.forget()


def hold_slot(name: str) -> contextlib.AbstractContextManager[None]:
    return slots.hold_slot(name, kind=f"{name}.thing", doing=quote_words("asking"))


@contextlib.contextmanager
def fill_slots(name: str, *, times: int) -> Iterator[threading.Event]:
    """Have other threads take places until the event is set."""
    inside, over = threading.Barrier(times + 1), threading.Event()

    def take() -> None:
        with hold_slot(name):
            inside.wait(PATIENCE_S)
            over.wait(PATIENCE_S)

    threads = [threading.Thread(target=take) for _ in range(times)]
    for thread in threads:
        thread.start()
    inside.wait(PATIENCE_S)
    try:
        yield over
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_so_many_at_once_and_no_more_and_no_other_system_is_concerned() -> None:
    with fill_slots("drive", times=slots.AT_ONCE):
        with pytest.raises(slots.Busy, match=r"under way .*\(3\)") as caught, hold_slot("drive"):
            pytest.fail("one too many")
        assert isinstance(caught.value, Unavailable)
        assert caught.value.retry_after
        with hold_slot("sql_server"):
            """There is a place elsewhere."""
    with hold_slot("drive"):
        """There is one again."""


def test_who_has_a_place_has_it_for_all_calls_within() -> None:
    slots.allow("drive", 1)
    with hold_slot("drive"), hold_slot("drive"), hold_slot("sql_server"), hold_slot("drive"):
        """It waits for nobody, least of all for itself."""


def test_a_share_can_be_changed_while_it_is_used() -> None:
    with fill_slots("drive", times=3):
        slots.allow("drive", 4)
        with hold_slot("drive"):
            """One more."""
        slots.allow("drive", 2)
        with pytest.raises(slots.Busy), hold_slot("drive"):
            pytest.fail("one too many")


def test_a_place_that_is_free_in_a_moment_is_waited_for() -> None:
    slots.set_patience(Patience(seconds=10))
    with fill_slots("drive", times=3) as over:
        threading.Timer(0.1, over.set).start()
        with hold_slot("drive"):
            """It came."""


def test_only_so_many_threads_wait() -> None:
    slots.set_patience(Patience(seconds=10, threads=0))
    with fill_slots("drive", times=3), pytest.raises(slots.Busy), hold_slot("drive"):
        pytest.fail("one too many")


def test_who_was_turned_away_is_told_once_there_is_a_place() -> None:
    told: list[str] = []
    slots.set_patience(Patience(seconds=0), tell=told.append)
    with fill_slots("drive", times=3):
        for who in ("one", "two", "one"):
            with slots.on_behalf_of(who), pytest.raises(slots.Busy), hold_slot("drive"):
                pytest.fail("one too many")
        assert slots.is_remembered("one")
        assert told == []
    assert told == ["one", "two"]
    assert not slots.is_remembered("one")


def test_what_is_done_apart_takes_no_place_and_is_bounded_itself() -> None:
    with (
        fill_slots("drive", times=3),
        slots.separate_slot("checks", most=1) as first,
        hold_slot("drive"),
        slots.separate_slot("checks", most=1) as second,
    ):
        assert (first, second) == (True, False)
    with slots.separate_slot("checks", most=1) as again:
        assert again


def test_others_go_on_meanwhile() -> None:
    said: list[str] = []

    @contextlib.contextmanager
    def others() -> Iterator[None]:
        said.append("let")
        yield
        said.append("back")

    with slots.release_during_calls(others):
        with hold_slot("drive"), hold_slot("drive"), hold_slot("sql_server"):
            assert said == ["let"]
        with slots.separate_slot("checks", most=1), hold_slot("drive"):
            assert said == ["let", "back", "let"]
    assert said == ["let", "back", "let", "back"]


@pytest.mark.parametrize("flavour", ["http", MARIADB, POSTGRESQL])
def test_every_client_takes_a_place(flavour: str) -> None:
    def call(port: int) -> None:
        calls = CallPolicy(connect_s=1, answer_s=1)
        if flavour == "http":
            client = HttpClient(f"http://127.0.0.1:{port}", system="sql_server", policy=calls)
            client.send("GET", "/", doing=quote_words("asking"))
        settings = Settings(
            flavour=flavour, host="127.0.0.1", port=port, admin_username="a",
            admin_password=Secret("x"),
        )  # fmt: skip
        with Client(settings, policy=calls).session(doing=quote_words("asking")) as session:
            session.count_accounts()

    with fill_slots("sql_server", times=3), Dripping(asked=False).running() as system:
        with pytest.raises(slots.Busy):
            call(system.port)
        assert not system.most_held


def turned_away(who: str, name: str = "drive") -> None:
    with slots.on_behalf_of(who), pytest.raises(slots.Busy), hold_slot(name):
        pytest.fail("there was a place")


def test_a_place_is_kept_for_whoever_was_told_of_it() -> None:
    """Somebody faster would have it otherwise, and who was told would come for nothing."""
    told: list[str] = []
    slots.set_patience(Patience(seconds=0), tell=told.append)
    slots.allow("drive", 1)
    with fill_slots("drive", times=1):
        turned_away("one")
    assert told == ["one"]
    turned_away("somebody faster")
    with slots.on_behalf_of("one"), hold_slot("drive"):
        """It was kept."""
    assert told == ["one", "somebody faster"]


def test_a_place_that_is_not_needed_any_more_is_the_next_one_s() -> None:
    told: list[str] = []
    slots.set_patience(Patience(seconds=0), tell=told.append)
    slots.allow("drive", 1)
    with fill_slots("drive", times=1):
        turned_away("one")
        turned_away("two")
    assert told == ["one"]
    with slots.on_behalf_of("one"):
        """It does without."""
    assert told == ["one", "two"]


def test_a_place_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    now = moment()
    slots.set_patience(Patience(seconds=0), tell=lambda _: None)
    slots.allow("drive", 1)
    with fill_slots("drive", times=1):
        turned_away("one")
    turned_away("two")
    monkeypatch.setattr(share, "moment", lambda: now + 2 * slots.KEPT_S)
    with hold_slot("drive"):
        """Nobody came for it."""


def test_who_is_still_at_work_is_not_told_but_asks() -> None:
    told: list[str] = []
    slots.set_patience(Patience(seconds=0), tell=told.append)
    slots.allow("drive", 1)
    with slots.on_behalf_of("one"):
        with fill_slots("drive", times=1), pytest.raises(slots.Busy), hold_slot("drive"):
            pytest.fail("there was a place")
        assert slots.is_kept_for("one")
        with hold_slot("drive"):
            """It goes on."""
    assert told == []


def test_threads_that_wait_come_before_who_was_turned_away() -> None:
    told: list[str] = []
    slots.set_patience(Patience(seconds=60), tell=told.append)
    slots.allow("drive", 1)
    came = threading.Event()

    def wait() -> None:
        with hold_slot("drive"):
            came.set()

    with fill_slots("drive", times=1) as over:
        slots.set_patience(Patience(seconds=0), tell=told.append)
        turned_away("one")
        slots.set_patience(Patience(seconds=60), tell=told.append)
        thread = threading.Thread(target=wait)
        thread.start()
        while not slots._process.waiting:
            assert thread.is_alive()
        assert told == []
        over.set()
        assert came.wait(60)
    thread.join()
    assert told == ["one"]


def is_free(name: str) -> bool:
    """Whether another thread finds a place."""

    def ask() -> bool:
        with contextlib.suppress(slots.Busy), hold_slot(name):
            return True
        return False

    with ThreadPoolExecutor(1) as other:
        return other.submit(ask).result()


def test_who_stays_keeps_the_place_until_one_is_needed_elsewhere() -> None:
    slots.allow("drive", 1)
    slots.allow("sql_server", 1)
    with slots.stay():
        with hold_slot("drive"):
            assert not is_free("drive")
        assert not is_free("drive")
        with hold_slot("drive"):
            """It goes on."""
        with hold_slot("sql_server"):
            assert is_free("drive")
        assert not is_free("sql_server")
        with hold_slot("drive"), hold_slot("sql_server"):
            assert not is_free("drive")
        assert is_free("sql_server")
    assert is_free("drive")


def test_places_are_those_of_one_process() -> None:
    """What a system's setting says holds for each worker and each web by itself."""
    script = (
        "from workspace_manager.contract import places\n"
        "from workspace_manager.contract.message import quoted\n"
        "places.allow('drive', 1)\n"
        "with places.at('drive', kind='drive.account', doing=quoted('asking')):\n"
        "    print('has a place', flush=True)\n"
        "    input()\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    try:
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == "has a place\n"
        assert [process.poll() for process in processes] == [None, None]
    finally:
        for process in processes:
            process.communicate("\n")
