"""Snapshots of repositories, wherever the triplestore runs: what comes back is what was there, and
what goes wrong leaves nothing behind. Each triplestore gives `triplestore`.
"""

from collections.abc import Iterator
from typing import Any

import pyoxigraph as ox
import pytest

from tests.systems.sql_server.chest import Broken, Chest, uploaded
from tests.systems.triplestore.repositories import (
    CONTENT,
    FRESH,
    GRAPHS,
    LIVE,
    PART,
    Address,
    Killed,
    Repositories,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.systems.triplestore.client.content import ContentCalls
from workspace_manager.systems.triplestore.snapshots import (
    TriplestoreSnapshots,
    content_reader,
    load,
)


@pytest.fixture(params=["whole", "by graph"])
def reading_mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Small repositories are read at once, large ones graph by graph."""
    if request.param == "by graph":
        monkeypatch.setattr(content_reader, "WHOLE", 0)
    return str(request.param)


def test_everything_comes_back(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address, reading_mode: str
) -> None:
    chest = Chest()
    facts = source.capture(address(LIVE), chest)
    assert {one.name: one.rows for one in facts.tables} == {**GRAPHS, "namespaces": 1}
    assert facts.consistent is (reading_mode == "whole" or not ContentCalls(source._client).cuts)
    assert bool(facts.notes) is not facts.consistent
    assert chest.parts["prefixes.nq"] == b"# @prefix ex: <http://e/> .\n"
    assert LIVE.encode() in chest.parts["configuration.nq"]
    download = b"".join(chest.parts.values())
    assert len(set(ox.parse(download, format=ox.RdfFormat.N_QUADS))) == 7
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)).tables == facts.tables
    assert repositories.same_graph(LIVE, FRESH)


def test_what_was_downloaded_can_be_uploaded(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address
) -> None:
    """With its prefixes, and also where somebody repeated a statement in it."""
    source.capture(address(LIVE), (chest := Chest()))
    download = b"".join(chest.parts.values())
    repeated = download.splitlines(keepends=True)[0]
    source.restore(address(FRESH), uploaded(source, download + repeated))
    assert source.facts(address(FRESH)).tables == source.facts(address(LIVE)).tables
    assert repositories.same_graph(LIVE, FRESH)
    many = [b"<a:s%d> <a:p> <a:o> .\n" % n for n in range(5000)]
    repositories.make("ts-more")
    with pytest.raises(Invalid, match="line 4001 "):
        source.restore(
            address("ts-more"), uploaded(source, b"".join([*many[:4000], b"no\n", *many]))
        )
    assert repositories.size("ts-more") == 0


def test_a_blank_node_is_one_node_in_all_blocks(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chest = Chest()
    source.capture(address(LIVE), chest)
    monkeypatch.setattr(load, "BLOCK", 1)
    source.restore(address(FRESH), chest)
    assert repositories.same_graph(LIVE, FRESH)


def test_prefixes_without_statements_come_back(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address
) -> None:
    """Also the empty one, and an empty content is not sent."""
    repositories.add(FRESH, b"<a:a> <a:b> <a:c> .\n")
    empty = Chest({PART: b"", "prefixes.nq": b"# @prefix : <http://e/> .\n"})
    with pytest.raises(Conflict):
        source.restore(address(FRESH), empty)
    assert repositories.size(FRESH) == 1
    repositories.make("ts-more")
    source.restore(address("ts-more"), empty)
    [only] = source.capture(address("ts-more"), (chest := Chest())).tables
    assert (only.name, only.rows, chest.parts[PART]) == ("namespaces", 1, b"")


def test_a_repository_with_something_in_it_is_left_alone(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address
) -> None:
    chest = Chest()
    before = source.capture(address(LIVE), chest)
    with pytest.raises(Conflict):
        source.restore(address(LIVE), chest)
    assert source.facts(address(LIVE)) == before
    for wrong in ("sparql://elsewhere/", address("a b"), address("")):
        with pytest.raises(Conflict):
            source.facts(wrong)
    for failing in (
        lambda: source.facts(address("ts-nowhere")),
        lambda: source.capture(address("ts-nowhere"), chest),
        lambda: source.restore(address("ts-nowhere"), chest),
        lambda: source.switch(address("ts-nowhere"), address(LIVE)),
    ):
        with pytest.raises(NotFound):
            failing()
    assert "ts-nowhere" not in repositories.listed()


def test_a_store_that_is_full_ends_it(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address, reading_mode: str
) -> None:
    whole = Chest()
    source.capture(address(LIVE), whole)
    for room in (0, len(whole.parts[PART]) // 2, whole.taken - 1):
        with pytest.raises(Broken):
            source.capture(address(LIVE), Chest(room=room))


def test_a_stream_that_breaks_off_leaves_an_empty_repository(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address
) -> None:
    chest = Chest()
    facts = source.capture(address(LIVE), chest)
    size = len(chest.parts[PART])
    for breaks_at in (0, size // 2, size - 1):
        with pytest.raises(Broken):
            source.restore(address(FRESH), Chest(chest.parts, breaks_at=breaks_at))
        assert repositories.size(FRESH) == 0
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)).tables == facts.tables


def test_whoever_loads_is_killed_and_the_next_one_finds_it(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chest = Chest()
    facts = source.capture(address(LIVE), chest)
    add = ContentCalls.add

    def die(calls: ContentCalls, name: str, block: bytes, **how: Any) -> None:
        add(calls, name, block, **how)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(load, "BLOCK", 100)
        patch.setattr(ContentCalls, "add", die)
        patch.setattr(ContentCalls, "clear", lambda *_given: None)
        with pytest.raises(Killed):
            source.restore(address(FRESH), chest)
    assert repositories.size(FRESH)
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)).tables == facts.tables


@pytest.mark.parametrize("at", ["first", "middle", "last"])
def test_an_export_that_is_cut_is_never_taken_for_whole(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    reading_mode: str,
    monkeypatch: pytest.MonkeyPatch,
    at: str,
) -> None:
    """A proxy may end an answer in good order where its server broke off."""
    real = ContentCalls._pieces

    def cut(calls: ContentCalls, *given: Any) -> Iterator[bytes]:
        data = b"".join(real(calls, *given))
        yield data[: {"first": 0, "middle": len(data) // 2, "last": len(data) - 2}[at]]

    with monkeypatch.context() as patch:
        patch.setattr(ContentCalls, "_pieces", cut)
        with pytest.raises(Conflict, match="another number"):
            source.capture(address(LIVE), Chest())
        with pytest.raises(Conflict, match="another number"):
            source.facts(address(LIVE))
    assert source.facts(address(LIVE)).tables


def test_who_writes_meanwhile_is_in_it_or_not(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = source.facts(address(LIVE)).tables
    real = ContentCalls.size
    times: list[str] = []

    def write(calls: ContentCalls, name: str) -> int:
        found = real(calls, name)
        if len(times) < most:
            times.append(name)
            repositories.add(LIVE, b"<a:a> <a:b> <a:n%d> <a:g> .\n" % len(times))
        return found

    monkeypatch.setattr(ContentCalls, "size", write)
    most = 2
    chest = Chest()
    found = source.capture(address(LIVE), chest).tables
    assert found != before
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)).tables == found
    most = 99
    with pytest.raises(Conflict, match="another number"):
        source.capture(address(LIVE), Chest())


def test_what_is_lost_while_it_is_loaded_is_noticed(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chest = Chest()
    source.capture(address(LIVE), chest)
    real = ContentCalls.add

    def relabel(calls: ContentCalls, name: str, block: bytes, **how: Any) -> None:
        real(calls, name, block.replace(b"1", b"2"), **how)

    with monkeypatch.context() as patch:
        patch.setattr(ContentCalls, "add", relabel)
        with pytest.raises(Conflict, match="does not hold"):
            source.restore(address(FRESH), chest)
    assert repositories.size(FRESH) == 0


def test_a_file_of_ones_own_is_loaded_or_its_line_named(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address
) -> None:
    twice = CONTENT + b"# twice\n" + CONTENT
    source.restore(address(FRESH), Chest({PART: twice}))
    assert repositories.same_graph(LIVE, FRESH)
    for wrong, line in ((b"<a:a> <a:b> <rel> .\n", 8), (b"# here\n<a:a> <a:b>", 9)):
        repositories.make("ts-wrong")
        with pytest.raises(Invalid, match=f"line {line} "):
            source.restore(address("ts-wrong"), Chest({PART: CONTENT + wrong}))
        assert repositories.size("ts-wrong") == 0
        repositories.triplestore.admin.delete("/rest/repositories/ts-wrong")
