"""Attacks with names: ones no system can hold, ones that a system uses itself, ones announced for a
role.
"""

import uuid
from typing import Any

from tests.attack.scene import Scene
from tests.life.browser import Browser
from tests.life.person import PASSWORD, Life, Workspace
from tests.life.systems import identity_provider, running_containers
from workspace_sandbox.patience import eventually


def a_name_no_system_can_hold_leaves_again(scene: Scene) -> None:
    """An e-mail address of sixty characters, adopted as it came from the identity provider."""
    name = f"anna.{uuid.uuid4().hex}@archaeology.example.org"
    life = adopted(scene.workspace, name)
    asked = [
        life.call("POST", "/components", {"kind": kind, "label": "Finds", "project": None})
        for kind in ("sql_database", "triplestore_repository")
    ]
    for answer in asked:
        assert answer.status_code in {202, 409, 422}, answer.text
        assert answer.status_code == 202 or answer.json()["detail"], "it is said in words"
        if answer.status_code == 202:
            scene.ended(answer.json()["plan"], by=life)
    scene.suspended(life)
    scene.resumed(life)
    scene.removed(life)


def adopted(workspace: Workspace, name: str) -> Life:
    """Somebody whom the identity provider knew before, let in by an administrator."""
    made = identity_provider(
        workspace,
        "/users",
        {
            "username": name, "enabled": True, "email": f"{uuid.uuid4().hex}@example.org",
            "emailVerified": True, "firstName": "An", "lastName": "Archaeologist",
            "credentials": [{"type": "password", "value": PASSWORD, "temporary": False}],
        },
        method="POST",
    )  # fmt: skip
    assert made.status_code == 201, made.text
    life = Life(workspace, name, sub=made.headers["location"].rpartition("/")[2])
    answer = workspace.api.post(f"/strangers/{knocked(life)['id']}/adopt")
    assert answer.status_code == 200, answer.text
    life.browser = Browser()
    assert life.sign_in().status_code == 200
    return life


def knocked(life: Life) -> dict[str, Any]:
    """Somebody who is not let in, as an administrator sees it."""
    assert life.sign_in().status_code == 403
    strangers = life.workspace.api.get("/strangers?limit=200").json()["items"]
    (mine,) = [one for one in strangers if one["sub"] == life.sub]
    return dict(mine)


def names_of_systems_are_nobodys(scene: Scene) -> None:
    """Neither registered nor adopted: whoever bears such a name has that account's rights there."""
    taken = {
        scene.workspace.system(system)["admin_username"]
        for system in ("identity_provider", "drive", "sql_server", "triplestore")
    }
    for name in sorted({*taken, "svc-manager"}):
        answer = scene.register(name)
        assert answer.status_code == 422, f"{name}: {answer.text}"


def a_role_is_not_given_by_a_name(scene: Scene) -> None:
    """Announced by name alone; a stranger registers it, and is let in like everybody."""
    name = f"chief{uuid.uuid4().hex[:8]}"
    announced = scene.workspace.api.put(f"/administrators/{name}")
    assert announced.status_code in {200, 202, 409, 422}, announced.text
    life = Life(scene.workspace, name)
    life.register()
    life.approve()
    assert life.sign_in().status_code == 200
    assert life.call("GET", "/me").json()["role"] == "user"
    assert life.call("GET", "/registrations").status_code == 403
    scene.removed(life)


def a_container_of_that_name_runs_on(scene: Scene) -> None:
    """A blank prefix would make the container of a system look like somebody's notebook."""
    bystander = f"filestore{uuid.uuid4().hex[:6]}"
    scene.start_container(bystander)
    blank = scene.workspace.api.patch(
        "/systems/notebook_hub", json={"settings": {"container_name_prefix": ""}}
    )
    assert blank.status_code in {200, 422}, blank.text
    life = Life(scene.workspace, bystander)
    life.register()
    life.approve()
    assert life.sign_in().status_code == 200
    scene.removed(life)
    assert bystander in running_containers(scene.workspace)


def a_project_tells_no_names_and_makes_nothing_unasked(scene: Scene) -> None:
    """A stranger's name and one that nobody has, in a project with a database; then a yes."""
    owner, other = scene.somebody(), scene.somebody()
    project = owner.call("POST", "/projects", {"label": "Open to all?"}).json()["id"]
    body = {"kind": "triplestore_repository", "label": "Finds", "project": project}
    scene.ended(owner.call("POST", "/components", body).json()["plan"], by=owner)
    before = scene.workspace.control("triplestore", "/state")["users"]
    names = (other.username, f"x{uuid.uuid4().hex[:8]}")
    for method, where in (("PUT", "members/{}"), ("POST", "invitations")):
        answers = [
            owner.call(
                method,
                f"/projects/{project}/{where.format(name)}",
                None if method == "PUT" else {"username": name},
            )
            for name in names
        ]
        assert {answer.status_code for answer in answers} == {202}
        assert len({frozenset(answer.json()) for answer in answers}) == 1
    assert owner.call("GET", f"/projects/{project}").json()["members"] == []
    assert scene.workspace.control("triplestore", "/state")["users"] == before
    (mine,) = other.call("GET", "/me/invitations").json()["items"]
    assert other.call("POST", f"/me/invitations/{mine['id']}/accept").status_code == 204
    assert owner.call("GET", f"/projects/{project}").json()["members"] == [other.username]
    scene.removed(other)
    scene.removed(owner)


def whoever_is_disabled_there_is_out_here(scene: Scene) -> None:
    """Logged out at the identity provider: out here at once."""
    life = scene.somebody()
    token = life.call("POST", "/me/tokens", {"name": "kept"}).json()["token"]
    assert scene.taken(token)
    user = identity_provider(scene.workspace, f"/users/{life.sub}").json() | {"enabled": False}
    assert (
        identity_provider(scene.workspace, f"/users/{life.sub}", user, method="PUT").status_code
        == 204
    )
    out = identity_provider(scene.workspace, f"/users/{life.sub}/logout", {}, method="POST")
    assert out.status_code == 204, out.text
    eventually("the session ends", lambda: life.call("GET", "/me").status_code == 401)
    eventually("the API token is revoked.", lambda: not scene.taken(token))
    scene.removed(life)
