"""A name that comes back."""

import httpx

from tests.life.person import Life, Workspace
from tests.people_in_motion.scenarios.actions import (
    approval,
    database,
    inside,
    project,
    removed,
    repository,
)
from tests.people_in_motion.subject import Subject
from workspace_sandbox.patience import eventually

CONTAINER, VOLUME = "jupyter-{}", "jupyterhub-user-{}"


def comes_back(workspace: Workspace) -> Subject:
    """The name is kept; then it is released, what was left is cleared, and the newcomer finds
    nothing.
    """
    old = inside(workspace)
    name = old.life.username
    database(old)
    repository(old)
    old.life.start_notebook()
    plan = removed(old)
    subject = Subject(Life(workspace, name), databases=old.databases, repositories=old.repositories)
    subject.life.register()
    kept = approval(workspace, name)
    assert kept.status_code == 409
    assert "Release it first if this is the same person" in kept.json()["reason"]
    assert workspace.api.post(f"/tombstones/{name}/release").status_code == 200
    kept = approval(workspace, name)
    assert kept.status_code == 409
    assert any(left.format(name) in kept.json()["reason"] for left in (CONTAINER, VOLUME))
    clear_notebook(workspace, name)
    subject.life.approve()
    subject.subs = [subject.life.sub]
    assert subject.life.sub not in old.subs
    assert subject.life.sign_in().status_code == 200
    project(subject)
    assert old.ask("drive") == "gone"
    subject.life.start_notebook()
    late = eventually(
        "late look",
        lambda: (p := old.life.plan(plan["id"])["late_look"])["state"] != "pending" and p,
    )
    assert late["state"] == "clean"
    assert subject.life.call("GET", "/service-keys").json()["count"] == 0
    assert subject.life.call("GET", "/components").json()["count"] == 0
    return subject


def clear_notebook(workspace: Workspace, name: str) -> None:
    """What an administrator does in the container manager and the hub: the old container goes, and
    a volume of that name bars it still; then the hub's user does.

    Which of the two there is depends on the hub: one keeps the container, one the volume alone.
    """
    manager = workspace.system("container_manager")
    where = f"{manager['url']}/api/endpoints/{manager['environment_id']}/docker"
    with httpx.Client(headers={"X-API-Key": manager["api_key"]}, trust_env=False) as http:
        gone = http.delete(f"{where}/containers/{CONTAINER.format(name)}?force=1")
        assert gone.status_code in {204, 404}
        volume = VOLUME.format(name)
        assert http.post(f"{where}/volumes/create", json={"Name": volume}).status_code in {200, 201}
        kept = approval(workspace, name)
        assert kept.status_code == 409
        assert volume in kept.json()["reason"]
        assert http.delete(f"{where}/volumes/{volume}").status_code == 204
        kept = approval(workspace, name)
        assert kept.status_code == 409
        assert "user" in kept.json()["reason"], "tokens that the hub keeps would open the newcomer"
        hub = workspace.system("notebook_hub")
        gone = http.delete(
            f"{hub['url']}/hub/api/users/{name}",
            headers={"Authorization": f"token {hub['administrator']}"},
        )
        assert gone.status_code == 204, gone.text
