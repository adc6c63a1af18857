"""Faults that stand-ins are told to have."""

from typing import Any

import pytest

from workspace_manager.contract.stand_in import Faults


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"fault": "nothing"},
        {"fault": "status", "path": "("},
        {"fault": "status", "colour": "red"},
        {"fault": "status", "times": "often"},
        {"fault": "status", "status": "no number"},
        {"fault": "delay", "seconds": None},
    ],
)
def test_what_is_no_fault_is_refused_when_it_is_given(document: dict[str, Any]) -> None:
    faults = Faults()
    with pytest.raises(ValueError, match="fault"):
        faults.add(document)
    assert faults.take(method="GET", path="/") is None


def test_a_number_may_be_written_as_text() -> None:
    faults = Faults()
    faults.add({"fault": "status", "status": "429", "times": "2"})
    taken = [faults.take(method="GET", path="/") for _ in range(3)]
    assert [fault and fault.status for fault in taken] == [429, 429, None]
