"""A whole life with failures, at DEBUG; then every secret that passed through is searched
everywhere it must not be.
"""

import contextlib
import json
import os
import signal
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from tests.figures import report
from tests.life.browser import Browser, document
from tests.life.person import PASSWORD, Life, Workspace
from tests.life.test_drive import attributes
from tests.secret_leaks.search import Search, files
from workspace_sandbox.demo import Demo
from workspace_sandbox.patience import PATIENCE_S, eventually
from workspace_sandbox.secrets_file import read_or_make

SETTINGS = {
    "WORKSPACE_LOG_LEVEL": "DEBUG",
    "WORKSPACE_LONGEST_WAIT_SECONDS": "0.3",
    "PYTHONFAULTHANDLER": "1",
}
WRONG = f"canary-{uuid.uuid4().hex}"
"""A password of the drive's administrator that is refused there."""
HAS_SECRETS = {"systems", "demo.json", "environment", "sandbox.log"}
"""What the stand-ins keep, and what a demo tells its user and their shell: their secrets are
theirs.
"""
PLACES = (
    "file workspace.sqlite3", "file queue.sqlite3", "file web.log", "file worker.log", "letter ",
    "table records_plan",
    "table records_session", "answer GET /manage", "answer GET /api/v1/plans", "process list",
)  # fmt: skip
MOST_PAGES = 80


class Witness:
    """Keeps every answer of the manager, and who called which programs how."""

    def __init__(self, workspace: Workspace) -> None:
        self.manager = workspace.manager
        self.answers: list[tuple[str, bytes]] = []
        self.processes: dict[str, bytes] = {}
        self.cookies: dict[str, str] = {}
        workspace.api.event_hooks["response"].append(self.heard)

    def browser(self) -> Browser:
        browser = Browser()
        browser.http.event_hooks["response"].append(self.heard)
        return browser

    def heard(self, answer: httpx.Response) -> None:
        for cookie in answer.cookies.jar:
            if cookie.name == "sessionid" and cookie.value:
                self.cookies[f"session {len(self.cookies)}"] = cookie.value
        if not str(answer.url).startswith(self.manager):
            return
        answer.read()
        headers = "\n".join(f"{k}: {v}" for k, v in answer.headers.items() if k != "set-cookie")
        place = f"answer {answer.request.method} {answer.url.path}"
        self.answers.append((place, headers.encode() + b"\n\n" + answer.content))

    def look_at_processes(self) -> None:
        """Every process of this machine, as anybody sees it."""
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                self.processes[f"process list {entry.parent.name}"] = entry.read_bytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "demo"


@pytest.fixture
def workspace(folder: Path) -> Iterator[Workspace]:
    demo = Demo(port=0, data_dir=folder, settings=SETTINGS)
    try:
        yield Workspace(demo.start())
    finally:
        demo.stop()


def weather(workspace: Workspace, rate: float) -> None:
    for name in workspace.told["systems"]:
        workspace.control(name, "/weather", {"seed": 3, "rate": rate})


def persist(what: str, act: Any) -> Any:
    """Ask again until it works: in bad weather a person does."""
    return eventually(what, lambda: (answer := act()).status_code < 300 and answer)


def retry_stuck(workspace: Workspace) -> None:
    for system in workspace.api.get("/systems").json()["items"]:
        if system["paused"]:
            workspace.api.post(f"/systems/{system['name']}/resume")
    for plan in workspace.api.get("/plans?state=stuck").json()["items"]:
        for step in plan["steps"]:
            if step["state"] == "stuck":
                workspace.api.post(f"/plans/{plan['id']}/steps/{step['n']}/retry")


def finished(life: Life, plan_id: str) -> bool:
    retry_stuck(life.workspace)
    return bool(life.plan(plan_id)["state"] == "done")


