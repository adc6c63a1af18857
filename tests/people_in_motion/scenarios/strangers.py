"""Strangers at the door."""

import uuid

from tests.life.person import Life, Workspace
from tests.life.systems import identity_provider
from tests.people_in_motion.scenarios.actions import (
    database,
    decide_stranger,
    inside,
    make_in_realm,
    project,
    removed,
    unlinked_sign_ins,
)
from tests.people_in_motion.subject import Subject


def made_again_and_relinked(workspace: Workspace) -> Subject:
    """Deleted and made again in the identity provider: another `sub`, refused at the door, relinked
    by an administrator.
    """
    subject = inside(workspace)
    database(subject)
    gone = identity_provider(workspace, f"/users/{subject.life.sub}", method="DELETE")
    assert gone.status_code == 204
    new = make_in_realm(workspace, subject.life.username)
    life = Life(workspace, subject.life.username, sub=new)
    refused = life.sign_in()
    assert refused.status_code == 403
    assert "belongs to another account" in refused.text
    rows = unlinked_sign_ins(workspace)
    entry = next(row for row in rows if row["sub"] == new)
    assert entry["why"] == "another sub"
    decide_stranger(workspace, entry, "relink")
    subject.life, subject.subs = life, [*subject.subs, new]
    again = Life(workspace, life.username, sub=new)
    assert again.sign_in().status_code == 200
    assert again.call("GET", "/me").json()["sub"] == new
    subject.life = again
    return subject


def nobody_approved_it(workspace: Workspace) -> Subject:
    """Somebody of the realm, not of the workspace: a page that says so, an entry for the
    administrator, and no account anywhere.
    """
    name = f"m{uuid.uuid4().hex[:8]}"
    subject = Subject(Life(workspace, name, sub=make_in_realm(workspace, name)))
    refused = subject.life.sign_in()
    assert refused.status_code == 403
    assert "nobody has approved it" in refused.text
    entry = next(row for row in unlinked_sign_ins(workspace) if row["username"] == name)
    assert entry["why"] == "not approved"
    return subject


def nobody_approved_it_and_it_is_adopted(workspace: Workspace) -> Subject:
    subject = nobody_approved_it(workspace)
    rows = unlinked_sign_ins(workspace)
    entry = next(row for row in rows if row["sub"] == subject.life.sub)
    decide_stranger(workspace, entry, "adopt")
    subject.life = Life(workspace, subject.life.username, sub=subject.life.sub)
    assert subject.life.sign_in().status_code == 200
    project(subject)
    return subject


def removed_and_made_again_by_hand(workspace: Workspace) -> Subject:
    """The name is kept: whoever bears it in the realm now is not let in, nor adopted before the
    tombstone is released.
    """
    subject = inside(workspace)
    removed(subject)
    new = make_in_realm(workspace, subject.life.username)
    subject.life = Life(workspace, subject.life.username, sub=new)
    refused = subject.life.sign_in()
    assert refused.status_code == 403
    assert "has ended" in refused.text
    entry = next(row for row in unlinked_sign_ins(workspace) if row["sub"] == new)
    assert entry["why"] == "tombstone"
    kept = workspace.api.post(f"/strangers/{entry['id']}/adopt")
    assert kept.status_code == 409
    assert "Release it first if this is the same person" in kept.json()["reason"]
    decide_stranger(workspace, entry, "refuse")
    return subject
