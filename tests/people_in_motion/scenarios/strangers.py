"""Strangers at the door."""

import uuid

from tests.life.person import Life, Workspace
from tests.life.systems import identity_provider
from tests.people_in_motion.scenarios.actions import (
    at_the_door,
    database,
    decided,
    inside,
    make_in_realm,
    project,
    removed,
)
from tests.people_in_motion.subject import Moved


def made_again_and_relinked(workspace: Workspace) -> Moved:
    """Deleted and made again in the identity provider: another `sub`, refused at the door, relinked by an administrator."""
    moved = inside(workspace)
    database(moved)
    gone = identity_provider(workspace, f"/users/{moved.life.sub}", method="DELETE")
    assert gone.status_code == 204
    new = make_in_realm(workspace, moved.life.username)
    life = Life(workspace, moved.life.username, sub=new)
    refused = life.sign_in()
    assert refused.status_code == 403
    assert "belongs to another account" in refused.text
    rows = at_the_door(workspace)
    entry = next(row for row in rows if row["sub"] == new)
    assert entry["why"] == "another sub"
    decided(workspace, entry, "relink")
    moved.life, moved.subs = life, [*moved.subs, new]
    again = Life(workspace, life.username, sub=new)
    assert again.sign_in().status_code == 200
    assert again.call("GET", "/me").json()["sub"] == new
    moved.life = again
    return moved


def nobody_approved_it(workspace: Workspace) -> Moved:
    """Somebody of the realm, not of the workspace: a page that says so, an entry for the administrator, and no account anywhere."""
    name = f"m{uuid.uuid4().hex[:8]}"
    moved = Moved(Life(workspace, name, sub=make_in_realm(workspace, name)))
    refused = moved.life.sign_in()
    assert refused.status_code == 403
    assert "nobody has approved it" in refused.text
    entry = next(row for row in at_the_door(workspace) if row["username"] == name)
    assert entry["why"] == "not approved"
    return moved


def nobody_approved_it_and_it_is_adopted(workspace: Workspace) -> Moved:
    moved = nobody_approved_it(workspace)
    rows = at_the_door(workspace)
    entry = next(row for row in rows if row["sub"] == moved.life.sub)
    decided(workspace, entry, "adopt")
    moved.life = Life(workspace, moved.life.username, sub=moved.life.sub)
    assert moved.life.sign_in().status_code == 200
    project(moved)
    return moved


def removed_and_made_again_by_hand(workspace: Workspace) -> Moved:
    """The name is kept: whoever bears it in the realm now is not let in, nor adopted before the tombstone is released."""
    moved = inside(workspace)
    removed(moved)
    new = make_in_realm(workspace, moved.life.username)
    moved.life = Life(workspace, moved.life.username, sub=new)
    refused = moved.life.sign_in()
    assert refused.status_code == 403
    assert "has ended" in refused.text
    entry = next(row for row in at_the_door(workspace) if row["sub"] == new)
    assert entry["why"] == "tombstone"
    kept = workspace.api.post(f"/strangers/{entry['id']}/adopt")
    assert kept.status_code == 409
    assert "kept by a tombstone" in kept.json()["reason"]
    decided(workspace, entry, "refuse")
    return moved
