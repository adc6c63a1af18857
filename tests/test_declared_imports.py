"""Each import is asked for in `pyproject.toml`, and each requirement there is imported."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
MODULE_PATH = re.compile(r"^[a-z_]+(?:\.\w+)*$")
DISTRIBUTIONS = packages_distributions()
"""By module: what installs it. The manager and its sandbox are not in it, nor is a module that only
another product has, whose configuration a file is.
"""
NEVER_IMPORTED = {"workspace-manager", "check-jsonschema"}
"""What the sandbox asks for by its version, whose modules are in the checkout; and a distribution
whose files alone are read.
"""


def imported(folder: Path) -> dict[str, set[str]]:
    """The distributions that the code of a folder imports, each with the files that do."""
    found: dict[str, set[str]] = {}
    for file in folder.rglob("*.py"):
        for module in modules_of(file):
            top = module.partition(".")[0]
            if top not in sys.stdlib_module_names:
                for name in DISTRIBUTIONS.get(top, ()):
                    found.setdefault(canonicalize_name(name), set()).add(file.name)
    return found


def modules_of(file: Path) -> Iterator[str]:
    """What a file imports. Django imports what its settings name, too."""
    names_modules = file.name == "settings.py"
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif names_modules and isinstance(node, ast.Constant):
            yield from MODULE_PATH.findall(str(node.value))


def declared(project: dict[str, Any]) -> tuple[set[str], set[str]]:
    """What a project asks for, and what comes with the extras that it names: `environs[django]` is
    asked for because of what it brings. What the checks need (`dev`) is not the package's.
    """
    asked = list(project["dependencies"])
    for extra, more in project.get("optional-dependencies", {}).items():
        asked += [] if extra == "dev" else more
    found = [Requirement(one) for one in asked]
    brought = {name for one in found for extra in one.extras for name in brings(one.name, extra)}
    return {canonicalize_name(one.name) for one in found}, brought


def brings(distribution: str, extra: str) -> Iterator[str]:
    """What an extra of a distribution adds to it."""
    for other in map(Requirement, requires(distribution) or ()):
        marker = other.marker
        if marker and marker.evaluate({"extra": extra}) > marker.evaluate({"extra": ""}):
            yield canonicalize_name(other.name)


@pytest.mark.parametrize("place", ["", "sandbox"], ids=["manager", "sandbox"])
def test_pyproject_says_what_is_imported(place: str) -> None:
    project = tomllib.loads((ROOT / place / "pyproject.toml").read_text())["project"]
    named, brought = declared(project)
    used = imported(ROOT / place / "src")
    assert {name: files for name, files in used.items() if name not in named | brought} == {}
    assert named - used.keys() - NEVER_IMPORTED == set()
