"""The walk of a sign-in at a real Keycloak: of the manager and a real drive; the hub's pages are a
stand-in's here, and real in tests/real/test_jupyterhub.py.
"""

import contextlib

import pytest

from tests.life import walks
from tests.life.person import Workspace
from tests.life.test_drive import admin


def test_a_walk_comes_as_far_as_the_password(workspace: Workspace) -> None:
    walks.check_walks_come_as_far_as_the_password(workspace)


@pytest.mark.parametrize("stop", walks.STOPS, ids=lambda stop: f"{stop.system} {stop.says[:20]}")
def test_what_stops_a_sign_in_is_said_in_the_providers_words(
    workspace: Workspace, stop: walks.Stop
) -> None:
    walks.check_a_stop_is_said(workspace, stop)


def test_what_the_table_says_of_our_client_is_said_once(workspace: Workspace) -> None:
    walks.check_what_the_table_says_of_our_client_is_said_once(workspace)


def test_a_flow_that_asks_for_no_password_page_is_said(workspace: Workspace) -> None:
    """No table has it: the walk meets it."""
    with contextlib.closing(admin(workspace)) as http:
        kept = http.get("").json()["browserFlow"]
        try:
            assert http.put("", json={"browserFlow": "direct grant"}).status_code == 204
            said = [walks.run_check(workspace, one)[name] for one, name in walks.NAMES.items()]
        finally:
            assert http.put("", json={"browserFlow": kept}).status_code == 204
    assert {one["severity"] for one in said} == {"failing"}
    assert all("Missing parameter: username" in one["text"] for one in said), said
