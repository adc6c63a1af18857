"""The sample stack's web part: whom it lets in, where it writes, and what it says of its health."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.systems.identity_provider.provider_under_test import CANARY, creation, resolve
from tests.systems.identity_provider.stand_in_wire import Browser, Wire
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.connector import IdentityProvider, connect
from workspace_manager.systems.identity_provider.names import (
    group_target,
    stack_client_target,
    stack_groups,
)
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_sandbox.sample_stack.inside import web as module
from workspace_sandbox.sample_stack.inside.calls import Failed
from workspace_sandbox.sample_stack.inside.notes import File, Statements
from workspace_sandbox.sample_stack.inside.rows import Note
from workspace_sandbox.sample_stack.inside.values import Drive, Triples, read_values
from workspace_sandbox.sample_stack.inside.web import Web
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

NAME, URL = "ada-birds-1a2b", "http://127.0.0.1:20001"
ADMIN, USER = stack_groups(NAME)


class Paper:
    """A place that keeps notes in memory, or cannot be reached."""

    name = "paper"

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.torn = False

    def reach(self) -> None:
        if self.torn:
            raise Failed("the paper is torn")

    def write(self, note: Note) -> None:
        self.reach()
        self.lines.append(note.line)

    def read(self) -> list[str]:
        self.reach()
        return self.lines


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProviderStandIn]:
    one = IdentityProviderStandIn(admin_password="admin")
    with running(one):
        yield one


@pytest.fixture(scope="module")
def system(provider: IdentityProviderStandIn) -> IdentityProvider:
    """With the stack's client, and four people: in one group each, in both, in none."""
    settings = Settings(
        url=provider.url,
        realm="workspace",
        admin_username="admin",
        admin_password=Secret("admin"),
        client_id="manager",
        client_secret=Secret("manager-secret"),
    )
    made = connect(settings, resolve)
    users, groups, clients = (
        made.connectors[f"identity_provider.{kind}"] for kind in ("user", "group", "client")
    )
    sub = {
        name: users.apply(creation(name, name)).facts["sub"]
        for name in ("boss", "both", "member", "stranger")
    }
    for name, inside in ((ADMIN, ("boss", "both")), (USER, ("member", "both"))):
        want: Any = {"members": sorted(sub[one] for one in inside)}
        groups.apply(groups.plan(group_target(name, "mark"), want))
    wanted: Any = {
        "redirect_uris": [f"{URL}/oidc/callback"],
        "post_logout_redirect_uris": [f"{URL}/"],
        "base_url": f"{URL}/",
        "name": "Birds",
    }
    change = clients.plan(stack_client_target(NAME, "mark"), wanted)
    clients.apply(change.model_copy(update={"secrets": {"secret": "vault/client"}}))
    return made


@pytest.fixture
def environment(provider: IdentityProviderStandIn, system: IdentityProvider) -> dict[str, str]:
    return {
        "WORKSPACE_STACK_NAME": NAME,
        "WORKSPACE_STACK_URL": URL,
        "GREETING": "<Hello>",
        "OIDC_ISSUER": f"{provider.url}/realms/workspace",
        "OIDC_CLIENT_ID": NAME,
        "OIDC_CLIENT_SECRET": resolve("vault/client").reveal(),
        "OIDC_ADMIN_GROUP": ADMIN,
        "OIDC_USER_GROUP": USER,
    }


@pytest.fixture
def paper(monkeypatch: pytest.MonkeyPatch) -> Paper:
    one = Paper()
    monkeypatch.setattr(module, "make_note_stores", lambda _values: [one])
    return one


@pytest.fixture
def part(environment: dict[str, str], paper: Paper) -> Iterator[httpx.Client]:
    with open_client(environment) as client:
        yield client


def open_client(environment: dict[str, str]) -> httpx.Client:
    transport = httpx.WSGITransport(app=Web(read_values(environment)), raise_app_exceptions=True)
    return httpx.Client(transport=transport, base_url=URL)


def come_in(part: httpx.Client, provider: IdentityProviderStandIn, name: str) -> httpx.Response:
    """Sign in at the identity provider; gives what the web part answers to whoever comes back."""
    browser = Browser(Wire(provider))
    begun = part.get("/sign-in")
    assert "code_challenge_method=S256" in begun.headers["location"]
    page = browser.send("GET", begun.headers["location"])
    back = browser.fill(page, username=name, password=CANARY)
    return part.get(back.headers["location"])


