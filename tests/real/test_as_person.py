"""A check as a person on a real Keycloak and a real Nextcloud: it complains of nothing while all is
well, leaves nothing, and finds what somebody spoiled.
"""

import pprint
from functools import partial

import pytest

from tests.life.as_person import checked_and_gone, wrong
from tests.life.person import Workspace
from tests.life.spoiled_realm import missed
from tests.real.nextcloud_workspace import ocs
from workspace_sandbox.real import nextcloud

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("a drive's demo")]


def accounts(place: Workspace) -> set[str]:
    answer = ocs(place, "GET", "/cloud/users")
    return set(answer.json()["ocs"]["data"]["users"])


def test_nothing_is_wrong_then_each_spoiled_token_is_found(
    workspace: Workspace, inside: nextcloud.Inside
) -> None:
    inside.forget_attempts()  # of tests that share the drive
    before = accounts(workspace)
    fresh = checked_and_gone(workspace)
    assert wrong(fresh) == []
    assert {"drive", "identity_provider"} <= {one["system"] for one in fresh}
    left = missed(workspace, partial(checked_and_gone, workspace), real=True)
    assert not left, pprint.pformat(left, width=200)
    inside.provider("--mapping-uid=preferred_username")
    found = checked_and_gone(workspace)
    inside.provider("--mapping-uid=sub")
    (token,) = [one for one in wrong(found) if one["name"] == "as a person: token"]
    assert "opens the account workspace-check" in token["text"]
    assert wrong(checked_and_gone(workspace)) == []
    assert accounts(workspace) == before
    assert inside.attempts() == 0
