"""The page of the house shows today's imports; an arrow up and a circle are found."""

import dataclasses
import re
from pathlib import Path

import pytest

from tools import house
from tools.house import House

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def ours() -> House:
    return house.read(ROOT)


def test_the_page_shows_todays_imports(ours: House) -> None:
    """`make house` draws it anew."""
    (drawn,) = house.BLOCK.findall((ROOT / house.PAGE).read_text())
    assert drawn == house.drawing(ours)


def test_no_arrow_leads_up_and_none_in_a_circle(ours: House) -> None:
    assert ours.arrows_up() == []
    assert ours.circles() == []


def test_what_has_no_layer_imports_nothing(ours: House) -> None:
    loose = ours.imports.keys() - {room for layer in ours.layers for room in layer}
    assert {room: ours.imports[room] for room in loose if ours.imports[room]} == {}
    assert not loose & ours.folders


def test_contributing_tells_the_same_order(ours: House) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    (chain,) = re.findall(r"^```\n(cli [^`]*)```", text, re.MULTILINE)
    told = tuple(tuple(re.findall(r"\w+", layer)) for layer in chain.split("->"))
    assert ours.folders <= {room for layer in told for room in layer}
    assert dataclasses.replace(ours, layers=told).arrows_up() == []


def test_an_arrow_up_and_a_circle_are_found(tmp_path: Path) -> None:
    """Also where the import stands inside a function, or gives a name of the room itself."""
    (tmp_path / ".importlinter").write_text(
        "[importlinter:contract:one-way]\nlayers =\n    workspace_manager.doors\n"
        "    # What follows stands side by side.\n"
        "    (workspace_manager.stories) | workspace_manager.tales\n    workspace_manager.tables\n"
    )
    for name, text in {
        "doors/page.py": "from workspace_manager.stories.tell import tell\n",
        "stories/tell.py": "from workspace_manager import tables, tales\n",
        "tales/__init__.py": "import workspace_manager.tables.rows\n",
        "tables/rows.py": "def rows():\n    from workspace_manager.doors import page\n",
    }.items():
        path = tmp_path / "src/workspace_manager" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    found = house.read(tmp_path)
    assert found.arrows_up() == [("stories", "tales"), ("tables", "doors")]
    assert found.circles() == ["doors", "stories", "tables", "tales"]
    assert house.main([str(tmp_path)]) == 1


def test_an_arrow_that_follows_from_others_is_not_drawn(ours: House) -> None:
    needed = set(ours.needed_arrows())
    every = {(room, other) for room, others in ours.imports.items() for other in others}
    assert needed < every
    reduced = dataclasses.replace(
        ours,
        imports={room: frozenset(b for a, b in needed if a == room) for room in ours.imports},
    )
    assert {room: reduced.reached(room) for room in ours.imports} == {
        room: ours.reached(room) for room in ours.imports
    }
