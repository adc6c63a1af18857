"""CONTRIBUTING tells one folder for each subject, and the folders are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "src" / "workspace_manager"


def rows() -> list[tuple[str, str]]:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    table = text.partition("### Where is …?")[2].partition("### ")[0]
    return re.findall(r"^\| ([^|]+) \| `(\w+)/` \|$", table, re.MULTILINE)


def test_twenty_subjects_have_a_folder_each() -> None:
    folders = [folder for _, folder in rows()]
    assert len(folders) >= 20
    assert len(folders) == len(set(folders)), "a folder is one row"
    assert [one for one in folders if not (HOUSE / one / "__init__.py").is_file()] == []


def test_every_room_is_in_the_table_and_in_the_tree_of_the_readme() -> None:
    rooms = {path.parent.name for path in HOUSE.glob("*/__init__.py")}
    assert rooms == {folder for _, folder in rows()}
    tree = (ROOT / "README.md").read_text().partition("## The house")[2]
    assert [room for room in sorted(rooms) if f"{room}/" not in tree] == []
