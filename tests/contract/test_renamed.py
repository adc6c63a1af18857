"""Systems of other distributions import names of the contract: a renamed one goes on and warns."""

import importlib
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from workspace_manager.contract import bulkhead, earlier_names, inventory, slots, system

EARLIER = [
    *(("system", "Wish", "DesiredState"), ("system", "Seen", "ObservedState")),
    *(("inventory", "Listed", "InventoryEntry"), ("connector", "Frozen", "FrozenModel")),
    *(("message", "quoted", "quote_words"), ("messages", "joined", "join_messages")),
    *(("secret", "Keep", "KeepStored"), ("person_trial", "Tried", "TrialResult")),
    *(("members", "Needed", "RequiredMember"), ("members", "judged", "combine_members")),
    *(("member_description", "about", "describe"), ("slots", "at", "hold_slot")),
]

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
    """An earlier module warns for all of its names when it is imported."""
    if name in vars(module):
        return vars(module)[name]
    if isinstance(module.__loader__, earlier_names.EarlierModules):
        return getattr(module, name)
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


@pytest.mark.parametrize(("module", "name", "now"), EARLIER)
def test_an_earlier_name_is_what_it_was_and_warns(module: str, name: str, now: str) -> None:
    home = importlib.import_module(f"workspace_manager.contract.{module}")
    with pytest.warns(DeprecationWarning, match=f"is called {now} now"):
        assert getattr(home, name) is getattr(home, now)


def test_an_earlier_method_does_what_it_did_and_warns() -> None:
    places = bulkhead.Bulkhead(1)
    with pytest.warns(DeprecationWarning, match="turn is called slot now"):
        turn = places.turn(wait=False)  # type: ignore[attr-defined]
    with turn as mine, places.slot(wait=False) as second:
        assert (mine, second) == (True, False)


def test_a_name_that_never_was_is_none() -> None:
    assert not hasattr(system, "Wishes")
    assert not hasattr(inventory, "quoted")


@pytest.mark.parametrize(("earlier", "now"), earlier_names.MODULES.items())
def test_a_module_is_found_by_its_earlier_name(earlier: str, now: str) -> None:
    name = f"workspace_manager.contract.{earlier}"
    sys.modules.pop(name, None)
    with pytest.warns(DeprecationWarning, match=f"is called {now} now"):
        found = importlib.import_module(name)
    home = importlib.import_module(f"workspace_manager.contract.{now}")
    public = {one for one in vars(home) if not one.startswith("_")}
    assert public
    assert all(getattr(found, one) is getattr(home, one) for one in public)


def test_an_earlier_name_in_an_earlier_module() -> None:
    sys.modules.pop("workspace_manager.contract.places", None)
    with pytest.warns(DeprecationWarning, match="is called"):
        from workspace_manager.contract.places import at  # type: ignore[import-not-found]
    assert at is slots.hold_slot


def test_what_is_no_earlier_module_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("workspace_manager.contract.nowhere")
