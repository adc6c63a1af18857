"""Attacks with what was held on to: by the suspended, by a leaver's script; and by a system that
refuses one thing.
"""

import threading
from functools import partial
from typing import Any

from tests.attack.scene import Scene
from tests.life.holdings import Holder
from tests.life.person import Life
from workspace_sandbox.patience import eventually

SESSIONS = (
    "cookies", "open SQL session", "token", "authorization code",
)  # fmt: skip


def a_suspension_shuts_everything(scene: Scene) -> None:
    """Whatever opened a door is tried while suspended, and each secret again afterwards."""
    life = scene.somebody()
    held = Holder(life).everything()
    reusable = [one for one in held if not one.once]
    secrets = [one for one in reusable if not any(word in one.name for word in SESSIONS)]
    assert {"app password", "SQL password", "triplestore password"} <= {o.name for o in secrets}
    assert [one.name for one in reusable if not one.opens()] == []
    scene.suspended(life)
    assert [one.name for one in held if one.opens()] == []
    scene.resumed(life)
    assert [one.name for one in secrets if not one.opens()] == [], "no secret was replaced"
    scene.removed(life)
    assert [one.name for one in held if one.opens()] == []


def a_script_that_goes_on_making_things_keeps_nobody(scene: Scene) -> None:
    """Three people whose scripts create without end: each removal is accepted at once, and leaves
    nothing.
    """
    for _ in range(3):
        life = scene.somebody()
        token = life.call("POST", "/me/tokens", {"name": "script"}).json()["token"]
        with Making(scene, token):
            eventually("something is made", partial(_made, life))
            scene.ended(life.remove())
        assert _left_in_sql(scene, life.username) == []


def a_permission_over_everything_opens_nothing(scene: Scene) -> None:
    """Whoever may change all projects and components adds himself, a second account, and what is
    somebody's to where he reads it; and lets everybody read.
    """
    owner, holder, second = scene.somebody(), scene.somebody(), scene.somebody()
    project = owner.call("POST", "/projects", {"label": "Not theirs"}).json()["id"]
    shared = holder.call("POST", "/projects", {"label": "Theirs"}).json()["id"]
    component = f"/components/{owner.make('triplestore_repository', 'Ferns')['id']}"
    owner.call("POST", f"/projects/{shared}/membership-requests")
    (asked,) = holder.call("GET", f"/projects/{shared}/membership-requests").json()["items"]
    holder.call("POST", f"/projects/{shared}/membership-requests/{asked['id']}/approve")
    scene.given(holder, "administer_projects", "administer_components")
    second.call("POST", f"/projects/{project}/membership-requests")
    (asked,) = holder.call("GET", f"/projects/{project}/membership-requests").json()["items"]
    for method, path, body in (
        ("PUT", f"/projects/{project}/members/{holder.username}", {"role": "manage"}),
        ("PUT", f"/projects/{project}/members/{second.username}", {"reason": "mine"}),
        ("POST", f"/projects/{project}/membership-requests/{asked['id']}/approve", {}),
        ("POST", f"/projects/{project}/invitations", {"username": second.username}),
        ("PATCH", component, {"project": shared}),
        ("PATCH", component, {"public_read": True}),
    ):
        assert holder.call(method, path, body).status_code == 403, (method, path)
    assert second.call("GET", "/me/invitations").json()["count"] == 0
    assert owner.call("GET", f"/projects/{project}/members").json()["count"] == 0
    assert owner.call("GET", component).json()["project"] is None
    for life in (second, holder, owner):
        scene.removed(life)


class Making:
    """A script that asks for one database after the other, through its token."""

    def __init__(self, scene: Scene, token: str) -> None:
        self._script, self._stop = scene.api(token), threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._script.close()

    def _run(self) -> None:
        n = 0
        while not self._stop.wait(0.05):
            n += 1
            body = {"kind": "sql_database", "label": f"Heap {n}", "project": None}
            self._script.post("/components", json=body)


def _made(life: Life) -> bool:
    return bool(life.call("GET", "/components").json()["items"])


def _left_in_sql(scene: Scene, username: str) -> list[Any]:
    state = scene.workspace.control("sql_server", "/state")
    return [name for name in state["databases"] if username in name]


def one_refusal_pauses_no_system(scene: Scene) -> None:
    """The ontology editor refuses one project with 403; everybody else's work there goes on."""
    life, other = scene.somebody(), scene.somebody()
    editor = scene.workspace
    refused = {"method": "POST", "path": "projects", "fault": "status", "status": 403, "times": 9}
    since = editor.control("ontology_editor", "/calls")["next"]
    editor.control("ontology_editor", "/faults", refused)
    made = life.call("POST", "/projects", {"label": "Refused once"})
    assert made.status_code in {201, 202}, made.text

    def was_refused() -> bool:
        items = editor.control("ontology_editor", f"/calls?since={since}")["items"]
        return any(call["status"] == 403 for call in items)

    eventually("the editor refuses", was_refused)
    eventually("the refusal is written down", partial(_stuck, scene))
    assert not editor.api.get("/systems/ontology_editor").json()["paused"]
    editor.control("ontology_editor", "/faults", method="DELETE")
    project = other.call("POST", "/projects", {"label": "Goes on"}).json()
    path = f"/projects/{project['id']}"
    eventually("another project is linked", lambda: _linked(other.call("GET", path).json()))
    scene.removed(other)
    scene.removed(life)


def _stuck(scene: Scene) -> bool:
    return bool(scene.workspace.api.get("/plans?state=stuck").json()["items"])


def _linked(project: dict[str, Any]) -> bool:
    return bool(project["ontology_project_id"])


def the_next_thing_works_after_a_key_was_shown(scene: Scene) -> None:
    """Second and third components of each kind, after the key was revealed."""
    life = scene.somebody()
    for kind, system in (("sql_database", "sql_server"), ("triplestore_repository", "triplestore")):
        life.make(kind, "First")
        assert life.key(system)
        life.make(kind, "Second")
        life.make(kind, "Third")
    scene.removed(life)
