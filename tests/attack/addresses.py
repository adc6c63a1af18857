"""Attacks with addresses: whoever writes somebody's into an account of their own is not that
person.
"""

import uuid

from tests.attack.people import adopted, knocked
from tests.attack.scene import Scene
from tests.life.browser import Browser
from tests.life.person import PASSWORD, Life, Workspace
from tests.life.systems import identity_provider


def an_address_that_nobody_confirmed_is_no_proof(scene: Scene) -> None:
    """A former address, written into another account: no page offers "the same person", no
    invitation to that address is answered.
    """
    victim, owner = scene.somebody(), scene.somebody()
    former = f"{uuid.uuid4().hex}@example.org"
    _has(scene.workspace, victim, former, confirmed=True)
    victim.browser = Browser()
    assert victim.sign_in().status_code == 200
    shown = scene.workspace.api.get(f"/people/{victim.username}").json()
    assert shown["email"] == former
    _has(scene.workspace, victim, f"{uuid.uuid4().hex}@example.org", confirmed=True)
    mallory = _made(scene.workspace, former)
    mine = knocked(mallory)
    assert mine["email"] == former
    assert (mine["why"], mine["person"]) == ("not approved", None)
    assert "relink" not in mine["repairs"]
    assert not mine["email_confirmed"], "it is said"
    refused = scene.workspace.api.post(
        f"/strangers/{mine['id']}/relink", json={"username": victim.username}
    )
    assert refused.status_code == 409, refused.text
    project = owner.call("POST", "/projects", {"label": "Only for one"}).json()["id"]
    asked = owner.call("POST", f"/projects/{project}/invitations", {"email": former})
    assert asked.status_code == 202, asked.text
    assert scene.workspace.api.post(f"/strangers/{mine['id']}/adopt").status_code == 200
    mallory.browser = Browser()
    assert mallory.sign_in().status_code == 200
    assert mallory.call("GET", "/me/invitations").json()["items"] == []
    accepted = mallory.call("POST", f"/me/invitations/{asked.json()['id']}/accept")
    assert accepted.status_code == 404, accepted.text
    for life in (mallory, victim, owner):
        scene.removed(life)


def no_click_makes_somebody_an_administrator(scene: Scene) -> None:
    """The account of an administrator, made again by somebody else: it is linked only by who types
    the name.
    """
    chief = adopted(scene.workspace, f"chief{uuid.uuid4().hex[:8]}")
    assert scene.workspace.api.put(f"/administrators/{chief.username}").status_code in {200, 202}
    gone = identity_provider(scene.workspace, f"/users/{chief.sub}", method="DELETE")
    assert gone.status_code == 204, gone.text
    again = _made(scene.workspace, f"{uuid.uuid4().hex}@example.org", name=chief.username)
    mine = knocked(again)
    assert (mine["why"], mine["person"]["username"]) == ("another sub", chief.username)
    where = f"/strangers/{mine['id']}/relink"
    for body in (None, {"username": "somebody.else"}):
        answer = scene.workspace.api.post(where, json=body)
        assert answer.status_code == 409, answer.text
    assert scene.workspace.api.post(f"/strangers/{mine['id']}/refuse").status_code == 200
    assert scene.workspace.api.delete(f"/administrators/{chief.username}").status_code in {200, 204}
    scene.removed(chief)


def _has(workspace: Workspace, life: Life, email: str, *, confirmed: bool) -> None:
    """Let the user of the identity provider have this address."""
    where = f"/users/{life.sub}"
    user = identity_provider(workspace, where).json()
    user |= {"email": email, "emailVerified": confirmed}
    assert identity_provider(workspace, where, user, method="PUT").status_code == 204


def _made(workspace: Workspace, email: str, *, name: str = "") -> Life:
    """Somebody who made an account at the identity provider, and wrote this address into it."""
    name = name or f"mallory{uuid.uuid4().hex[:8]}"
    made = identity_provider(
        workspace,
        "/users",
        {
            "username": name, "enabled": True, "email": email, "emailVerified": False,
            "firstName": "Mal", "lastName": "Lory",
            "credentials": [{"type": "password", "value": PASSWORD, "temporary": False}],
        },
        method="POST",
    )  # fmt: skip
    assert made.status_code == 201, made.text
    return Life(workspace, name, sub=made.headers["location"].rpartition("/")[2])
