"""Leaving a workspace whose drive is real: everything that opened anything there, tried afterwards;
and a drive that is not well meanwhile.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.life.browser import Browser
from tests.life.holdings import Holder
from tests.life.person import PASSWORD, Life, Workspace
from tests.life.systems import identity_provider
from tests.life.test_drive import attributes, come_in, opens
from tests.real.nextcloud_workspace import (
    account,
    connected,
    ocs,
    recover,
    state_of,
)
from tests.sample import some_of
from workspace_sandbox.patience import eventually
from workspace_sandbox.real.nextcloud import Inside

PASSWORD_ATTRIBUTE = "filesvc_app_password"
STEP = "remove_drive_account"
SHARES = "/apps/files_sharing/api/v1/shares"
OTHERS = {1, 2, 5, 6}
"""Steps that need no drive."""
IN_FLIGHT = 2
"""Calls with one credential that may be under way at once: of a plan, and of a look."""
"""For a whole plan. Two calls of half a minute that came to nothing may be among its steps."""
TO_A_USER, PUBLIC = "0", "3"


@dataclass
class Belongings:
    """What somebody has at the drive, and how each is tried."""

    life: Life
    receiver: Life
    inside: Inside
    app_password: str
    link: str
    browser: Browser
    holder: Holder

    @property
    def url(self) -> str:
        return str(self.life.workspace.system("drive")["url"])

    def works(self) -> dict[str, bool]:
        """What of it opens something now. A look at a link that is gone counts as a failed try."""
        files = f"{self.url}/remote.php/dav/files"
        shared = httpx.get(
            f"{files}/{self.receiver.sub}/notes.txt", trust_env=False,
            auth=(self.receiver.sub, attributes(self.receiver)[PASSWORD_ATTRIBUTE]),
        )  # fmt: skip
        page = self.browser.http.get(f"{self.url}/apps/dashboard/", follow_redirects=False)
        public = httpx.get(f"{self.link}/download", trust_env=False)
        workspace = self.life.workspace
        found = {
            "account": account(workspace, self.life.sub) is not None,
            "app password": opens(workspace, self.life.sub, self.app_password) == self.life.sub,
            "file shared with somebody": shared.status_code == 200,
            "public link": public.status_code == 200,
            "web session": page.status_code == 200,
            "home": (self.inside.home / "data" / self.life.sub).exists(),
            "tokens": bool(self.inside.tokens(self.life.sub)),
        }
        self.inside.forget_attempts()
        return found


def belongings(life: Life, receiver: Life, inside: Inside) -> Belongings:
    """Make a file, share it with somebody and with everybody, sign in at the drive."""
    workspace = life.workspace
    url, password = workspace.system("drive")["url"], attributes(life)[PASSWORD_ATTRIBUTE]
    who = (life.sub, password)
    file = f"{url}/remote.php/dav/files/{life.sub}/notes.txt"
    put = httpx.put(file, content=b"finds", auth=who, trust_env=False)
    assert put.status_code == 201, put.text
    form = {"path": "/notes.txt", "shareType": TO_A_USER, "shareWith": receiver.sub}
    assert ocs(workspace, "POST", SHARES, form=form, who=who).status_code == 200
    public = ocs(workspace, "POST", SHARES, form={**form, "shareType": PUBLIC}, who=who)
    browser = Browser()
    browser.sign_in(f"{url}/login", life.username, PASSWORD)
    link = str(public.json()["ocs"]["data"]["url"])
    return Belongings(life, receiver, inside, password, link, browser, Holder(life))


def step(life: Life, plan_id: str) -> dict[str, Any]:
    return next(s for s in life.plan(plan_id)["steps"] if s["name"] == STEP)


def find_done_steps(life: Life, plan_id: str) -> set[int]:
    """The steps that are done."""
    steps = life.plan(plan_id)["steps"]
    return {step["n"] for step in steps if step["state"] in {"done", "already_gone"}}


def wait_for_end(life: Life, plan_id: str) -> None:
    """The plan ends; what it says while it does not, when it does not."""
    try:
        eventually("the plan is done", lambda: state_of(life, plan_id) == "done")
    except AssertionError as late:
        late.add_note(repr(life.plan(plan_id)))
        late.add_note(repr(life.workspace.api.get("/systems/drive/health").json()))
        raise


def removed(life: Life, plan_id: str) -> None:
    wait_for_end(life, plan_id)
    found = step(life, plan_id)
    assert (found["state"], bool(found["evidence"])) == ("done", True), found
    assert identity_provider(life.workspace, f"/users/{life.sub}").status_code == 404


def test_after_a_removal_nothing_at_the_drive_works_any_more(
    workspace: Workspace, newcomer: Life, inside: Inside
) -> None:
    receiver = come_in(workspace)
    connected(receiver)
    theirs = belongings(newcomer, receiver, inside)
    before = theirs.works()
    assert all(before.values()), before
    assert theirs.holder.bearer_opens_the_drive()
    assert ocs(workspace, "DELETE", f"/cloud/users/{receiver.sub}x").status_code == 404

    draft = newcomer.draft_removal()
    eventually(
        "the preview tells what others lose at the drive",
        lambda: "1 share with 1 person, 1 link" in str(newcomer.plan(draft["id"])["remarks"]),
    )
    removed(newcomer, newcomer.confirm(draft))
    after = theirs.works()
    assert not any(after.values()), after
    kept = [str(path) for path in Path(inside.home / "data").rglob("notes.txt")]
    assert kept == []
    assert connected(receiver), "somebody else goes on"
    # The one exception: the access token, until it expires; the late look removes what it makes.
    assert theirs.holder.bearer_opens_the_drive()
    found = account(workspace, newcomer.sub)
    assert found
    assert httpx.get(f"{theirs.link}/download", trust_env=False).status_code == 404
    inside.forget_attempts()


# --- a drive that is not well ---------------------------------------------------------------------

WAITING = {"stopped", "in maintenance", "our address is blocked"}


@pytest.mark.parametrize(
    "illness",
    some_of(["another password", *sorted(WAITING)], {"another password", "our address is blocked"}),
)
def test_a_removal_outlives_a_drive_that_is_not_well(
    workspace: Workspace,
    newcomer: Life,
    inside: Inside,
    sicken: Callable[[str], None],
    illness: str,
) -> None:
    """What can be done is done at once, the rest waits, and it ends by itself when the drive is
    well; only a wrong password needs somebody to say that it is right again.
    """
    password = attributes(newcomer)[PASSWORD_ATTRIBUTE]
    sicken(illness)
    plan_id = newcomer.remove()
    settled = {"waiting", "stuck", "done", "already_gone"}
    # One look: a step that waits is tried again in between.
    found = eventually(
        "it was tried", lambda: (one := step(newcomer, plan_id))["state"] in settled and one
    )
    # Whoever comes first with a wrong password pauses the drive; whoever comes then waits.
    wanted = {"waiting"} if illness in WAITING else {"waiting", "stuck"}
    assert found["state"] in wanted, found
    assert found["reason"], found
    eventually("the others are done", lambda: find_done_steps(newcomer, plan_id) >= OTHERS)
    if illness == "our address is blocked":
        eventually("cut at once", lambda: opens(workspace, newcomer.sub, password) is None)
    if illness == "another password":
        # The plan's, and that of whoever looked how the drive stands at the same moment: neither
        # knew of the other's answer. Nobody asks once it is known, and ten would block us.
        assert 1 <= inside.attempts() <= IN_FLIGHT, inside.attempts()
    recover(workspace, inside)
    if illness == "another password":
        workspace.api.post("/systems/drive/resume")
    removed(newcomer, plan_id)
    assert account(workspace, newcomer.sub) is None
    assert inside.tokens(newcomer.sub) == []
    assert inside.attempts() == 0


def test_an_account_that_somebody_deleted_first_is_gone_already(
    workspace: Workspace, newcomer: Life
) -> None:
    assert ocs(workspace, "DELETE", f"/cloud/users/{newcomer.sub}").status_code == 200
    plan_id = newcomer.remove()
    wait_for_end(newcomer, plan_id)
    assert step(newcomer, plan_id)["state"] in {"done", "already_gone"}


def test_suspended_and_let_back_in(workspace: Workspace, newcomer: Life) -> None:
    """What was stored opens nothing meanwhile, and opens it again afterwards: nothing was
    replaced.
    """
    kept = attributes(newcomer)
    for order, whose in (("suspend", None), ("resume", newcomer.sub)):
        answer = workspace.api.post(f"/people/{newcomer.username}/{order}")
        assert answer.status_code == 202, answer.text
        wait_for_end(newcomer, str(answer.json()["id"]))
        found = account(workspace, newcomer.sub)
        assert found
        assert found["enabled"] is (whose is not None)
        assert opens(workspace, newcomer.sub, kept[PASSWORD_ATTRIBUTE]) == whose
    assert attributes(newcomer) == kept
