"""The end of access, shown: somebody who is removed has held on to everything that ever opened a
door, and tries it all.

Nothing is taken any more, but for the bearer token at the drive during its own remaining seconds;
what that brings back the late look removes, and then it is good for nothing either.
"""

import contextlib
import time

import httpx
import pytest

from tests.life.holdings import HeldCredential, Holder
from tests.life.person import Life, Workspace
from tests.life.systems import running_containers
from tests.life.test_life import fresh
from workspace_sandbox.patience import eventually

STAND_INS_TOKENS_LIVE_S = (8, 60, 300)
"""Long enough to be tried after the removal, and if it was not, longer; the test waits for the
end.
"""


class Late(Exception):
    """The bearer token ended before the removal did: nothing is shown of what it still opens."""


def drive_account_is_there(life: Life) -> bool:
    drive = life.workspace.system("drive")
    answer = httpx.get(
        f"{drive['url']}/ocs/v2.php/cloud/users/{life.sub}?format=json",
        headers={"OCS-APIRequest": "true"},
        auth=(drive["admin_username"], drive["admin_password"]), trust_env=False,
    )  # fmt: skip
    assert answer.status_code in {200, 404}, answer.text
    return answer.status_code == 200


def still_good(held: list[HeldCredential]) -> list[str]:
    """The names of what opens something."""
    return [one.name for one in held if one.opens()]


def end_of_access(workspace: Workspace) -> None:
    life = fresh(workspace)
    life.sign_in()
    holder = Holder(life)
    held = holder.everything()
    reusable = [one for one in held if not one.once]
    assert still_good(reusable) == [one.name for one in reusable], (
        "each opens something to begin with"
    )
    assert holder.bearer_opens_the_drive()
    holder.tokens = holder.exchange(holder.code("openid"))

    plan_id = life.remove()
    eventually("removal done", lambda: life.plan(plan_id)["state"] == "done")
    assert not drive_account_is_there(life)
    opened, brought_back = holder.bearer_opens_the_drive(), drive_account_is_there(life)
    if time.time() >= holder.tokens.expires_at:
        raise Late
    assert (opened, brought_back) == (True, True), "brought back, empty"
    assert still_good(held) == []

    looked = ("clean", "removed")
    late = eventually(
        "late look", lambda: (p := life.plan(plan_id)["late_look"])["state"] in looked and p
    )
    assert late["state"] == "removed", late
    assert time.time() > holder.tokens.expires_at
    assert not holder.bearer_opens_the_drive()
    assert not drive_account_is_there(life)
    assert still_good([one for one in held if not one.once]) == []
    assert holder.container not in running_containers(workspace)
    told = {entry["credential"]: entry for entry in life.plan(plan_id)["end_of_access"]}
    assert told.pop("machine_key")["state"] == "nothing", "no program was given any"
    assert {entry["state"] for entry in told.values()} == {"ended"}, told
    assert all(entry["text"] and entry["at"] for entry in told.values()), told


@pytest.mark.thorough
def test_the_end_of_access_on_stand_ins(stand_ins: Workspace) -> None:
    """Takes its seconds: it waits for a token to expire."""
    for seconds in STAND_INS_TOKENS_LIVE_S:
        stand_ins.control("identity_provider", "/settings", {"access_token_seconds": seconds})
        with contextlib.suppress(Late):
            return end_of_access(stand_ins)
    pytest.fail("no token lives as long as a removal takes")


@pytest.mark.real
def test_the_end_of_access_on_real_parts(real_parts_demo: Workspace) -> None:
    end_of_access(real_parts_demo)
