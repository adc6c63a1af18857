"""The life of a stack before a real browser, on real parts: made from the sample template, used by
its owner and a member, its keys renewed, its creation broken in the middle, deleted; and what every
system says of it from outside.

The demo is that of all tests on real parts (tests/real_demo.py), where a stack comes first: nothing
of others is removed meanwhile. What is a stand-in is said at the end of the run.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
import pymysql
import pytest
from playwright.sync_api import Browser, expect

from tests.browser import outside
from tests.browser.a_stack import (
    QUOTED,
    Visitor,
    delete,
    go_in,
    go_to,
    make,
    note,
    ready,
    renew,
    reveal,
)
from tests.browser.before_systems import Doors
from tests.figures import report
from tests.life.person import Workspace
from workspace_sandbox.patience import eventually

pytestmark = [pytest.mark.real, pytest.mark.browser]

LABEL, PROJECT = "Birds of the lake", "Ornithology"


@dataclass
class Scene:
    """A running workspace and the people before it."""

    workspace: Workspace
    chromium: Browser
    people: dict[str, Visitor] = field(default_factory=dict)

    def who(self, name: str) -> Visitor:
        """Somebody who is signed in."""
        if name not in self.people:
            self.people[name] = visitor = Visitor(self.workspace, self.chromium, name)
            visitor.sign_in()
        return self.people[name]


@pytest.fixture(scope="module")
def scene(real_parts_demo: Workspace, chromium: Browser) -> Scene:
    return Scene(real_parts_demo, chromium)


def is_connected(workspace: Workspace, who: Visitor) -> bool:
    """Return whether somebody's drive is connected for good: the visit after the sign-in revokes
    what it stored where a system is too busy to confirm it, and connects again.
    """
    event = {"action": "drive:connected", "person": who.name}
    ended = workspace.api.get("/audit", params=event).json()["items"]
    return bool(ended and who.api("GET", "/me/drive").json()["connected"])


@pytest.fixture(scope="module")
def shared(scene: Scene) -> str:
    """The project that grace shares with alan."""
    grace, alan = scene.who("grace"), scene.who("alan")
    eventually("her drive is connected", partial(is_connected, scene.workspace, grace))
    grace.open("/projects/new")
    grace.fill(Name=PROJECT)
    grace.submit("Create project")
    grace.page.wait_for_url("**/projects/*-*-*-*-*")
    project = grace.page.url.rpartition("/")[2]
    grace.page.get_by_label("Invite somebody by user name").fill("alan")
    grace.press("Invite")
    expect(grace.page.get_by_role("heading", name="Invited")).to_be_visible()
    alan.open("/projects")
    alan.press("Accept", within=alan.page.locator("li.line", has_text=PROJECT))
    alan.page.wait_for_url(f"**/projects/{project}")
    return project


@pytest.fixture(scope="module")
def initial_state(scene: Scene, shared: str) -> outside.Everything:
    return outside.everything(scene.workspace)


@pytest.fixture(scope="module")
def stack(scene: Scene, shared: str, initial_state: outside.Everything) -> str:
    """Hers, made by its page and healthy."""
    grace = scene.who("grace")
    made = make(grace, LABEL, project=shared)
    ready(grace)
    return made


def test_its_owner_makes_it_and_signs_in_to_it(
    scene: Scene, stack: str, initial_state: outside.Everything, request: pytest.FixtureRequest
) -> None:
    grace, workspace = scene.who("grace"), scene.workspace
    there = [name for name in workspace.told["systems"] if _is_real(workspace, name)]
    report(request.node, f"a stack before Chromium; real: {', '.join(there)}; the rest: stand-ins")
    page = go_in(grace, stack)
    expect(page.get_by_text("Signed in as grace (administrator).")).to_be_visible()
    assert page.locator("#greeting").inner_text() == QUOTED
    note(page, "a heron at dawn")

    came = outside.more_than(initial_state, outside.everything(workspace))
    own_network = {"networks"}  # on loopback it shares the host's: see the sample template
    assert came.keys() | own_network == initial_state.keys(), came
    (database,), (repository,) = came["databases"], came["repositories"]
    kept = outside.rows(workspace, f"SELECT said FROM `{database}`.workspace_notes")
    assert kept == [("a heron at dawn",)]
    triples = outside.store(
        workspace,
        f"/repositories/{repository}/statements",
        headers={"Accept": "application/n-triples"},
    )
    assert triples.text.count("a heron at dawn") == 1


def _is_real(workspace: Workspace, name: str) -> bool:
    return bool(workspace.system(name).get("part") == "real")


def test_a_member_uses_it_and_cannot_delete_it(scene: Scene, stack: str) -> None:
    alan = scene.who("alan")
    page = alan.open("/stacks")
    page.get_by_role("link", name=LABEL).click()
    expect(page.locator("#stack-state")).to_contain_text("ready")
    assert page.get_by_role("button", name="Delete this stack").count() == 0
    page = go_in(alan, stack)
    expect(page.get_by_text("Signed in as alan (user).")).to_be_visible()
    note(page, "a grebe, said the member")

    page = alan.open(stack)
    with page.expect_navigation() as answered:
        page.evaluate(
            """path => {
                const form = document.createElement("form");
                form.method = "post";
                form.action = path + "/delete";
                const token = document.querySelector("[name=csrfmiddlewaretoken]").cloneNode();
                const typed = document.createElement("input");
                typed.name = "confirm";
                typed.value = "Birds of the lake";
                form.append(token, typed);
                document.body.append(form);
                form.submit();
            }""",
            stack,
        )
    assert answered.value.status == 403
    expect(page.get_by_text("Only the owner of a stack can delete it.")).to_be_visible()
    refused = alan.api("DELETE", stack)
    assert refused.status == 403, refused.text()
    for part in alan.api("GET", stack).json()["parts"]:
        assert alan.api("DELETE", f"/components/{part['id']}").status == 403
    assert alan.api("GET", stack).json()["state"] == "ready"


def test_a_stranger_is_shown_nothing_of_it(scene: Scene, stack: str) -> None:
    emmy = scene.who("emmy")
    address = scene.who("grace").api("GET", stack).json()["address"]
    assert emmy.api("GET", stack).status == 404
    emmy.page.goto(address)
    emmy.page.get_by_role("link", name="Sign in").click()
    expect(emmy.page.get_by_text("You are not among those who may use this stack.")).to_be_visible()


def test_a_renewed_key_opens_and_the_old_one_does_not(scene: Scene, stack: str) -> None:
    grace, workspace = scene.who("grace"), scene.workspace
    parts = grace.api("GET", stack).json()["parts"]
    repository = next(one["id"] for one in parts if one["kind"] == "triplestore_repository")
    name = grace.api("GET", f"/components/{repository}").json()["address"].rpartition("/")[2]

    account, old = reveal(grace, "SQL server")
    user, old_of_store = reveal(grace, "Triplestore")
    assert outside.opens_sql(workspace, account, old)
    assert outside.opens_store(workspace, name, user, old_of_store)
    with outside.session_of(workspace, account, old) as session:
        session.ping(reconnect=False)
        renew(grace, "SQL server")
        with pytest.raises(pymysql.err.Error):
            session.ping(reconnect=False)
    renew(grace, "Triplestore")
    assert not outside.opens_sql(workspace, account, old)
    assert not outside.opens_store(workspace, name, user, old_of_store)
    assert outside.opens_sql(workspace, *reveal(grace, "SQL server"))
    assert outside.opens_store(workspace, name, *reveal(grace, "Triplestore"))

    note(go_to(grace, stack), "the stack keeps its own keys")


def test_nothing_of_it_is_left(scene: Scene, stack: str, initial_state: outside.Everything) -> None:
    grace, workspace = scene.who("grace"), scene.workspace
    address = grace.api("GET", stack).json()["address"]
    delete(grace, stack, LABEL)
    assert not _left(scene, initial_state)
    assert not outside.more_than(outside.everything(workspace), initial_state), "of others"
    machines = [one for one in grace.items("/service-keys") if one["component"]]
    assert machines == []
    with pytest.raises(httpx.ConnectError):
        httpx.get(address, trust_env=False)


# --- broken in the middle -------------------------------------------------------------------------

SAMPLED: dict[str, dict[str, Any]] = {
    "identity_provider": {"fault": "status", "status": 403, "method": "POST", "path": "/clients$"},
    "container_manager": {"fault": "timeout_after_effect", "method": "POST", "path": "/stacks/"},
}
"""One call that is forbidden, so that a person has to act, and one that is done and nobody hears of
it. Each costs the wait for an earlier try to end.
"""


@pytest.mark.everything
def test_a_creation_broken_in_the_middle_is_finished(
    scene: Scene, shared: str, initial_state: outside.Everything
) -> None:
    grace, ada, workspace = scene.who("grace"), scene.who("ada"), scene.workspace
    with Doors(workspace) as doors:
        for system, fault in SAMPLED.items():
            doors.of[system].faults.add({"seconds": 1, **fault})
        stack = make(grace, "Broken and mended", project=shared)
        expect(grace.page.locator("#progress")).to_contain_text("stuck")
        ada.open(f"/manage/plans/{_newest_plan(workspace)['id']}")
        ada.press("Try again now", within=ada.page.locator("li.step.is-stuck"))
        ready(grace)
        assert not any(door.faults.waiting for door in doors.of.values()), "each was met"
        delete(grace, stack, "Broken and mended")
    assert not _left(scene, initial_state)


@pytest.mark.everything
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("fault", ["reset", "timeout_after_effect"])
def test_a_creation_broken_in_each_call_is_finished(
    scene: Scene, shared: str, initial_state: outside.Everything, fault: str, request: Any
) -> None:
    grace, workspace = scene.who("grace"), scene.workspace
    with Doors(workspace) as doors:
        n = 0
        while True:
            n += 1
            nth = doors.break_(n, fault)
            stack = make(grace, f"Broken {n}", project=shared)
            eventually(f"made, call {n} broken", lambda: _made(scene, stack))  # noqa: B023
            doors.break_(0, fault)
            delete(grace, stack, f"Broken {n}")
            assert not _left(scene, initial_state), nth.call
            if nth.seen < n:
                break
    report(request.node, f"a creation on real parts broken by {fault}: in each of {n - 1} calls")


def _newest_plan(workspace: Workspace) -> Any:
    """The plan of the creation under way."""
    return workspace.api.get("/plans?kind=stack.create&limit=1").json()["items"][0]


def _made(scene: Scene, stack: str) -> bool:
    """Whether it is ready; an administrator has what is stuck tried again."""
    plan = _newest_plan(scene.workspace)
    for step in plan["steps"]:
        if step["state"] == "stuck":
            scene.workspace.api.post(f"/systems/{step['system']}/resume")
            scene.workspace.api.post(f"/plans/{plan['id']}/steps/{step['n']}/retry")
    return bool(scene.who("grace").api("GET", stack).json()["state"] == "ready")


def _left(scene: Scene, before: outside.Everything) -> outside.Everything:
    """What came since, but for the accounts of people, of which each has one in a system."""
    people = [scene.who("grace"), scene.who("alan")]
    personal = {one["account"] for who in people for one in who.items("/service-keys")}
    came = outside.more_than(before, outside.everything(scene.workspace))
    return {kind: names - personal for kind, names in came.items() if names - personal}
