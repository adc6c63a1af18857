"""Leaving: with everything, while things are being made, and with things that others share."""

from tests.life.person import Workspace
from tests.people_in_motion.scenarios.actions import (
    asked_for,
    begin_removal,
    database,
    inside,
    join_project,
    names,
    project,
    removed,
    repository,
    wait_for_plans,
    wait_for_removal,
)
from tests.people_in_motion.subject import Subject, story
from workspace_sandbox.patience import eventually


def leaves_with_everything(workspace: Workspace) -> Subject:
    subject = inside(workspace)
    database(subject)
    repository(subject)
    subject.life.start_notebook()
    removed(subject)
    return subject


def leaves_while_a_creation_is_stuck(workspace: Workspace) -> Subject:
    """The triplestore is dead: what does not need it is done, and the rest when it is back."""
    subject = inside(workspace)
    database(subject)
    workspace.control(
        "triplestore", "/faults", {"fault": "reset", "times": 100000, "path": "", "method": ""}
    )
    try:
        asked_for(subject, "triplestore_repository")
        plan_id = begin_removal(subject)
        eventually("out of the rest", lambda: subject.ask("identity") == "gone")
        eventually("the rest waits", lambda: subject.life.plan(plan_id)["state"] == "waiting")
    finally:
        workspace.control("triplestore", "/faults", method="DELETE")
    wait_for_removal(subject, plan_id)
    return subject


CALLS_HAVE_ENDED = (
    "from django.utils import timezone\n"
    "from workspace_manager.records.models import Plan, PlanStep\n"
    "from workspace_manager.worker import sweep\n"
    "now = timezone.now()\n"
    "PlanStep.objects.filter(plan={plan!r}, cause='under_way').update(next_try_at=now)\n"
    "Plan.objects.filter(id={plan!r}).update(due_at=now)\n"
    "sweep()\n"
)
"""The longest a call may take is half a minute; here it has passed."""


def leaves_in_the_middle_of_a_call(workspace: Workspace) -> Subject:
    """The call that makes the triplestore user is under way, and is carried out after the removal
    was approved.
    """
    subject = inside(workspace)
    path = f"^/rest/security/users/{subject.life.username}"
    fault = {"fault": "delay", "method": "POST", "path": path, "seconds": 6, "times": 1}
    workspace.control("triplestore", "/faults", fault)
    asked_for(subject, "triplestore_repository")

    def under_way() -> bool:
        plans = subject.life.call("GET", "/plans").json()["items"]
        rows = [c for p in plans for s in p["steps"] for c in s["changes"]]
        return any(row["kind"] == "triplestore.user" and row["state"] == "running" for row in rows)

    eventually("the call is under way", under_way)
    plan_id = begin_removal(subject)
    steps = {step["n"]: step for step in subject.life.plan(plan_id)["steps"]}
    assert "may still be running there" in steps[6]["reason"]
    eventually("the effect came", lambda: subject.ask("store") != "gone")
    story(workspace, CALLS_HAVE_ENDED.format(plan=plan_id))
    wait_for_removal(subject, plan_id)
    return subject


def leaves_while_being_given_something(workspace: Workspace) -> Subject:
    """Somebody else's project: the editor is dead when the member is let in, and the member leaves
    before it is back.
    """
    owner, subject = inside(workspace), inside(workspace)
    shared = project(owner)
    workspace.control("ontology_editor", "/database", {"state": "gone"})
    try:
        asking = f"/projects/{shared}/membership-requests"
        where = f"/projects/{shared}/members/{subject.life.username}"
        assert subject.life.call("POST", asking).status_code == 201
        assert owner.life.call("PUT", where).status_code == 200
        plan_id = begin_removal(subject)
        eventually("out", lambda: subject.ask("identity") == "gone")
    finally:
        workspace.control("ontology_editor", "/database", {"state": "up"})
    wait_for_removal(subject, plan_id)
    wait_for_plans(workspace, subject.life.username)
    return subject


def leaves_a_shared_project(workspace: Workspace) -> Subject:
    """A member leaves the workspace: the project goes on without."""
    owner, subject = inside(workspace), inside(workspace)
    shared = project(owner)
    theirs = database(owner, project_id=shared)
    join_project(subject, owner, shared)
    eventually("granted", lambda: owner.granted(theirs) == names(owner, subject))
    removed(subject)
    assert owner.granted(theirs) == {owner.life.username}
    assert owner.ask("databases") == "1"
    return subject


def owner_leaves_and_members_keep_their_own(workspace: Workspace) -> Subject:
    subject, member, third = inside(workspace), inside(workspace), inside(workspace)
    shared = project(subject)
    for one in (member, third):
        join_project(one, subject, shared)
    own = database(member, project_id=shared)
    eventually("shared", lambda: member.granted(own) == names(subject, member, third))
    database(subject, project_id=shared)
    removed(subject)
    eventually("taken", lambda: member.granted(own) == {member.life.username})
    assert member.ask("databases") == "1"
    listed_there = member.life.call("GET", "/components").json()["items"]
    assert [one["project"] for one in listed_there] == [None]
    eventually("editor", lambda: member.ask("member") == third.ask("member") == "0")
    return subject


def owner_leaves_and_hands_over(workspace: Workspace) -> Subject:
    subject, member = inside(workspace), inside(workspace)
    shared = project(subject)
    join_project(member, subject, shared)
    removed(subject, transfer={shared: member.life.username})
    shown = member.life.call("GET", f"/projects/{shared}").json()
    assert (shown["owner"], shown["members"]) == (member.life.username, [])
    assert member.ask("member") == "1"
    wait_for_plans(workspace, member.life.username)
    return subject


def member_leaves_the_project(workspace: Workspace) -> Subject:
    """Only the project: everything of one's own stays."""
    owner, subject = inside(workspace), inside(workspace)
    shared = project(owner)
    theirs, store = database(owner, project_id=shared), repository(owner, project_id=shared)
    join_project(subject, owner, shared)
    own = repository(subject)
    eventually("shares", lambda: subject.ask("store") == "2")
    where = f"/projects/{shared}/members/{subject.life.username}"
    assert subject.life.call("DELETE", where).status_code == 204
    wait_for_plans(workspace, subject.life.username)
    assert owner.granted(theirs) == {owner.life.username}
    assert {own, store} == {*subject.repositories, *owner.repositories}
    return subject
