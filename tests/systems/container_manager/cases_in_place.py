"""Cases of a restore in place of volumes, for every engine: see `test_in_place` and
`tests/real/test_snapshots_volumes.py`.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.systems.container_manager.volumes import Stack, Volumes
from tests.systems.sql_server.chest import Chest
from workspace_manager.contract.errors import Conflict
from workspace_manager.contract.snapshots import SnapshotFacts
from workspace_manager.systems.container_manager.client.connection import Connection

RAN = {"database": "running", "web": "running", "worker": "exited"}


class Killed(BaseException):
    """Nothing of ours goes on."""


def load(engine_under_test: Volumes) -> tuple[Stack, SnapshotFacts, SnapshotFacts]:
    """A stack whose worker was stopped, with the content of a snapshot beside. Gives what the
    snapshot counted, and what is in the stack now.
    """
    stack, chest = engine_under_test.make_stack(), Chest()
    engine_under_test.stop(stack, "worker")
    wanted = engine_under_test.source.capture(stack.address, chest)
    engine_under_test.spoil(stack.volume("data"))
    present = engine_under_test.source.facts(stack.address)
    assert present != wanted
    engine_under_test.source.make_beside(stack.address)
    beside = engine_under_test.source.address_beside(stack.address)
    engine_under_test.source.restore(beside, chest)
    assert engine_under_test.source.facts(beside) == wanted
    assert engine_under_test.states(stack) == RAN, "nothing stops before the switch"
    assert engine_under_test.source.facts(stack.address) == present
    return stack, wanted, present


def switch(engine_under_test: Volumes, stack: Stack) -> None:
    engine_under_test.source.switch(
        stack.address, engine_under_test.source.address_beside(stack.address)
    )


def require_whole(engine_under_test: Volumes, stack: Stack, wanted: SnapshotFacts) -> None:
    """The content of the snapshot, the programs as before, and nothing left."""
    assert engine_under_test.states(stack) == RAN
    assert engine_under_test.source.facts(stack.address) == wanted
    assert engine_under_test.states(stack) == RAN, "what runs reads its own files"
    assert not engine_under_test.source.has_beside(stack.address)
    assert engine_under_test.volumes(stack) == [stack.volume("data"), stack.volume("more")]
    assert engine_under_test.helpers() == []


def test_what_was_loaded_beside_takes_the_place(engine_under_test: Volumes) -> None:
    stack, wanted, _ = load(engine_under_test)
    assert engine_under_test.source.has_beside(stack.address)
    switch(engine_under_test, stack)
    require_whole(engine_under_test, stack, wanted)
    switch(engine_under_test, stack)
    require_whole(engine_under_test, stack, wanted)


def test_other_volumes_are_refused_before_anything_stops(engine_under_test: Volumes) -> None:
    stack, other, chest = engine_under_test.make_stack(), engine_under_test.make_stack(), Chest()
    engine_under_test.source.capture(stack.address, chest)
    chest.parts["logs.tar"] = chest.parts.pop("more.tar")
    engine_under_test.source.make_beside(other.address)
    with pytest.raises(Conflict, match="logs, more"):
        engine_under_test.source.restore(
            engine_under_test.source.address_beside(other.address), chest
        )
    assert set(engine_under_test.states(other).values()) == {"running"}
    assert not engine_under_test.source.has_beside(other.address)


def test_what_is_not_wanted_any_more_is_discarded(engine_under_test: Volumes) -> None:
    stack, _, present = load(engine_under_test)
    engine_under_test.source.discard_beside(stack.address)
    require_whole(engine_under_test, stack, present)


class Kill:
    """Kills before or after the call to the engine of this number, or once a command has begun."""

    def __init__(self, patch: pytest.MonkeyPatch, number: int, *, after: bool) -> None:
        self.count, self.number, self.after = 0, number, after
        send, stream = Connection._send, Connection.stream

        def counted_send(connection: Connection, *args: Any, **how: Any) -> Any:
            with self._counted():
                return send(connection, *args, **how)

        @contextlib.contextmanager
        def counted_stream(connection: Connection, *args: Any, **how: Any) -> Iterator[Any]:
            with self._counted() as killed, stream(connection, *args, **how) as pieces:
                if killed:
                    # A command of ours goes on in the helper.
                    raise Killed
                yield pieces

        patch.setattr(Connection, "_send", counted_send)
        patch.setattr(Connection, "stream", counted_stream)

    @contextlib.contextmanager
    def _counted(self) -> Iterator[bool]:
        mine = self.count == self.number
        self.count += 1
        if mine and not self.after:
            raise Killed
        try:
            yield mine
        finally:
            if mine and self.after:
                raise Killed


def kill_switch(engine_under_test: Volumes, stack: Stack, number: int, *, after: bool) -> bool:
    """Kill a switch at one of its calls. Gives whether it had as many."""
    with pytest.MonkeyPatch.context() as patch:
        Kill(patch, number, after=after)
        try:
            switch(engine_under_test, stack)
        except Killed:
            return True
    return False


def require_no_mixture(
    engine_under_test: Volumes, stack: Stack, wanted: SnapshotFacts, present: SnapshotFacts
) -> None:
    """Whatever runs reads the old content or the new."""
    states = engine_under_test.states(stack)
    if "running" in states.values():
        found = engine_under_test.source.facts(stack.address)
        assert found in (wanted, present)
        assert states["worker"] == "exited"
        assert engine_under_test.states(stack) == states
