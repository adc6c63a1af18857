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


def load(place: Volumes) -> tuple[Stack, SnapshotFacts, SnapshotFacts]:
    """A stack whose worker was stopped, with the content of a snapshot beside. Gives what the
    snapshot counted, and what is in the stack now.
    """
    stack, chest = place.make_stack(), Chest()
    place.stop(stack, "worker")
    wanted = place.source.capture(stack.address, chest)
    place.spoil(stack.volume("data"))
    present = place.source.facts(stack.address)
    assert present != wanted
    place.source.make_beside(stack.address)
    beside = place.source.address_beside(stack.address)
    place.source.restore(beside, chest)
    assert place.source.facts(beside) == wanted
    assert place.states(stack) == RAN, "nothing stops before the switch"
    assert place.source.facts(stack.address) == present
    return stack, wanted, present


def switch(place: Volumes, stack: Stack) -> None:
    place.source.switch(stack.address, place.source.address_beside(stack.address))


def require_whole(place: Volumes, stack: Stack, wanted: SnapshotFacts) -> None:
    """The content of the snapshot, the programs as before, and nothing left."""
    assert place.states(stack) == RAN
    assert place.source.facts(stack.address) == wanted
    assert place.states(stack) == RAN, "what runs reads its own files"
    assert not place.source.has_beside(stack.address)
    assert place.volumes(stack) == [stack.volume("data"), stack.volume("more")]
    assert place.helpers() == []


def test_what_was_loaded_beside_takes_the_place(place: Volumes) -> None:
    stack, wanted, _ = load(place)
    assert place.source.has_beside(stack.address)
    switch(place, stack)
    require_whole(place, stack, wanted)
    switch(place, stack)
    require_whole(place, stack, wanted)


def test_other_volumes_are_refused_before_anything_stops(place: Volumes) -> None:
    stack, other, chest = place.make_stack(), place.make_stack(), Chest()
    place.source.capture(stack.address, chest)
    chest.parts["logs.tar"] = chest.parts.pop("more.tar")
    place.source.make_beside(other.address)
    with pytest.raises(Conflict, match="logs, more"):
        place.source.restore(place.source.address_beside(other.address), chest)
    assert set(place.states(other).values()) == {"running"}
    assert not place.source.has_beside(other.address)


def test_what_is_not_wanted_any_more_is_discarded(place: Volumes) -> None:
    stack, _, present = load(place)
    place.source.discard_beside(stack.address)
    require_whole(place, stack, present)


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


def kill_switch(place: Volumes, stack: Stack, number: int, *, after: bool) -> bool:
    """Kill a switch at one of its calls. Gives whether it had as many."""
    with pytest.MonkeyPatch.context() as patch:
        Kill(patch, number, after=after)
        try:
            switch(place, stack)
        except Killed:
            return True
    return False


def require_no_mixture(
    place: Volumes, stack: Stack, wanted: SnapshotFacts, present: SnapshotFacts
) -> None:
    """Whatever runs reads the old content or the new."""
    states = place.states(stack)
    if "running" in states.values():
        found = place.source.facts(stack.address)
        assert found in (wanted, present)
        assert states["worker"] == "exited"
        assert place.states(stack) == states
