"""The guard of the tree's shape finds what it is there to find."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "src/workspace_manager"
GUARD = runpy.run_path(str(ROOT / "tools" / "check_tree.py"))


def check(tree: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "check_tree.py"), str(tree)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of the right shape and without content."""
    systems = "identity_provider drive sql_server triplestore ontology_editor notebook_hub"
    for system in f"{systems} container_manager".split():
        for part in ["settings.py", "names.py", "client/", "connector/", "checks.py"]:
            file = part if part.endswith(".py") else f"{part}__init__.py"
            write(tmp_path, f"systems/{system}/{file}", '"""Parts of a system."""\n')
    for rule, path in GUARD["EXEMPT"]:
        text = {"long file": "pass\n" * 401, "no name": "class Refused: ...\n"}[rule]
        exempt = tmp_path / path
        exempt.parent.mkdir(parents=True, exist_ok=True)
        exempt.write_text('"""Exempt."""\n' + text)
    return tmp_path


def write(tree: Path, name: str, text: str) -> None:
    path = tree / PACKAGE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_tree_of_the_right_shape_passes(tree: Path) -> None:
    answer = check(tree)
    assert (answer.returncode, answer.stdout) == (0, "tree ok\n")


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("systems/printer/__init__.py", "", "systems/printer: has no settings.py"),
        ("systems/drive/extras.py", "", "extras is not a part that systems have"),
        ("systems/printer/__init__.py", "", "systems/printer: has no client/"),
        ("systems/drive/names/__init__.py", "", "names should be a file"),
        ("systems/drive/checks/__init__.py", "", "checks should be a file"),
        ("systems/drive/client_token.py", "", "client_token.py should be in client/"),
        ("systems/drive/connector.py", "", "connector.py should be in connector/"),
        ("removal/step1_stop.py", "", "the steps are step1_stop"),
        ("web/date_utils.py", "", "the name does not say what it is"),
        ("people/shown.py", '"""A."""\n', "shown.py:1: shown names nothing"),
        ("people/roles.py", '"""A."""\ndef of(): ...\n', "roles.py:2: of names nothing"),
        ("../../tests/work/a.py", '"""A."""\ndef told(): ...\n', "a.py:2: told names nothing"),
        (
            "../../sandbox/tests/conftest.py",
            '"""A."""\n@pytest.fixture\ndef kept(): ...\n',
            "conftest.py:3: kept names nothing: a fixture is named as the thing it gives",
        ),
        ("core/roles.py", '"""What they are."""\n', "roles.py:1: 'What' begins a docstring"),
        ("wiring.py", '"""So many."""\n', "wiring.py:1: 'So' begins a docstring"),
        ("../../sandbox/src/a.py", '"""What it is."""\n', "a.py:1: 'What' begins a docstring"),
        ("../../tests/test_a.py", '"""What is."""\n', "test_a.py:1: 'What' begins a docstring"),
        (
            "core/roles.py",
            '"""A."""\ndef role():\n    """The same of one."""\n',
            "roles.py:3: 'The same' begins a docstring",
        ),
        (
            "core/roles.py",
            '"""A."""\ndef _role():\n    """A.\n\n    B.\n    C.\n    """\n',
            "_role is private and has 4 lines of docstring",
        ),
        ("people/roles.py", '"""A."""\nclass Kept: ...\n', "roles.py:2: Kept names nothing"),
        ("wiring.py", '"""A."""\n' + "\n" * 301, "302 lines"),
        ("wiring.py", '"""A."""\ndef f():\n' + "    pass\n" * 46, "f is 47 lines"),
        ("wiring.py", '"""A."""\nsecret.reveal()\n', "reveal() outside"),
        (
            "systems/drive/names.py",
            '"""A."""\nfrom workspace_manager.systems.drive.client.token import x\n',
            "seen by its own connector, checks, inventory and snapshots only",
        ),
        (
            "people/a.py",
            '"""A."""\nfrom workspace_manager.systems.drive import client\n',
            "seen by its own connector, checks, inventory and snapshots only",
        ),
        ("systems/drive/connector/client.py", '"""A."""\nsecret.reveal()\n', "reveal() outside"),
    ],
)
def test_what_breaks_the_shape_is_named(tree: Path, name: str, text: str, complaint: str) -> None:
    write(tree, name, text)
    answer = check(tree)
    assert answer.returncode == 1
    assert complaint in answer.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("systems/drive/client/__init__.py", '"""A."""\nsecret.reveal()\n'),
        ("systems/drive/client/token.py", '"""A."""\nsecret.reveal()\n'),
        (
            "systems/drive/checks_pages.py",
            '"""A."""\nfrom workspace_manager.systems.drive.client import Drive\n',
        ),
        ("../../tests/test_a.py", 'def test_a():\n    """Whoever asks is told."""\n'),
        ("../../sandbox/tests/test_a.py", '"""A."""\nTEXT = """\ndef told(): ...\n"""\n'),
    ],
)
def test_what_has_its_place_there_passes(tree: Path, name: str, text: str) -> None:
    write(tree, name, text)
    assert check(tree).returncode == 0


def test_an_exemption_nobody_needs_is_named(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    guard = runpy.run_path(str(ROOT / "tools" / "check_tree.py"))
    guard["EXEMPT"]["long file", f"{PACKAGE}/wiring.py"] = "it is short"
    assert guard["main"](tree) == 1
    assert "does not need it" in capsys.readouterr().out


def test_private_names_and_names_inside_are_left_alone(tree: Path) -> None:
    write(tree, "people/roles.py", '"""A."""\ndef _of(): ...\nclass Role:\n    def of(self): ...\n')
    write(tree, "wiring.py", '"""A."""\ndef make_role(): ...\n')
    write(
        tree,
        "core/roles.py",
        '"""Whatsoever."""\ndef role():\n    """A.\n\n    B.\n    C.\n    """\n',
    )
    answer = check(tree)
    assert (answer.returncode, answer.stdout) == (0, "tree ok\n")


@pytest.mark.parametrize("name", ["web/roles.py", "records/roles.py", "systems/drive/names.py"])
def test_every_room_is_held_to_names(tree: Path, name: str) -> None:
    write(tree, name, '"""A."""\ndef of(): ...\n')
    assert "of names nothing" in check(tree).stdout


def test_few_are_excused_from_names_that_name_something() -> None:
    assert len([rule for rule, _ in GUARD["EXEMPT"] if rule == "no name"]) <= 10
