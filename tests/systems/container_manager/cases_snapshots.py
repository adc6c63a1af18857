"""Cases of snapshots of volumes, for every engine: see `test_snapshots` and
`tests/real/test_snapshots_volumes.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.systems.container_manager.volumes import Volumes
from tests.systems.sql_server.chest import Broken, Chest, Part
from workspace_manager.contract.errors import Conflict


@dataclass
class Watching(Chest):
    """Something is done when the first part begins."""

    look: Callable[[], object] = lambda: None

    def open_part(self, name: str) -> Part:
        if not self.opened:
            self.look()
        return super().open_part(name)


def test_what_was_written_comes_back(place: Volumes) -> None:
    stack, other = place.make_stack(), place.name_stack()
    chest = Chest()
    facts = place.source.capture(stack.address, chest)
    assert [table.name for table in facts.tables] == ["data", "more"]
    assert facts.tables[0].rows > 3
    assert facts.consistent
    assert [*chest.sizes()] == ["data.tar", "more.tar"]
    place.source.restore(other.address, chest)
    assert place.source.facts(other.address) == facts
    place.start(other)
    assert set(place.states(other).values()) == {"running"}
    assert place.helpers() == []


def test_what_ran_runs_again_and_what_was_stopped_stays_so(place: Volumes) -> None:
    stack = place.make_stack()
    place.stop(stack, "worker")
    seen: list[dict[str, str]] = []
    place.source.capture(stack.address, Watching(look=lambda: seen.append(place.states(stack))))
    assert set(seen[0].values()) == {"exited"}
    assert place.states(stack) == {"database": "running", "web": "running", "worker": "exited"}


def test_nothing_runs_from_the_first_part_of_a_stack_to_its_last(place: Volumes) -> None:
    """Other content is captured in the block, before and after the volumes."""
    stack, chest = place.make_stack(), Chest()
    place.stop(stack, "worker")
    with place.source.at_rest(stack.address) as capture:
        assert set(place.states(stack).values()) == {"exited"}
        facts = capture(chest)
        assert set(place.states(stack).values()) == {"exited"}
    assert place.states(stack) == {"database": "running", "web": "running", "worker": "exited"}
    assert [table.name for table in facts.tables] == ["data", "more"]
    with pytest.raises(Broken), place.source.at_rest(stack.address):
        raise Broken
    assert place.states(stack) == {"database": "running", "web": "running", "worker": "exited"}
    assert place.helpers() == []


def test_a_store_that_breaks_leaves_nothing_stopped(place: Volumes) -> None:
    stack = place.make_stack()
    with pytest.raises(Broken):
        place.source.capture(stack.address, Chest(room=600))
    assert set(place.states(stack).values()) == {"running"}
    assert place.helpers() == []


def test_a_restore_that_breaks_is_begun_anew(place: Volumes) -> None:
    stack, other = place.make_stack(), place.name_stack()
    chest = Chest()
    facts = place.source.capture(stack.address, chest)
    with pytest.raises(Broken):
        place.source.restore(other.address, Chest(parts=chest.parts, breaks_at=700))
    assert place.volumes(other) == []
    place.source.restore(other.address, chest)
    assert place.source.facts(other.address) == facts


def test_nothing_is_filled_that_is_in_use(place: Volumes) -> None:
    stack = place.make_stack()
    chest = Chest()
    before = place.source.capture(stack.address, chest)
    with pytest.raises(Conflict):
        place.source.restore(stack.address, chest)
    assert place.source.capture(stack.address, Chest()) == before


def test_what_was_cut_off_is_released(place: Volumes) -> None:
    class Killed(BaseException):
        pass

    def kill() -> None:
        raise Killed

    stack = place.make_stack()
    with pytest.raises(Killed):
        place.source.capture(stack.address, Watching(look=kill))
    assert set(place.states(stack).values()) == {"exited"}
    place.source.release(stack.address)
    assert set(place.states(stack).values()) == {"running"}
    assert place.helpers() == []
    place.source.release(stack.address)