def live(workspace: Workspace, witness: Witness) -> dict[str, str]:
    """One person's whole life in bad weather; gives the secrets that only its systems know."""
    life = Life(workspace, f"c{uuid.uuid4().hex[:8]}", browser=witness.browser())
    weather(workspace, 0.15)
    life.register()
    [row] = workspace.api.get("/registrations?status=pending&limit=200").json()["items"][-1:]
    approved = persist(
        "approved", lambda: workspace.api.post(f"/registrations/{row['id']}/approve")
    )
    life.sub = approved.json()["sub"]
    weather(workspace, 0)
    assert life.sign_in().status_code == 200
    persist("drive connected", lambda: life.call("POST", "/me/drive"))
    for name in ("sql_server", "triplestore"):
        for fault in ("status", "html", "truncated"):
            workspace.control(name, "/faults", {"fault": fault})
    for kind in ("sql_database", "triplestore_repository"):
        made = life.call("POST", "/components", {"kind": kind, "label": "Canary", "project": None})
        identity = made.json()["component"]["id"]

        def ready(identity: str = identity) -> bool:
            retry_stuck(workspace)
            return bool(life.call("GET", f"/components/{identity}").json()["state"] == "ready")

        eventually(kind, ready)
    witness.look_at_processes()
    learned = {
        "SQL password": life.key("sql_server"),
        "triplestore password": life.key("triplestore"),
        "app password": eventually("app password", lambda: _app_password(life)),
        **of_a_program(life),
        **of_a_stack(life),
    }
    witness.look_at_processes()
    walk(witness, life.browser, workspace.manager)
    weather(workspace, 0.1)
    plan = life.remove()
    eventually("removed", lambda: finished(life, plan))
    weather(workspace, 0)
    return learned


def of_a_program(life: Life) -> dict[str, str]:
    """A key for a program is made and renewed, and so is the person's own: each is shown once."""
    items = life.call("GET", "/components").json()["items"]
    [database] = [one["id"] for one in items if one["kind"] == "sql_database"]
    body = {"component": database, "purpose": "Canary"}
    assert life.call("POST", "/service-keys", body).status_code == 202
    keys = {
        ("SQL" if key["component"] is None else "machine key"): key["id"]
        for key in life.call("GET", "/service-keys").json()["items"]
        if key["system"] == "sql_server"
    }
    found = {"machine key, shown": _shown(life, keys["machine key"])}
    for name, key in keys.items():
        persist("renewed", lambda key=key: life.call("POST", f"/service-keys/{key}/renew"))
        found[f"{name}, renewed and shown"] = _shown(life, key)
    return found


def _shown(life: Life, key: str) -> str:
    """Once the plan that makes or renews it is done."""

    def look() -> Any:
        retry_stuck(life.workspace)
        return life.call("GET", f"/service-keys/{key}/reveal").json().get("secret")

    return str(eventually("the key is shown", look))


def of_a_stack(life: Life) -> dict[str, str]:
    """A stack is made: what its containers are given is theirs alone, and nobody is shown it."""
    body: dict[str, object] = {"label": "Canary", "template": "sample", "parameters": {}}
    made = life.call("POST", "/stacks", body)
    assert made.status_code == 202, made.text
    identity = made.json()["stack"]["id"]

    def ready() -> bool:
        retry_stuck(life.workspace)
        return bool(life.call("GET", f"/stacks/{identity}").json()["state"] == "ready")

    eventually("the stack", ready)
    manager = life.workspace.system("container_manager")
    answer = httpx.get(
        f"{manager['url']}/api/stacks",
        headers={"X-API-Key": manager["api_key"]},
        trust_env=False,
    )
    [row] = answer.json()
    given = {pair["name"]: pair["value"] for pair in row["Env"]}
    assert given.keys() == {
        "OIDC_CLIENT_SECRET", "SQL_PASSWORD", "SPARQL_PASSWORD", "DRIVE_PASSWORD"
    }  # fmt: skip
    return {f"{name} of a stack": value for name, value in given.items()}


def _app_password(life: Life) -> str:
    """As the identity provider keeps it; what is asked may meet the weather."""
    with contextlib.suppress(httpx.HTTPError, KeyError, ValueError):
        return attributes(life)["filesvc_app_password"]
    return ""


def a_wrong_password(workspace: Workspace) -> None:
    """Somebody types another password of the drive's administrator; the drive refuses it, and
    everybody is told.
    """
    right = workspace.system("drive")["admin_password"]
    for value in (WRONG, right):
        answer = workspace.api.patch("/systems/drive", json={"settings": {"admin_password": value}})
        assert answer.status_code == 200, answer.text
        workspace.api.post("/systems/drive/check")
        workspace.api.get("/systems/drive")


def a_broken_table(workspace: Workspace, folder: Path) -> None:
    """The database fails while the manager has a password in its hands; then a row is not what it
    was.
    """
    body = {
        "username": "unlucky", "email": "unlucky@example.org", "first_name": "Un",
        "last_name": "Lucky",
        "password": PASSWORD, "locale": "en", "timezone": "UTC",
    }  # fmt: skip
    database_file = folder / "workspace.sqlite3"
    with closing(
        sqlite3.connect(database_file, timeout=PATIENCE_S, isolation_level=None)
    ) as database:
        database.execute("ALTER TABLE records_mail RENAME TO hidden")
        try:
            answer = workspace.api.post("/registrations", json=body)
        finally:
            database.execute("ALTER TABLE hidden RENAME TO records_mail")
        assert answer.status_code == 500
        [[plan, remarks]] = database.execute("SELECT id, remarks FROM records_plan LIMIT 1")
        broken = json.dumps([{"no": "message"}])
        database.execute("UPDATE records_plan SET remarks = ? WHERE id = ?", (broken, plan))
        answer = workspace.api.get(f"/plans/{uuid.UUID(plan)}")
        database.execute("UPDATE records_plan SET remarks = ? WHERE id = ?", (remarks, plan))
        assert answer.status_code == 500, answer.text


