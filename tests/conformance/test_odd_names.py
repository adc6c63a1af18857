"""Somebody of an odd name leaves: every system ends what it would have of that name, and none of
them refuses to look.
"""

from typing import Any

import pytest

from tests.conformance.parts import PLACES
from workspace_manager.contract.system import DesiredState, Holder
from workspace_manager.systems import registry
from workspace_sandbox.conformance.case import Place
from workspace_sandbox.conformance.plugin import Open, marks_of

EVERY = [one for one in PLACES if one.system in registry().specs]
ODD = (
    "a-rather-long-name.of-somebody@department.university.example.org",
    "日本人の名前は長いですが本当に長い名前なのですから困りますね",
    "😀" * 60,
    "a b",
    "o'brien\"`",
    "x:y%2Fz?#;",
    "a\\b",
    "-rf",
    "%",
    "root",
)
SUB = "4e25a3ff-b955-4a8f-9b4e-0d1d7a1c9f10"


@pytest.mark.parametrize(
    "place", [pytest.param(one, id=one.__qualname__, marks=marks_of(one)) for one in EVERY]
)
def test_what_bears_an_odd_name_comes_to_its_end(
    request: pytest.FixtureRequest, place: type[Place], open_place: Open
) -> None:
    real = request.getfixturevalue(f"real_{place.real.lower()}") if place.real else None
    found = open_place(place, real)
    for name in ODD:
        for wish in wishes(found, Holder(name, SUB)):
            system = found.connected()
            connector = system.connectors[wish.kind]
            change = connector.plan(wish.target, wish.after)
            system.prove_rights()
            done = connector.remove(change) if wish.after is None else connector.apply(change)
            assert done, name
            assert connector.verify(change), name
    found.settle()


def wishes(place: Any, holder: Holder) -> list[DesiredState]:
    """What a removal and a suspension wish for in that system."""
    spec = registry().specs[place.system]
    settings = spec.settings()
    shut = spec.shut(settings, holder) if spec.shut else ()
    return [*shut, *spec.accounts(settings, holder)]


def test_every_system_that_holds_accounts_was_asked() -> None:
    asked = {one.system for one in EVERY if not one.real}
    holding = {name for name, spec in registry().specs.items() if any(
        kind.holds_account for kind in spec.kinds
    )}  # fmt: skip
    assert holding <= asked