@pytest.mark.parametrize(
    ("name", "role"), [("boss", "administrator"), ("both", "administrator"), ("member", "user")]
)
def test_members_come_in_and_write(
    part: httpx.Client, provider: IdentityProviderStandIn, paper: Paper, name: str, role: str
) -> None:
    front = part.get("/").text
    assert "&lt;Hello&gt;" in front
    assert "Write it down" not in front
    assert come_in(part, provider, name).headers["location"] == "/"
    page = part.get("/").text
    assert f"<strong>{name}</strong> ({role})" in page
    token = re.findall(r"name='token' value='([^']+)'", page)[0]
    assert part.post("/notes", data={"token": "x", "said": "forged"}).status_code == 403
    assert part.post("/notes", data={"token": token, "said": "a <tit>\n"}).status_code == 303
    assert [line.partition("  ")[2] for line in paper.lines] == [f"{name}: a <tit>"]
    assert "a &lt;tit&gt;" in part.get("/").text
    out = part.post("/sign-out", data={"token": token}).headers["location"]
    assert out.startswith(f"{provider.url}/realms/workspace/protocol/openid-connect/logout?")
    assert httpx.get(out).headers["location"] == f"{URL}/"
    assert part.post("/notes", data={"token": token, "said": "late"}).status_code == 403


def test_nobody_else_comes_in(part: httpx.Client, provider: IdentityProviderStandIn) -> None:
    refused = come_in(part, provider, "stranger")
    assert refused.status_code == 403
    assert "session=" not in refused.headers.get("set-cookie", "")
    assert "Write it down" not in part.get("/").text


def test_whether_a_volume_was_kept_can_be_seen(
    environment: dict[str, str], paper: Paper, tmp_path: Path
) -> None:
    alone = {name: text for name, text in environment.items() if not name.startswith("OIDC")}
    told_where = {**alone, "DATA_DIR": str(tmp_path)}
    first = re.findall(r"kept since ([^.]+)\.", open_client(told_where).get("/").text)
    (tmp_path / "since").write_text("long ago")
    assert "long ago" not in first
    assert "kept since long ago" in open_client(told_where).get("/").text


def test_a_sign_in_of_somebody_else_is_not_taken_over(
    part: httpx.Client, environment: dict[str, str], provider: IdentityProviderStandIn
) -> None:
    """Whoever is sent an address of another's sign-in does not come in as them."""
    browser = Browser(Wire(provider))
    page = browser.send("GET", part.get("/sign-in").headers["location"])
    back = browser.fill(page, username="member", password=CANARY).headers["location"]
    part.cookies.clear()
    assert part.get(back).status_code == 502
    assert part.get("/oidc/callback?code=x&state=").status_code == 502
    assert part.get("/oidc/callback?error=access_denied").status_code == 400


def test_health_is_its_name_once_it_reached_everything(
    environment: dict[str, str], paper: Paper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HEALTHY_S", -1)
    part = open_client(environment)
    paper.torn = True
    answer = part.get("/health")
    assert (answer.status_code, answer.text) == (503, "not yet: paper (the paper is torn)\n")
    paper.torn = False
    answer = part.get("/health")
    assert (answer.status_code, answer.text) == (200, f"ok {NAME}\n")
    lost = open_client({**environment, "OIDC_ISSUER": "http://127.0.0.1:9"}).get("/health")
    assert lost.text == "not yet: sign-in (nothing answers (URLError))\n"


def test_what_it_is_not_told_is_named() -> None:
    known = [f"WORKSPACE_STACK_{name}" for name in ("NAME", "URL")]
    known += [f"SQL_{name}" for name in ("FLAVOUR", "HOST", "PORT", "DATABASE", "USER")]
    with pytest.raises(KeyError, match="SQL_PASSWORD"):
        read_values(dict.fromkeys(known, "1"))


SAID = 'He said "tit" \\ and 🐦 <b>'


def test_a_note_becomes_a_statement() -> None:
    store = TriplestoreStandIn(admin_password="pw")
    with running(store):
        httpx.post(
            f"{store.url}/rest/repositories",
            json={"id": "ts-a", "title": "A"},
            auth=("admin", "pw"),
        ).raise_for_status()
        account = Triples(f"{store.url}/repositories/ts-a", "admin", "pw")
        statements = Statements(account, NAME)
        assert statements.read() == []
        statements.write(Note("ada", SAID, "2026-01-01"))
        assert statements.read() == [f"2026-01-01  ada: {SAID}"]
        assert Statements(account, "another").read() == []
        wrong = Statements(Triples(account.url, "admin", "another"), NAME)
        with pytest.raises(Failed, match="answered 401"):
            wrong.reach()


def test_a_note_becomes_a_line_of_a_file(provider: IdentityProviderStandIn) -> None:
    issuer = f"{provider.url}/realms/workspace"
    drive = DriveStandIn(issuer_url=issuer, client_id="drive", users={"ada": "Pw-1"})
    with running(drive):
        file = File(Drive(drive.url, "ada", "Pw-1", NAME))
        file.reach()
        assert file.read() == []
        for number in (1, 2):
            file.write(Note("ada", f"{SAID}{number}", "2026-01-01"))
        assert file.read() == [f"2026-01-01  ada: {SAID}{number}" for number in (2, 1)]
        wrong = File(Drive(drive.url, "ada", "Pw-2", NAME))
        with pytest.raises(Failed, match="answered 401"):
            wrong.reach()
