"""Actions of people and administrators in a running workspace, over HTTP, of which scenarios are
made.
"""

import uuid
from typing import Any

import httpx

from tests.life.person import PASSWORD, Life, Workspace
from tests.life.systems import identity_provider
from tests.people_in_motion.subject import Subject
from workspace_sandbox.patience import eventually


def newcomer(workspace: Workspace, name: str = "") -> Subject:
    """Registered and approved."""
    life = Life(workspace, name or f"m{uuid.uuid4().hex[:8]}")
    life.register()
    life.approve()
    return Subject(life, subs=[life.sub])


def inside(workspace: Workspace, name: str = "") -> Subject:
    """Signed in, with a drive, and with a default project whose ontology project is made."""
    subject = newcomer(workspace, name)
    page = subject.life.sign_in()
    assert page.status_code == 200, page.text
    project(subject)
    connected = subject.life.call("POST", "/me/drive")
    assert connected.json()["connected"], connected.text
    return subject


def project(subject: Subject) -> str:
    """The default project's id here, once its ontology project is linked."""

    def look() -> Any:
        found = subject.life.call("GET", "/projects").json()["items"]
        mine = [one for one in found if one["owner"] == subject.life.username]
        return mine and mine[0]["ontology_project_id"] and mine[0]

    found = eventually("project linked", look)
    if found["ontology_project_id"] not in subject.projects:
        subject.projects.append(found["ontology_project_id"])
    return str(found["id"])


def database(subject: Subject, *, project_id: str | None = None) -> str:
    """A finished database; gives its name there."""
    found = make_component(subject, "sql_database", project_id)
    subject.databases.append(found["address"].rpartition("/")[2])
    return subject.databases[-1]


def repository(subject: Subject, *, project_id: str | None = None) -> str:
    """A finished repository; gives its id there."""
    found = make_component(subject, "triplestore_repository", project_id)
    subject.repositories.append(found["address"].rpartition("/")[2])
    return subject.repositories[-1]


def asked_for(subject: Subject, kind: str, project_id: str | None = None) -> dict[str, Any]:
    """A component that is only ordered."""
    body = {"kind": kind, "label": "Notes", "project": project_id}
    answer = subject.life.call("POST", "/components", body)
    assert answer.status_code == 202, answer.text
    found: dict[str, Any] = answer.json()
    return found


def make_component(subject: Subject, kind: str, project_id: str | None = None) -> dict[str, Any]:
    identity = asked_for(subject, kind, project_id)["component"]["id"]

    def ready() -> Any:
        found = subject.life.call("GET", f"/components/{identity}").json()
        return found["state"] == "ready" and found

    found: dict[str, Any] = eventually(f"{kind} ready", ready)
    return found


def join_project(member: Subject, owner: Subject, project_id: str) -> None:
    """Asked, and let in by the owner; the access in the systems is there."""
    asked = member.life.call("POST", f"/projects/{project_id}/membership-requests")
    assert asked.status_code == 201, asked.text
    where = f"/projects/{project_id}/membership-requests/{asked.json()['id']}/approve"
    assert owner.life.call("POST", where).status_code == 200
    eventually("access given", lambda: member.ask("member") == "1")


def removed(subject: Subject, **more: Any) -> dict[str, Any]:
    """Removed to the end; gives the plan."""
    plan_id = begin_removal(subject, **more)
    return wait_for_removal(subject, plan_id)


def begin_removal(subject: Subject, **more: Any) -> str:
    return subject.life.confirm(subject.life.draft_removal(), **more)


def wait_for_removal(subject: Subject, plan_id: str) -> dict[str, Any]:
    found: dict[str, Any] = eventually(
        "removal done", lambda: (p := subject.life.plan(plan_id))["state"] == "done" and p
    )
    return found


def wait_for_plans(workspace: Workspace, username: str) -> None:
    """Every plan of this person has ended; what one that has not waits for is told."""
    open_plans: list[Any] = []

    def look() -> bool:
        plans = workspace.api.get("/plans?limit=200").json()["items"]
        open_plans[:] = [
            plan
            for plan in plans
            if plan["person"] == username and plan["state"] not in {"done", "stale", "superseded"}
        ]
        return not open_plans

    try:
        eventually(f"plans of {username} ended", look)
    except AssertionError as late:
        told = [workspace.api.get(f"/plans/{plan['id']}").json() for plan in open_plans]
        raise AssertionError(f"{late}: {told}") from None


def approval(workspace: Workspace, name: str) -> httpx.Response:
    """Try to approve what waits under a name."""
    rows = workspace.api.get("/registrations?status=pending&limit=200").json()["items"]
    mine = next(row for row in rows if row["username"] == name)
    return workspace.api.post(f"/registrations/{mine['id']}/approve")


def registration(subject: Subject, status: str) -> str:
    rows = subject.workspace.api.get(f"/registrations?status={status}&limit=200").json()["items"]
    return str(next(row["id"] for row in rows if row["username"] == subject.life.username))


def names(*subjects: Subject) -> set[str]:
    return {one.life.username for one in subjects}


def make_in_realm(workspace: Workspace, name: str) -> str:
    """A user made by hand at the identity provider, past the manager; gives the `sub`."""
    body = {
        "username": name, "enabled": True, "emailVerified": True, "email": f"{name}@example.org",
        "firstName": "Test",
        "lastName": "Person", "credentials": [{"type": "password", "value": PASSWORD,
        "temporary": False}],
    }  # fmt: skip
    answer = identity_provider(workspace, "/users", body, method="POST")
    assert answer.status_code == 201, answer.text
    return answer.headers["Location"].rpartition("/")[2]


def deleted(subject: Subject, kind: str) -> None:
    """One component of a kind goes, to the end; the others stay."""
    items = subject.life.call("GET", "/components").json()["items"]
    identity = next(item["id"] for item in items if item["kind"] == kind)
    answer = subject.life.call("DELETE", f"/components/{identity}")
    assert answer.status_code == 202, answer.text
    where = f"/components/{identity}"
    eventually(f"{kind} gone", lambda: subject.life.call("GET", where).status_code == 404)
    wait_for_plans(subject.workspace, subject.life.username)


def ordered(subject: Subject, what: str) -> None:
    """Suspended, or let back in."""
    answer = subject.workspace.api.post(f"/people/{subject.life.username}/{what}")
    assert answer.status_code == 202, answer.text


def users_of(workspace: Workspace, name: str) -> list[str]:
    """The ids of users of this name at the identity provider."""
    found = identity_provider(workspace, f"/users?username={name}&exact=true").json()
    return [user["id"] for user in found]


def make_administrator(workspace: Workspace, name: str) -> None:
    """Now, or at the first sign-in."""
    assert workspace.api.put(f"/administrators/{name}").status_code == 200


def make_user(workspace: Workspace, name: str) -> None:
    assert workspace.api.delete(f"/administrators/{name}").status_code == 204


def unlinked_sign_ins(workspace: Workspace) -> list[dict[str, Any]]:
    """Those who were refused and whom nobody decided about yet."""
    answer = workspace.api.get("/strangers?state=open&limit=200")
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


def decide_stranger(workspace: Workspace, stranger: dict[str, Any], how: str) -> None:
    answer = workspace.api.post(f"/strangers/{stranger['id']}/{how}")
    assert answer.status_code == 200, answer.text
