"""Systems of other distributions import names of the contract: a renamed one goes on and warns."""

import importlib
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from workspace_manager.contract import system

PUBLIC = Path(__file__).with_name("public_names.txt").read_text().split()
"""What `tools/public_names.py` listed before the third edition renamed things. A release that drops
earlier names makes the list anew.
"""


def missing(names: Iterable[str]) -> list[str]:
    """Those of `names` that a module or its class does not have any more, by whatever name."""
    return [name for name in names if not _is_there(*name.split(":"))]


def _is_there(module: str, path: str) -> bool:
    name, *member = path.split(".")
    try:
        found = _get(importlib.import_module(module), name)
    except (ModuleNotFoundError, AttributeError):
        return False
    return all(_has(found, one) for one in member)


def _get(module: ModuleType, name: str) -> Any:
    if name in vars(module):
        return vars(module)[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = getattr(module, name)
    assert [one.category for one in caught] == [DeprecationWarning], f"{name} is no earlier name"
    return found


def _has(found: Any, member: str) -> bool:
    """A field without a default is declared only."""
    declared = {name for one in found.__mro__ for name in vars(one).get("__annotations__", ())}
    return hasattr(found, member) or member in declared


def test_what_other_distributions_import_is_there() -> None:
    assert len(PUBLIC) > 600
    gone = missing(PUBLIC)
    assert not gone, "\n".join(gone)


def test_a_name_that_went_is_told() -> None:
    gone = [
        "workspace_manager.contract.nowhere:Nothing",
        "workspace_manager.contract.system:Nothing",
        "workspace_manager.contract.system:Holder.nothing",
    ]
    assert missing([*gone, "workspace_manager.contract.system:Wish.after"]) == gone


@pytest.mark.parametrize(("name", "now"), system.RENAMED.items())
def test_an_earlier_name_is_what_it_was_and_warns(name: str, now: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"is called {now} now"):
        assert getattr(system, name) is getattr(system, now)


def test_a_name_that_never_was_is_none() -> None:
    assert not hasattr(system, "Wishes")
