"""A pytest plugin: what a run by markers cannot select is not read at all.

Of five hundred files, fifty have a test on real parts, and reading all of them takes each process
half of its collection. A file can only have a test of a marker that is written in it, or in what
lies beside it: the words say which marks are possible, and the expression after `-m` whether any of
them is wanted. A suite is still made by markers: a test that has one of which neither its file nor
its folder knows stops the collection in the everyday run, which reads every file.
"""

import functools
import itertools
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

RARE = ("real", "browser", "thorough")
"""Markers of few files."""
ANYWHERE = ("everything",)
"""Given by `one_in` and tests/sample.py too, which a file need not say by that word."""
BY_PLACE = re.compile(r"\bPLACES\b|\bmarks_of\b|^from \S+ import \*", re.MULTILINE)
"""What a file holds whose tests are marked by where they run."""
ROOT = Path(__file__).resolve().parents[1]


@functools.cache
def possible(file: Path) -> frozenset[str]:
    """Which of the rare markers a test of this file may have."""
    return frozenset(words(file.read_text())) | beside(file.parent)


@functools.cache
def beside(folder: Path) -> frozenset[str]:
    """What the modules of a folder, and the fixtures of those around it, may add."""
    if folder == ROOT or ROOT not in folder.parents:
        return frozenset()
    others = (one for one in folder.glob("*.py") if not one.name.startswith("test_"))
    around = folder.parent / "conftest.py"
    found = [one.read_text() for one in others]
    if around.exists() and folder.parent != ROOT:
        found.append(around.read_text())
    return frozenset(words("\n".join(found)))


def words(text: str) -> list[str]:
    """Of the rare markers, those that this may give."""
    every = BY_PLACE.search(text)
    return [one for one in RARE if every or re.search(rf"\bmark\.{one}\b", text)]


@functools.cache
def matches_expression(expression: str, marks: frozenset[str]) -> bool:
    """Whether a test with some of these marks, or with none, can be what is asked for."""
    named = set(re.findall(r"\w+", expression)) - {"and", "or", "not"}
    if not expression or not named <= {*RARE, *ANYWHERE}:
        return True
    asked = Expression.compile(expression)
    each = [*marks, *ANYWHERE]
    some = (set(one) for n in range(len(each) + 1) for one in itertools.combinations(each, n))
    return any(asked.evaluate(one) for one in map(Having, some))


@dataclass(frozen=True)
class Having:
    """A test with these markers, as an expression asks for it."""

    marks: set[str]

    def __call__(self, name: str, /, **kwargs: object) -> bool:
        return name in self.marks


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """True for a file in which nothing can be what `-m` asks for."""
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    return None if matches_expression(config.option.markexpr, possible(collection_path)) else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Nothing has a marker for which its file would be passed over."""
    hidden = {
        f"{item.location[0]} ({one})"
        for item in items
        for one in RARE
        if item.get_closest_marker(one) and one not in possible(item.path)
    }
    if hidden:
        text = "a test has a marker of which neither its file nor its folder knows: "
        raise pytest.UsageError(text + ", ".join(sorted(hidden)))
