"""Suspended and let back in; withdrawn and expired, and registered again."""

import uuid

from tests.life.person import Life, Workspace, eventually
from tests.life.systems import identity_provider
from tests.people_in_motion.scenarios.actions import (
    asked_for,
    database,
    inside,
    newcomer,
    ordered,
    project,
    registration,
    removed,
    settled,
)
from tests.people_in_motion.subject import Moved, refused_by_sql, story


def suspended(workspace: Workspace) -> Moved:
    moved = inside(workspace)
    database(moved)
    password = moved.life.key("sql_server")
    moved.life.start_notebook()
    ordered(moved, "suspend")
    settled(workspace, moved.life.username)
    assert moved.life.call("GET", "/me").status_code == 401
    assert refused_by_sql(workspace, moved.life.username, password)
    return moved


def suspended_and_back(workspace: Workspace) -> Moved:
    moved = suspended(workspace)
    ordered(moved, "resume")
    settled(workspace, moved.life.username)
    moved.life.browser.close()
    moved.life = Life(workspace, moved.life.username, sub=moved.life.sub)
    assert moved.life.sign_in().status_code == 200
    assert moved.life.call("GET", "/me").json()["sub"] == moved.life.sub
    return moved


def suspended_while_a_database_is_made(workspace: Workspace) -> Moved:
    """Two writers on one user there: what is written for the database never lifts the fence, and goes on when it was lifted."""
    moved = inside(workspace)
    asked_for(moved, "sql_database")
    ordered(moved, "suspend")
    eventually("shut out", lambda: moved.ask("identity") == "shut")
    ordered(moved, "resume")
    settled(workspace, moved.life.username)
    moved.life.browser.close()
    moved.life = Life(workspace, moved.life.username, sub=moved.life.sub)
    assert moved.life.sign_in().status_code == 200
    component = moved.life.call("GET", "/components").json()["items"][0]
    assert component["state"] == "ready"
    moved.databases.append(component["address"].rpartition("/")[2])
    kept = identity_provider(workspace, f"/users/{moved.life.sub}").json()["attributes"]
    assert any("sql" in attribute for attribute in kept), kept
    return moved


def suspended_and_removed(workspace: Workspace) -> Moved:
    moved = suspended(workspace)
    removed(moved)
    return moved


def withdrawn(workspace: Workspace) -> Moved:
    moved = newcomer(workspace)
    row = registration(moved, "approved")
    answer = workspace.api.post(f"/registrations/{row}/withdraw")
    assert (answer.status_code, answer.json()["status"]) == (200, "withdrawn")
    assert (
        moved.life.sign_in().status_code != 200 or moved.life.call("GET", "/me").status_code == 401
    )
    return moved


def withdrawn_and_registered_again(workspace: Workspace) -> Moved:
    first = withdrawn(workspace)
    moved = newcomer(workspace, first.life.username)
    moved.subs += first.subs
    assert moved.life.sign_in().status_code == 200
    project(moved)
    return moved


def expired_and_registered_again(workspace: Workspace) -> Moved:
    life = Life(workspace, f"m{uuid.uuid4().hex[:8]}")
    life.register()
    story(
        workspace,
        "from datetime import timedelta\n"
        "from django.utils import timezone\n"
        "from workspace_manager.people import register\n"
        "from workspace_manager.records.models import Registration\n"
        f"Registration.objects.filter(username={life.username!r}).update(\n"
        "    created_at=timezone.now() - timedelta(days=99))\n"
        "register.expire_old()\n",
    )
    rows = workspace.api.get("/registrations?status=expired&limit=200").json()["items"]
    assert life.username in {row["username"] for row in rows}
    return inside(workspace, life.username)
