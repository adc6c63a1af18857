"""A check as a person in the demo, and what somebody spoiled in the realm of a stand-in."""

import pprint
from functools import partial

import pytest

from tests.life.as_person import checked_and_gone, wrong
from tests.life.person import Workspace
from tests.life.spoiled_realm import missed

pytestmark = pytest.mark.thorough


def test_nothing_is_wrong_then_each_spoiled_token_is_found(stand_ins: Workspace) -> None:
    assert wrong(checked_and_gone(stand_ins)) == []
    left = missed(stand_ins, partial(checked_and_gone, stand_ins), real=False)
    assert not left, pprint.pformat(left, width=200)
    assert wrong(checked_and_gone(stand_ins)) == []
