"""A whole life over HTTP: register, approve, sign in, work, leave; and what every system says
afterwards.
"""

from dataclasses import dataclass, field
from typing import Any

import httpx
import pymysql

from tests.life.browser import Browser
from workspace_sandbox.patience import eventually

PASSWORD = "lagoon-quartz-Ember-4711"


@dataclass
class Workspace:
    """A running demo, as its JSON line tells of it."""

    told: dict[str, Any]
    api: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        token = self.told["administrator"]["api_token"]
        self.api = httpx.Client(
            base_url=self.told["manager"] + "/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            trust_env=False,
        )

    @property
    def manager(self) -> str:
        return str(self.told["manager"])

    def system(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.told["systems"][name]
        return found

    def control(self, name: str, path: str, body: Any = None, *, method: str = "") -> Any:
        url = self.system(name)["control_url"] + path
        answer = httpx.request(
            method or ("GET" if body is None else "POST"),
            url,
            json=body,
            trust_env=False,
        )
        assert answer.status_code < 300, answer.text
        return answer.json()


@dataclass
class Life:
    """One person in one workspace."""

    workspace: Workspace
    username: str
    browser: Browser = field(default_factory=Browser)
    sub: str = ""

    def register(self) -> None:
        answer = httpx.post(
            f"{self.workspace.manager}/api/v1/registrations",
            json={
                "username": self.username, "email": f"{self.username}@example.org",
                "first_name": "Test",
                "last_name": "Person", "password": PASSWORD, "locale": "de",
                "timezone": "Europe/Berlin",
            },
            trust_env=False,
        )  # fmt: skip
        assert (answer.status_code, answer.json()) == (202, {"status": "pending"})

    def approve(self) -> None:
        items = self.workspace.api.get("/registrations?status=pending&limit=200").json()["items"]
        mine = next(item for item in items if item["username"] == self.username)
        answer = self.workspace.api.post(f"/registrations/{mine['id']}/approve")
        assert answer.status_code == 200, answer.text
        assert answer.json()["status"] == "approved"
        self.sub = answer.json()["sub"]

    def sign_in(self) -> httpx.Response:
        return self.browser.sign_in(f"{self.workspace.manager}/sign-in", self.username, PASSWORD)

    def call(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return self.browser.api(self.workspace.manager, method, path, body)

    def make(self, kind: str, label: str, **more: Any) -> dict[str, Any]:
        """Create a component and wait until it is ready."""
        asked = {"kind": kind, "label": label, "project": None, **more}
        answer = self.call("POST", "/components", asked)
        assert answer.status_code == 202, answer.text
        identity = answer.json()["component"]["id"]
        found: dict[str, Any] = eventually(
            f"{kind} ready",
            lambda: (
                (c := self.call("GET", f"/components/{identity}").json())["state"] == "ready" and c
            ),
        )
        return found

    def key(self, system: str) -> str:
        """Reveal the service key of one system."""
        for item in self.call("GET", "/service-keys").json()["items"]:
            if item["system"] == system:
                answer = self.call("GET", f"/service-keys/{item['id']}/reveal")
                assert answer.status_code == 200, answer.text
                assert answer.headers["cache-control"] == "no-store"
                return str(answer.json()["secret"])
        raise AssertionError(f"no service key for {system}")

    def start_notebook(self) -> None:
        """Sign in to the hub, which starts the notebook."""
        hub = self.workspace.system("notebook_hub")["url"]
        page = self.browser.sign_in(hub, self.username, PASSWORD)
        assert page.status_code == 200, page.text
        try:
            eventually("the notebook answers", self.notebook_answers)
        except AssertionError as late:
            shown = self.browser.get(f"{hub}/user/{self.username}/lab")
            late.add_note(f"{shown.status_code} at {shown.url.path}: {shown.text[-2000:]}")
            raise

    def notebook_answers(self) -> bool:
        """Whether the notebook itself shows a page; until then the hub says that it starts."""
        hub = self.workspace.system("notebook_hub")["url"]
        page = self.browser.get(f"{hub}/user/{self.username}/lab")
        return page.status_code == 200 and page.url.path.startswith("/user/")

    def remove(self) -> str:
        """Draft, approve; gives the plan's id. The preview may not have looked at everything."""
        return self.confirm(self.draft_removal())

    def draft_removal(self) -> dict[str, Any]:
        draft = self.workspace.api.post(f"/people/{self.username}/removal")
        assert draft.status_code == 201, draft.text
        plan: dict[str, Any] = draft.json()
        return plan

    def confirm(self, plan: dict[str, Any], **more: Any) -> str:
        """Approve a draft; gives its id. `more`: further members of the body."""
        answer = self.workspace.api.post(
            f"/plans/{plan['id']}/approve", json={"digest": plan["digest"], **more}
        )
        assert answer.status_code == 202, answer.text
        return str(plan["id"])

    def plan(self, plan_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self.workspace.api.get(f"/plans/{plan_id}").json()
        return found


def sql(
    workspace: Workspace, username: str, password: str, statement: str, database: str | None = None
) -> Any:
    """Run one statement on the SQL server."""
    server = workspace.system("sql_server")
    with (
        pymysql.connect(
            host=server["host"],
            port=int(server["port"]),
            user=username,
            password=password,
            database=database,
        ) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
        return cursor.fetchall()
