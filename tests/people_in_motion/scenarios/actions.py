"""What people and administrators do, over HTTP, in a running workspace: the words the plays are written in."""

import uuid
from typing import Any

import httpx

from tests.life.person import PASSWORD, Life, Workspace, eventually
from tests.life.systems import identity_provider
from tests.people_in_motion.subject import Moved


def newcomer(workspace: Workspace, name: str = "") -> Moved:
    """Registered and approved."""
    life = Life(workspace, name or f"m{uuid.uuid4().hex[:8]}")
    life.register()
    life.approve()
    return Moved(life, subs=[life.sub])


def inside(workspace: Workspace, name: str = "") -> Moved:
    """Signed in, with a drive, and with a default project whose ontology project is made."""
    moved = newcomer(workspace, name)
    page = moved.life.sign_in()
    assert page.status_code == 200, page.text
    project(moved)
    connected = moved.life.call("POST", "/me/drive")
    assert connected.json()["connected"], connected.text
    return moved


def project(moved: Moved) -> str:
    """The default project's id here, once its ontology project is linked."""

    def look() -> Any:
        found = moved.life.call("GET", "/projects").json()["items"]
        mine = [one for one in found if one["owner"] == moved.life.username]
        return mine and mine[0]["ontology_project_id"] and mine[0]

    found = eventually("project linked", look)
    if found["ontology_project_id"] not in moved.projects:
        moved.projects.append(found["ontology_project_id"])
    return str(found["id"])


def database(moved: Moved, *, project_id: str | None = None) -> str:
    """A finished database; gives its name there."""
    found = made(moved, "sql_database", project_id)
    moved.databases.append(found["address"].rpartition("/")[2])
    return moved.databases[-1]


def repository(moved: Moved, *, project_id: str | None = None) -> str:
    """A finished repository; gives its id there."""
    found = made(moved, "triplestore_repository", project_id)
    moved.repositories.append(found["address"].rpartition("/")[2])
    return moved.repositories[-1]


def asked_for(moved: Moved, kind: str, project_id: str | None = None) -> dict[str, Any]:
    """A component that is only ordered."""
    body = {"kind": kind, "label": "Notes", "project": project_id}
    answer = moved.life.call("POST", "/components", body)
    assert answer.status_code == 202, answer.text
    found: dict[str, Any] = answer.json()
    return found


def made(moved: Moved, kind: str, project_id: str | None = None) -> dict[str, Any]:
    identity = asked_for(moved, kind, project_id)["component"]["id"]

    def ready() -> Any:
        found = moved.life.call("GET", f"/components/{identity}").json()
        return found["state"] == "ready" and found

    found: dict[str, Any] = eventually(f"{kind} ready", ready)
    return found


def joined(member: Moved, owner: Moved, project_id: str) -> None:
    """Asked, and let in by the owner; the access in the systems is there."""
    asked = member.life.call("POST", f"/projects/{project_id}/membership-requests")
    assert asked.status_code == 201, asked.text
    where = f"/projects/{project_id}/membership-requests/{asked.json()['id']}/approve"
    assert owner.life.call("POST", where).status_code == 200
    eventually("access given", lambda: member.ask("member") == "1")


def removed(moved: Moved, **more: Any) -> dict[str, Any]:
    """Removed to the end; gives the plan."""
    plan_id = begun(moved, **more)
    return ended(moved, plan_id)


def begun(moved: Moved, **more: Any) -> str:
    api = moved.workspace.api
    draft = api.post(f"/people/{moved.life.username}/removal").json()
    answer = api.post(f"/plans/{draft['id']}/approve", json={"digest": draft["digest"], **more})
    assert answer.status_code == 202, answer.text
    return str(draft["id"])


def ended(moved: Moved, plan_id: str) -> dict[str, Any]:
    found: dict[str, Any] = eventually(
        "removal done", lambda: (p := moved.life.plan(plan_id))["state"] == "done" and p
    )
    return found


def settled(workspace: Workspace, username: str) -> None:
    """Every plan of this person has ended."""

    def look() -> bool:
        plans = workspace.api.get("/plans?limit=200").json()["items"]
        mine = [plan for plan in plans if plan["person"] == username]
        return all(plan["state"] in {"done", "stale", "superseded"} for plan in mine)

    eventually(f"plans of {username} ended", look)


def approval(workspace: Workspace, name: str) -> httpx.Response:
    """Try to approve what waits under a name."""
    rows = workspace.api.get("/registrations?status=pending&limit=200").json()["items"]
    mine = next(row for row in rows if row["username"] == name)
    return workspace.api.post(f"/registrations/{mine['id']}/approve")


def registration(moved: Moved, status: str) -> str:
    rows = moved.workspace.api.get(f"/registrations?status={status}&limit=200").json()["items"]
    return str(next(row["id"] for row in rows if row["username"] == moved.life.username))


def names(*moved: Moved) -> set[str]:
    return {one.life.username for one in moved}


def make_in_realm(workspace: Workspace, name: str) -> str:
    """A user made by hand at the identity provider, past the manager; gives the `sub`."""
    body = {
        "username": name, "enabled": True, "emailVerified": True, "email": f"{name}@example.org", "firstName": "Test",
        "lastName": "Person", "credentials": [{"type": "password", "value": PASSWORD, "temporary": False}],
    }  # fmt: skip
    answer = identity_provider(workspace, "/users", body, method="POST")
    assert answer.status_code == 201, answer.text
    return answer.headers["Location"].rpartition("/")[2]


def deleted(moved: Moved, kind: str) -> None:
    """One component of a kind goes, to the end; the others stay."""
    items = moved.life.call("GET", "/components").json()["items"]
    identity = next(item["id"] for item in items if item["kind"] == kind)
    answer = moved.life.call("DELETE", f"/components/{identity}")
    assert answer.status_code == 202, answer.text
    where = f"/components/{identity}"
    eventually(f"{kind} gone", lambda: moved.life.call("GET", where).status_code == 404)
    settled(moved.workspace, moved.life.username)


def ordered(moved: Moved, what: str) -> None:
    """Suspended, or let back in."""
    answer = moved.workspace.api.post(f"/people/{moved.life.username}/{what}")
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


def at_the_door(workspace: Workspace) -> list[dict[str, Any]]:
    """Those who were refused and whom nobody decided about yet."""
    answer = workspace.api.get("/strangers?state=open&limit=200")
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


def decided(workspace: Workspace, stranger: dict[str, Any], how: str) -> None:
    answer = workspace.api.post(f"/strangers/{stranger['id']}/{how}")
    assert answer.status_code == 200, answer.text
