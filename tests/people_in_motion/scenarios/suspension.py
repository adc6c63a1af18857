"""Suspended and let back in; withdrawn and expired, and registered again."""

import uuid
from dataclasses import dataclass

from tests.life.person import Life, Workspace
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
    repository,
    wait_for_plans,
    wait_for_removal,
)
from tests.people_in_motion.subject import (
    Subject,
    app_password_of,
    refused_by_drive,
    refused_by_sql,
    refused_by_store,
    story,
)
from workspace_sandbox.patience import eventually


@dataclass(frozen=True)
class KeptSecrets:
    """Every secret that somebody may keep."""

    sql: str
    store: str
    drive: str


def suspended(workspace: Workspace) -> Subject:
    return _suspended(workspace)[0]


def _suspended(workspace: Workspace) -> tuple[Subject, KeptSecrets]:
    subject = inside(workspace)
    database(subject)
    repository(subject)
    life = subject.life
    kept = KeptSecrets(life.key("sql_server"), life.key("triplestore"), app_password_of(subject))
    life.start_notebook()
    assert not refuses_secrets(subject, kept)
    ordered(subject, "suspend")
    wait_for_plans(workspace, life.username)
    assert life.call("GET", "/me").status_code == 401
    assert refuses_secrets(subject, kept)
    return subject, kept


def refuses_secrets(subject: Subject, kept: KeptSecrets) -> bool:
    """Whether all of it opens nothing; else all of it opens what it should."""
    workspace, name = subject.workspace, subject.life.username
    found = {
        "sql": refused_by_sql(workspace, name, kept.sql),
        "store": refused_by_store(workspace, name, kept.store, subject.repositories[0]),
        "drive": refused_by_drive(subject, kept.drive),
    }
    assert len({*found.values()}) == 1, found
    return found["sql"]


def suspended_and_back(workspace: Workspace) -> Subject:
    subject, kept = _suspended(workspace)
    ordered(subject, "resume")
    wait_for_plans(workspace, subject.life.username)
    assert not refuses_secrets(subject, kept)
    subject.life.browser.close()
    subject.life = Life(workspace, subject.life.username, sub=subject.life.sub)
    assert subject.life.sign_in().status_code == 200
    assert subject.life.call("GET", "/me").json()["sub"] == subject.life.sub
    return subject


def suspended_while_a_database_is_made(workspace: Workspace) -> Subject:
    """Two writers on one user there: what is written for the database never lifts the fence, and
    goes on when it was lifted.
    """
    subject = inside(workspace)
    asked_for(subject, "sql_database")
    ordered(subject, "suspend")
    eventually("shut out", lambda: subject.ask("identity") == "shut")
    ordered(subject, "resume")
    wait_for_plans(workspace, subject.life.username)
    subject.life.browser.close()
    subject.life = Life(workspace, subject.life.username, sub=subject.life.sub)
    assert subject.life.sign_in().status_code == 200
    component = subject.life.call("GET", "/components").json()["items"][0]
    assert component["state"] == "ready"
    subject.databases.append(component["address"].rpartition("/")[2])
    kept = identity_provider(workspace, f"/users/{subject.life.sub}").json()["attributes"]
    assert any("sql" in attribute for attribute in kept), kept
    return subject


def suspended_and_removed(workspace: Workspace) -> Subject:
    subject = suspended(workspace)
    removed(subject)
    return subject


def withdrawn(workspace: Workspace) -> Subject:
    subject = newcomer(workspace)
    row = registration(subject, "approved")
    answer = workspace.api.post(f"/registrations/{row}/withdraw")
    assert answer.status_code == 202
    wait_for_removal(subject, answer.json()["plan"])
    assert (
        subject.life.sign_in().status_code != 200
        or subject.life.call("GET", "/me").status_code == 401
    )
    return subject


def withdrawn_and_registered_again(workspace: Workspace) -> Subject:
    first = withdrawn(workspace)
    subject = newcomer(workspace, first.life.username)
    subject.subs += first.subs
    assert subject.life.sign_in().status_code == 200
    project(subject)
    return subject


def expired_and_registered_again(workspace: Workspace) -> Subject:
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
