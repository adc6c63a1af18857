"""Every value of `expires_in` becomes a time that a clock can count."""

import json
import math

import pytest

from workspace_manager.systems.identity_provider.shapes import LONGEST_S, lifetime


@pytest.mark.parametrize("said", ["60", "0.5", str(LONGEST_S)])
def test_a_time_is_taken_as_it_is(said: str) -> None:
    assert lifetime(json.loads(said)) == float(said)


@pytest.mark.parametrize(
    "said",
    [
        *("0", "-1", "-1e300", "1e300", "1e400", "1" + "0" * 30, "1" + "0" * 400, "Infinity"),
        *("-Infinity", "NaN", "true", "null", '"60"', "[60]", str(LONGEST_S + 1)),
    ],
)
def test_anything_else_is_none(said: str) -> None:
    found = lifetime(json.loads(said))
    assert found == 0
    assert math.isfinite(found)
