"""Attacks in the middle of a call: a right that is lost while what it allowed is under way."""

import uuid
from concurrent.futures import ThreadPoolExecutor

from tests.attack.scene import Scene
from tests.life.person import Life
from tests.life.systems import identity_provider
from workspace_sandbox.patience import eventually

HELD_S = 4
"""How long the identity provider takes to make a user: a right is taken meanwhile."""


def whoever_lost_the_right_meanwhile_approves_nobody(scene: Scene) -> None:
    """The permission is taken while the user is being made: the registration waits, the user
    goes, and whoever may decide approves it afterwards.
    """
    decider = scene.somebody()
    _may_decide(scene, decider, True)
    comes = Life(scene.workspace, f"n{uuid.uuid4().hex[:8]}")
    comes.register()
    waiting = decider.call("GET", f"/registrations?status=pending&q={comes.username}").json()
    where = f"/registrations/{waiting['items'][0]['id']}"
    slow = {"method": "POST", "path": "/users$", "fault": "delay", "seconds": HELD_S}
    provider = scene.workspace
    provider.control("identity_provider", "/faults", slow)
    with ThreadPoolExecutor(1) as other:
        approval = other.submit(decider.call, "POST", f"{where}/approve")
        eventually(
            "the user is being made",
            lambda: not provider.control("identity_provider", "/faults")["items"],
        )
        _may_decide(scene, decider, False)
        answer = approval.result()
    assert answer.status_code == 409, answer.text
    assert provider.api.get(where).json()["status"] == "pending"
    eventually("the user that was made goes", lambda: not _users(scene, comes.username))
    eventually(
        "an administrator approves",
        lambda: provider.api.post(f"{where}/approve").status_code == 200,
    )
    assert len(_users(scene, comes.username)) == 1
    assert comes.sign_in().status_code == 200
    for life in (comes, decider):
        scene.removed(life)


def _may_decide(scene: Scene, life: Life, may: bool) -> None:
    body = {"permissions": ["approve_registrations"] if may else []}
    answer = scene.workspace.api.put(f"/people/{life.username}/permissions", json=body)
    assert answer.status_code == 200, answer.text


def _users(scene: Scene, username: str) -> list[object]:
    found = identity_provider(scene.workspace, f"/users?username={username}&exact=true")
    return list(found.json())
