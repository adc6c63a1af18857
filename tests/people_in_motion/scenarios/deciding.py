"""Deciding: approvals that are cut off or meet somebody, and administrators who let each
other go.
"""

import uuid

from tests.life.person import Life, Workspace
from tests.life.systems import identity_provider
from tests.people_in_motion.scenarios.actions import (
    approval,
    inside,
    make_administrator,
    make_in_realm,
    make_user,
    project,
    registration,
    users_of,
    wait_for_removal,
)
from tests.people_in_motion.subject import Subject, story

CUT_OFF = (
    "import os\n"
    "from workspace_manager.people import approve\n"
    "from workspace_manager.records.models import Registration\n"
    "from workspace_manager.wiring import connected_systems\n"
    "approve._write = lambda *_args, **_more: os._exit(0)\n"
    "row = Registration.objects.get(username={name!r})\n"
    "approve.approve(row.id, actor='somebody', systems=connected_systems())\n"
    "os._exit(1)\n"
)
"""The process dies after the user was made there and before it is written here."""


def approval_is_cut_off_and_tried_again(workspace: Workspace) -> Subject:
    """The next try finds the user by our mark."""
    name = f"m{uuid.uuid4().hex[:8]}"
    life = Life(workspace, name)
    life.register()
    story(workspace, CUT_OFF.format(name=name))
    left = users_of(workspace, name)
    assert len(left) == 1
    kept = approval(workspace, name)
    assert kept.status_code == 409, kept.text
    story(workspace, LATER.format(name=name))
    life.approve()
    assert users_of(workspace, name) == left == [life.sub]
    assert life.sign_in().status_code == 200
    subject = Subject(life)
    project(subject)
    return subject


LATER = (
    "from django.utils import timezone\n"
    "from workspace_manager.records.models import Registration\n"
    "Registration.objects.filter(username={name!r}).update(claimed_until=timezone.now())\n"
)
"""The claim of a request that died ends after a minute; here it ends now."""


def approval_meets_somebody_of_that_name(workspace: Workspace) -> Subject:
    """A user without our mark is nobody's to take over: refused, and nothing of that user is
    changed.
    """
    name = f"m{uuid.uuid4().hex[:8]}"
    life = Life(workspace, name)
    life.register()
    life.sub = make_in_realm(workspace, name)
    before = identity_provider(workspace, f"/users/{life.sub}").json()
    refused = approval(workspace, name)
    assert refused.status_code in {409, 502}, refused.text
    assert identity_provider(workspace, f"/users/{life.sub}").json() == before
    assert users_of(workspace, name) == [life.sub]
    assert registration(Subject(life), "pending")
    return Subject(life)


def administrator_removes_himself(workspace: Workspace) -> Subject:
    subject = inside(workspace)
    name = subject.life.username
    make_administrator(workspace, name)
    refused = subject.life.call("POST", f"/people/{name}/removal")
    assert refused.status_code == 409
    assert "You cannot remove your own account" in refused.json()["reason"]
    # Somebody else's draft is not his to approve either.
    draft = workspace.api.post(f"/people/{name}/removal").json()
    where = f"/plans/{draft['id']}/approve"
    assert subject.life.call("POST", where, {"digest": draft["digest"]}).status_code == 409
    make_user(workspace, name)
    return subject


def administrators_remove_each_other(workspace: Workspace) -> Subject:
    """Who comes second is no administrator any more."""
    first, subject = inside(workspace), inside(workspace)
    drafts = {}
    for one in (first, subject):
        make_administrator(workspace, one.life.username)
    for one, other in ((first, subject), (subject, first)):
        answer = one.life.call("POST", f"/people/{other.life.username}/removal")
        assert answer.status_code == 201, answer.text
        drafts[one.life.username] = answer.json()
    answers = []
    for one in (first, subject):
        draft = drafts[one.life.username]
        where = f"/plans/{draft['id']}/approve"
        answers.append(one.life.call("POST", where, {"digest": draft["digest"]}).status_code)
    assert answers == [202, 401]
    wait_for_removal(subject, drafts[first.life.username]["id"])
    assert first.ask("here") == "active"
    assert first.ask("identity") == "here"
    make_user(workspace, first.life.username)
    return subject


def announced_as_administrator(workspace: Workspace) -> Subject:
    """Named before the first sign-in, which alone gives nothing: somebody confirms who came."""
    name = f"m{uuid.uuid4().hex[:8]}"
    make_administrator(workspace, name)
    assert workspace.api.post(f"/administrators/{name}/confirm").status_code == 409
    subject = inside(workspace, name)
    assert workspace.api.get(f"/people/{name}").json()["role"] == "user"
    assert workspace.api.post(f"/administrators/{name}/confirm").status_code == 200
    assert workspace.api.get(f"/people/{name}").json()["role"] == "administrator"
    make_user(workspace, name)
    assert workspace.api.get(f"/people/{name}").json()["role"] == "user"
    return subject


def withdrawn_after_the_first_sign_in(workspace: Workspace) -> Subject:
    """Whoever is inside already is removed like anybody."""
    subject = inside(workspace)
    answer = workspace.api.post(f"/registrations/{registration(subject, 'approved')}/withdraw")
    assert answer.status_code == 202
    wait_for_removal(subject, answer.json()["plan"])
    return subject
