"""Ask every system, by its own interface, what there is of somebody now. Nothing here asks the
manager but the last word.

The answers are words, so that a table can hold them: `gone`, `here`, `shut`, or a number of things.
"""

import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

import httpx
import pymysql

from tests.life.person import Life, Workspace, sql
from tests.life.systems import identity_provider
from workspace_manager.records.models import Person
from workspace_sandbox.patience import PATIENCE_S

COLUMNS = (
    "here",
    "identity",
    "drive",
    "sql",
    "databases",
    "store",
    "repositories",
    "projects",
    "member",
    "notebook",
)


@dataclass
class Subject:
    """Whom a case is about, and what of theirs to look for: kept by the test, since the manager may
    have forgotten it.
    """

    life: Life
    databases: list[str] = field(default_factory=list)
    repositories: list[str] = field(default_factory=list)
    projects: list[str] = field(default_factory=list)
    subs: list[str] = field(default_factory=list)

    @property
    def workspace(self) -> Workspace:
        return self.life.workspace

    def state(self) -> dict[str, str]:
        """One word per system."""
        return {column: self.ask(column) for column in COLUMNS}

    def ask(self, column: str) -> str:
        """The word of one system alone: others may just be broken."""
        word: str = getattr(self, f"_{column}")()
        return word

    def _here(self) -> str:
        """Who waits or was approved is not here."""
        answer = self.workspace.api.get(f"/people/{self.life.username}")
        state = "" if answer.status_code == 404 else str(answer.json()["state"])
        return state if state in Person.State.values else "gone"

    def _identity(self) -> str:
        found = [
            identity_provider(self.workspace, f"/users/{sub}")
            for sub in {*self.subs, self.life.sub}
        ]
        users = [answer.json() for answer in found if answer.status_code == 200]
        assert len(users) <= 1, users
        if not users:
            return "gone"
        if users[0]["enabled"]:
            return "here"
        sessions = identity_provider(self.workspace, f"/users/{users[0]['id']}/sessions").json()
        return "shut" if not sessions else f"{len(sessions)} sessions"

    def _drive(self) -> str:
        drive = self.workspace.system("drive")
        answers = [
            httpx.get(
                f"{drive['url']}/ocs/v2.php/cloud/users/{sub}?format=json",
                headers={"OCS-APIRequest": "true"},
                auth=(drive["admin_username"], drive["admin_password"]),
                trust_env=False,
            )
            for sub in {*self.subs, self.life.sub}
        ]
        there = [one.json()["ocs"]["data"]["enabled"] for one in answers if one.status_code == 200]
        if not there:
            return "gone"
        return "here" if any(there) else "shut"

    def _sql(self) -> str:
        rows = self._rows(
            "SELECT JSON_VALUE(Priv, '$.account_locked') FROM mysql.global_priv"
            f" WHERE User = '{self.life.username}'"
        )
        if not rows:
            return "gone"
        return "shut" if str(rows[0][0]) in {"1", "true"} else "here"

    def _databases(self) -> str:
        shown = {row[0] for row in self._rows("SHOW DATABASES")}
        return str(len(shown & set(self.databases)))

    def _rows(self, statement: str) -> Any:
        server = self.workspace.system("sql_server")
        return sql(self.workspace, server["admin_username"], server["admin_password"], statement)

    def granted(self, database: str) -> set[str]:
        """Who may do something in a database."""
        rows = self._rows("SELECT User, Db FROM mysql.db")
        return {user for user, pattern in rows if pattern.replace("\\", "") == database}

    def _store(self) -> str:
        found = self._triplestore(f"/rest/security/users/{self.life.username}")
        if found.status_code == 404:
            return "gone"
        rights = found.json()["grantedAuthorities"]
        return str(len([right for right in rights if right.startswith("WRITE_REPO")]))

    def _repositories(self) -> str:
        listed = {one["id"] for one in self._triplestore("/rest/repositories").json()}
        return str(len(listed & set(self.repositories)))

    def _triplestore(self, path: str) -> httpx.Response:
        store = self.workspace.system("triplestore")
        return httpx.get(
            store["url"] + path,
            auth=(store["admin_username"], store["admin_password"]),
            headers={"Accept": "application/json"},
            trust_env=False,
        )

    def _projects(self) -> str:
        mine = [p for p in self._editor() if p["owner"] == self.life.username and not p["inTrash"]]
        return str(len(mine))

    def _editor(self) -> list[dict[str, Any]]:
        editor = self.workspace.system("ontology_editor")
        found: list[dict[str, Any]] = httpx.get(
            f"{editor['url']}/data/projects",
            headers={"Authorization": f"apikey {editor['api_key']}"},
            trust_env=False,
        ).json()
        return found

    def _member(self) -> str:
        """Projects of others in which the editor lets this person do something; no interface of it
        tells, so its stand-in does.
        """
        projects = self.workspace.control("ontology_editor", "/state")["projects"].values()
        name = self.life.username
        return str(len([one for one in projects if name in one["roles"] and one["owner"] != name]))

    def _notebook(self) -> str:
        manager = self.workspace.system("container_manager")
        found = httpx.get(
            f"{manager['url']}/api/endpoints/{manager['environment_id']}/docker/containers/"
            f"jupyter-{self.life.username}/json",
            headers={"X-API-Key": manager["api_key"]},
            trust_env=False,
        )
        # A hub may keep the container of a notebook that was stopped, or not.
        runs = found.status_code == 200 and found.json()["State"]["Running"]
        return "runs" if runs else "none"


def story(workspace: Workspace, code: str) -> str:
    """Run a story of the manager where it has no door: in a process of its own, on the same
    database.
    """
    environment = {**workspace.told["environment"], "PATH": "/usr/bin:/bin"}
    lines = f"import workspace_manager.bootstrap\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", lines],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def refused_by_store(workspace: Workspace, user: str, password: str, repository: str) -> bool:
    """Whether the triplestore lets nobody read and write this repository with this password."""
    store, auth = workspace.system("triplestore"), (user, password)
    where = f"{store['url']}/repositories/{repository}"
    update = {"update": "INSERT DATA { <urn:a> <urn:b> <urn:c> }"}
    found = {
        httpx.get(f"{where}/size", auth=auth, trust_env=False).is_success,
        httpx.post(f"{where}/statements", data=update, auth=auth, trust_env=False).is_success,
    }
    assert len(found) == 1, "it reads or writes, and not both"
    return not found.pop()


def app_password_of(subject: "Subject") -> str:
    """What the manager stored for the drive, as somebody kept it."""
    kept = identity_provider(subject.workspace, f"/users/{subject.life.sub}").json()["attributes"]
    return str(kept["filesvc_app_password"][0])


def refused_by_drive(subject: "Subject", app_password: str) -> bool:
    """Whether the drive lets nobody in with this app password."""
    drive = subject.workspace.system("drive")
    answer = httpx.get(
        f"{drive['url']}/ocs/v2.php/cloud/user?format=json",
        headers={"OCS-APIRequest": "true", "Authorization": f"Bearer {app_password}"},
        trust_env=False,
    )
    assert answer.status_code in {200, 401}, answer.text
    return answer.status_code == 401


def refused_by_sql(workspace: Workspace, user: str, password: str) -> bool:
    """Whether the SQL server lets nobody in with this."""
    try:
        sql(workspace, user, password, "SELECT 1")
    except pymysql.MySQLError:
        return True
    return False
