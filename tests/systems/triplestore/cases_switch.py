"""Cases of kept content that replaces the present content: the old content or the new, wherever the
triplestore runs. Each triplestore gives `triplestore`, and `points`: at which calls whoever
switches is killed.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.systems.sql_server.chest import Chest
from tests.systems.triplestore.repositories import (
    FRESH,
    GRAPHS,
    LIVE,
    Address,
    Killed,
    Repositories,
)
from workspace_manager.contract.errors import Conflict, Invalid, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.client.content import ContentCalls
from workspace_manager.systems.triplestore.client.session import Session
from workspace_manager.systems.triplestore.snapshots import TriplestoreSnapshots, replacement

SILENT = quote_words("silent")


@pytest.fixture
def beside(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address
) -> Iterator[Chest]:
    """What was kept is in FRESH, and LIVE has gone on."""
    chest = Chest()
    source.capture(address(LIVE), chest)
    repositories.triplestore.make_account("ada-reads", "of ada", names.authorities(read=[LIVE]))
    source.restore(address(FRESH), chest)
    go_on(repositories)
    yield chest
    repositories.triplestore.admin.delete("/rest/security/users/ada-reads")


def go_on(repositories: Repositories) -> None:
    repositories.add(LIVE, b"<http://e/later> <http://e/p> _:z <http://e/later> .\n")
    repositories.set_namespace(LIVE, "later", "http://later/")


def test_what_was_kept_takes_the_place_of_what_is_there(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address, beside: Chest
) -> None:
    wanted = source.facts(address(FRESH)).tables
    assert source.facts(address(LIVE)).tables != wanted
    for _ in range(2):
        source.switch(address(LIVE), address(FRESH))
        assert source.facts(address(LIVE)).tables == wanted
        assert {LIVE, FRESH} & repositories.listed() == {LIVE}
        rights = repositories.triplestore.accounts()["ada-reads"]
        assert f"READ_REPO_{LIVE}" in rights
        assert f"READ_REPO_{FRESH}" not in rights
    repositories.make(FRESH)
    source.restore(address(FRESH), beside)
    assert repositories.same_graph(LIVE, FRESH)


def test_whoever_switches_is_killed_and_it_ends_whole(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    beside: Chest,
    monkeypatch: pytest.MonkeyPatch,
    points: range,
) -> None:
    wanted = source.facts(address(FRESH)).tables
    sizes = {repositories.size(LIVE), sum(GRAPHS.values())}
    for point in points:
        with monkeypatch.context() as patch:
            calls = doom(patch, point)
            with contextlib.suppress(Killed):
                source.switch(address(LIVE), address(FRESH))
        assert repositories.size(LIVE) in sizes, point
        source.switch(address(LIVE), address(FRESH))
        assert source.facts(address(LIVE)).tables == wanted, point
        assert {LIVE, FRESH} & repositories.listed() == {LIVE}
        if len(calls) < point:
            return
        repositories.make(FRESH)
        source.restore(address(FRESH), beside)
        go_on(repositories)
    pytest.fail("it never came to its end")


def doom(patch: pytest.MonkeyPatch, point: int) -> list[str]:
    """Die at the call with this number."""
    calls: list[str] = []
    for name in ("send", "stream"):
        real = getattr(Session, name)

        def counted(*given: Any, real: Any = real, **how: Any) -> Any:
            calls.append(str(given))
            if len(calls) >= point:
                raise Killed
            return real(*given, **how)

        patch.setattr(Session, name, counted)
    return calls


def test_an_answer_that_never_came_is_looked_for(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    beside: Chest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sent once, whatever is answered: what is sent twice may come in late."""
    wanted = source.facts(address(FRESH)).tables
    real = ContentCalls.change_at_once
    sent: list[str] = []

    def silent(calls: ContentCalls, name: str, file: Any) -> None:
        sent.append(name)
        if not lost:
            real(calls, name, file)
        raise Unavailable(SILENT, kind="x", doing=SILENT)

    monkeypatch.setattr(ContentCalls, "change_at_once", silent)
    monkeypatch.setattr(replacement, "PAUSE_S", 0.0)
    monkeypatch.setattr(replacement, "LOOKS", 3)
    lost = True
    with pytest.raises(Conflict, match="does not show it"):
        source.switch(address(LIVE), address(FRESH))
    assert (repositories.size(LIVE), sent) == (8, [LIVE])
    lost = False
    source.switch(address(LIVE), address(FRESH))
    assert source.facts(address(LIVE)).tables == wanted
    assert sent == [LIVE] * 2


def test_what_cannot_be_replaced_at_once_is_refused(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    beside: Chest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = source.facts(address(LIVE))
    with monkeypatch.context() as patch:
        patch.setattr(replacement, "LARGEST", 100)
        with pytest.raises(Invalid, match="at once"):
            source.switch(address(LIVE), address(FRESH))
    repositories.make("ts-empty")
    with pytest.raises(Conflict, match="by nothing"):
        source.switch(address(LIVE), address("ts-empty"))
    assert source.facts(address(LIVE)) == before
    assert {LIVE, FRESH, "ts-empty"} <= repositories.listed()


def test_what_could_not_take_the_place_is_refused_as_soon_as_it_is_loaded(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    beside: Chest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The step that replaces has not begun: whoever ordered it can order something else."""
    live, other = address(LIVE), source.address_beside(address(LIVE))
    before = source.facts(live)
    source.make_beside(live)
    with monkeypatch.context() as patch:
        patch.setattr(replacement, "LARGEST", 100)
        with pytest.raises(Invalid, match="at once"):
            source.restore(other, beside)
    repositories.make("ts-empty")
    nothing = Chest()
    source.capture(address("ts-empty"), nothing)
    source.make_beside(live)
    with pytest.raises(Conflict, match="by nothing") as caught:
        source.restore(other, nothing)
    assert "restore the snapshot as a new repository" in caught.value.advice
    source.make_beside(live)
    source.restore(other, beside)
    source.discard_beside(live)
    assert source.facts(live) == before