def walk(witness: Witness, browser: Browser, manager: str) -> None:
    """Follow every link of the manager's pages."""
    waiting = [f"{manager}/"]
    seen: set[str] = set()
    while waiting and len(seen) < MOST_PAGES:
        url = waiting.pop(0).partition("#")[0]
        if url in seen or "sign-out" in url or not url.startswith(manager):
            continue
        seen.add(url)
        page = browser.get(url)
        if not page.text or "html" not in page.headers.get("content-type", ""):
            continue
        waiting += [
            urljoin(str(page.url), link.attrib["href"])
            for link in document(page.text).iter("a")
            if "href" in link.attrib
        ]
    assert len(seen) > 5, seen


def everything_the_api_shows(workspace: Workspace) -> None:
    """Every list and document that takes no argument."""
    paths = workspace.api.get("/openapi.json").json()["paths"]
    base = urlsplit(workspace.manager).path + "/api/v1"
    for path, verbs in paths.items():
        if "get" in verbs and "{" not in path:
            workspace.api.get(path.removeprefix(base))
    for plan in workspace.api.get("/plans?limit=200").json()["items"]:
        workspace.api.get(f"/plans/{plan['id']}")


def crash(workspace: Workspace) -> None:
    """End worker and web as a bug in a library would. What they leave is in their logs: they may
    leave no image of their memory.
    """
    for name in ("worker", "web"):
        pid = workspace.told["processes"][name]
        limits = Path(f"/proc/{pid}/limits").read_text()
        [line] = [line for line in limits.splitlines() if line.startswith("Max core file size")]
        assert line.split()[4:6] == ["0", "0"], f"{name} would leave an image of its memory: {line}"
        os.kill(pid, signal.SIGABRT)


@pytest.mark.thorough
def test_no_secret_is_found_anywhere(
    workspace: Workspace, folder: Path, request: pytest.FixtureRequest
) -> None:
    witness = Witness(workspace)
    told = workspace.told
    ada = told["administrator"]
    learned = live(workspace, witness)
    a_wrong_password(workspace)
    a_broken_table(workspace, folder)
    everything_the_api_shows(workspace)
    browser = witness.browser()
    assert (
        browser.sign_in(
            f"{workspace.manager}/sign-in", ada["username"], ada["password"]
        ).status_code
        == 200
    )
    walk(witness, browser, workspace.manager)
    witness.look_at_processes()
    crash(workspace)

    known = {
        name: value
        for name, value in read_or_make(folder / "systems").items()
        if not name.endswith(".port")
    }
    secrets = {
        **known,
        **learned,
        "registration password": PASSWORD,
        "password of the administrator": ada["password"],
        **{f"password of {person['username']}": person["password"] for person in told["people"]},
        "API token": ada["api_token"],
        "wrong admin password": WRONG,
        **witness.cookies,
    }
    assert len(known) >= 13
    assert all(len(value) >= 12 for value in secrets.values()), secrets.keys()
    shown: tuple[str, ...] = ("answer GET /api/v1/service-keys/",)
    once = {"SQL password", "triplestore password"} | {n for n in secrets if n.endswith("shown")}
    kept_in = dict.fromkeys(once, shown)
    search = Search(secrets, kept_in)
    places = [*witness.answers, *witness.processes.items(), *files(folder, HAS_SECRETS)]
    for place, content in places:
        search.look(place, content)
    report(request.node, search.line())
    names = {place for place, _ in places}
    for part in PLACES:
        assert any(name.startswith(part) for name in names), f"{part} was not searched"
    # The search is not blind: it sees those that are where they are meant to be. Keys of sessions
    # are nowhere, as their hashes alone are kept.
    assert witness.cookies
    assert once == search.seen
    log = (folder / "web.log").read_text() + (folder / "worker.log").read_text()
    assert "Traceback" in log, "an unexpected error leaves a traceback"
    assert "Fatal Python error: Aborted" in log
    assert " DEBUG " in log
    assert not search.found, "\n".join(search.found)
