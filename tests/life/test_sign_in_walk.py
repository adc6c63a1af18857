"""A check follows a sign-in as far as it comes without a password; on real parts in
tests/real/nextcloud_walked.py.
"""

import pytest

from tests.life import walks
from tests.life.person import Workspace

pytestmark = pytest.mark.thorough


def test_a_walk_comes_as_far_as_the_password(stand_ins: Workspace) -> None:
    walks.check_walks_come_as_far_as_the_password(stand_ins)


@pytest.mark.parametrize("stop", walks.STOPS, ids=lambda stop: f"{stop.system} {stop.says[:20]}")
def test_what_stops_a_sign_in_is_said_in_the_providers_words(
    stand_ins: Workspace, stop: walks.Stop
) -> None:
    walks.check_a_stop_is_said(stand_ins, stop)


def test_what_the_table_says_of_our_client_is_said_once(stand_ins: Workspace) -> None:
    walks.check_what_the_table_says_of_our_client_is_said_once(stand_ins)
