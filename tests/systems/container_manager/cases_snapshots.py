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


def test_what_was_written_comes_back(engine_under_test: Volumes) -> None:
    stack, other = engine_under_test.make_stack(), engine_under_test.name_stack()
    chest = Chest()
    facts = engine_under_test.source.capture(stack.address, chest)
    assert [table.name for table in facts.tables] == ["data", "more"]
    assert facts.tables[0].rows > 3
    assert facts.consistent
    assert [*chest.sizes()] == ["data.tar", "more.tar"]
    engine_under_test.source.restore(other.address, chest)
    assert engine_under_test.source.facts(other.address) == facts
    engine_under_test.start(other)
    assert set(engine_under_test.states(other).values()) == {"running"}
    assert engine_under_test.helpers() == []


def test_what_ran_runs_again_and_what_was_stopped_stays_so(engine_under_test: Volumes) -> None:
    stack = engine_under_test.make_stack()
    engine_under_test.stop(stack, "worker")
    seen: list[dict[str, str]] = []
    engine_under_test.source.capture(
        stack.address, Watching(look=lambda: seen.append(engine_under_test.states(stack)))
    )
    assert set(seen[0].values()) == {"exited"}
    assert engine_under_test.states(stack) == {
        "database": "running",
        "web": "running",
        "worker": "exited",
    }


def test_nothing_runs_from_the_first_part_of_a_stack_to_its_last(
    engine_under_test: Volumes,
) -> None:
    """Other content is captured in the block, before and after the volumes."""
    stack, chest = engine_under_test.make_stack(), Chest()
    engine_under_test.stop(stack, "worker")
    with engine_under_test.source.at_rest(stack.address) as capture:
        assert set(engine_under_test.states(stack).values()) == {"exited"}
        facts = capture(chest)
        assert set(engine_under_test.states(stack).values()) == {"exited"}
    assert engine_under_test.states(stack) == {
        "database": "running",
        "web": "running",
        "worker": "exited",
    }
    assert [table.name for table in facts.tables] == ["data", "more"]
    with pytest.raises(Broken), engine_under_test.source.at_rest(stack.address):
        raise Broken
    assert engine_under_test.states(stack) == {
        "database": "running",
        "web": "running",
        "worker": "exited",
    }
    assert engine_under_test.helpers() == []


def test_a_store_that_breaks_leaves_nothing_stopped(engine_under_test: Volumes) -> None:
    stack = engine_under_test.make_stack()
    with pytest.raises(Broken):
        engine_under_test.source.capture(stack.address, Chest(room=600))
    assert set(engine_under_test.states(stack).values()) == {"running"}
    assert engine_under_test.helpers() == []


def test_a_restore_that_breaks_is_begun_anew(engine_under_test: Volumes) -> None:
    stack, other = engine_under_test.make_stack(), engine_under_test.name_stack()
    chest = Chest()
    facts = engine_under_test.source.capture(stack.address, chest)
    with pytest.raises(Broken):
        engine_under_test.source.restore(other.address, Chest(parts=chest.parts, breaks_at=700))
    assert engine_under_test.volumes(other) == []
    engine_under_test.source.restore(other.address, chest)
    assert engine_under_test.source.facts(other.address) == facts


def test_nothing_is_filled_that_is_in_use(engine_under_test: Volumes) -> None:
    stack = engine_under_test.make_stack()
    chest = Chest()
    before = engine_under_test.source.capture(stack.address, chest)
    with pytest.raises(Conflict):
        engine_under_test.source.restore(stack.address, chest)
    assert engine_under_test.source.capture(stack.address, Chest()) == before


def test_what_was_cut_off_is_released(engine_under_test: Volumes) -> None:
    class Killed(BaseException):
        pass

    def kill() -> None:
        raise Killed

    stack = engine_under_test.make_stack()
    with pytest.raises(Killed):
        engine_under_test.source.capture(stack.address, Watching(look=kill))
    assert set(engine_under_test.states(stack).values()) == {"exited"}
    engine_under_test.source.release(stack.address)
    assert set(engine_under_test.states(stack).values()) == {"running"}
    assert engine_under_test.helpers() == []
    engine_under_test.source.release(stack.address)
