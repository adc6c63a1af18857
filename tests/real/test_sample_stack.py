"""The sample stack as a container of a real engine: what it does with the four accesses it is
given, and that it has none of them once they are taken.
"""

import contextlib
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pymysql
import pytest

from tests.real.test_keycloak import fresh
from tests.systems.identity_provider.life_of_groups import CLIENT, GROUP, client, group
from tests.systems.identity_provider.provider_under_test import CANARY, SECRETS, ProviderUnderTest
from tests.systems.identity_provider.stand_in_wire import Browser, Wire
from workspace_manager.systems.identity_provider.names import stack_groups
from workspace_sandbox import children
from workspace_sandbox.patience import eventually
from workspace_sandbox.real import keycloak, mariadb, podman
from workspace_sandbox.sample_stack import image
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

pytestmark = pytest.mark.real

ROW, TRIPLE, FILE = (f"{CANARY}-{name}" for name in ("row", "triple", "file"))


@dataclass
class Stack:
    """One stack, and everything it was given."""

    name: str
    url: str
    provider: ProviderUnderTest
    database: Any
    store: TriplestoreStandIn
    drive: DriveStandIn
    command: Callable[..., str]

    def health(self) -> str:
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"{self.url}/health").text
        return ""

    def sql(self, *statements: str) -> list[tuple[Any, ...]]:
        with self.database.cursor() as cursor:
            for one in statements:
                cursor.execute(one)
            return list(cursor.fetchall())

    def come_in(self, username: str) -> tuple[httpx.Client, httpx.Response]:
        """Sign in at the identity provider; gives the browser at the stack, and what it is told."""
        part = httpx.Client(base_url=self.url)
        wire = SimpleNamespace(base=self.provider.settings.url)
        browser = Browser(cast(Wire, wire))
        page = browser.send("GET", part.get("/sign-in").headers["location"])
        back = browser.fill(page, username=username, password=CANARY)
        return part, part.get(back.headers["location"])


@pytest.fixture(scope="module")
def provider(real_keycloak: keycloak.Keycloak) -> ProviderUnderTest:
    made = fresh(real_keycloak, f"sample-{uuid.uuid4().hex[:8]}")
    made.set_up()
    return made


@pytest.fixture(scope="module")
def database(real_mariadb: mariadb.MariaDB) -> Iterator[Any]:
    address = real_mariadb.address
    assert address
    with contextlib.closing(
        pymysql.connect(
            host=address.host,
            port=address.port,
            user=address.admin_username,
            password=address.admin_password.reveal(),
            autocommit=True,
        )
    ) as connection:
        yield connection


@pytest.fixture(scope="module")
def stack(
    provider: ProviderUnderTest,
    database: Any,
    real_podman: podman.Podman,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stack]:
    assert real_podman.url
    image.make(real_podman.url)
    token = uuid.uuid4().hex[:8]
    name, port = f"ada-birds-{token}", children.free_port()
    store, issuer = TriplestoreStandIn(admin_password="pw"), provider.settings.url + "/realms/x"
    drive = DriveStandIn(issuer_url=issuer, client_id="drive", users={"ada": FILE})
    with running(store), running(drive):
        made = Stack(
            name, f"http://127.0.0.1:{port}", provider, database, store, drive, real_podman.command
        )
        values = {**_systems(made, token), "WEB_PORT": str(port), "WEB_ADDRESS": "127.0.0.1"}
        file = tmp_path_factory.mktemp("stack") / "environment"
        file.write_text("".join(f"{one}={text}\n" for one, text in values.items()))
        _start(real_podman, made, file)
        try:
            yield made
        finally:
            real_podman.command("rm", "--force", "--time", "0", name)


def _systems(stack: Stack, token: str) -> dict[str, str]:
    """Make its accounts; gives what it is told. Of its database it may not make tables yet."""
    name, user = f"ws_{token}", f"m_{token}"
    stack.sql(
        f"CREATE DATABASE {name}",
        f"CREATE USER {user}@'%' IDENTIFIED BY '{ROW}'",
        f"GRANT SELECT, INSERT ON {name}.* TO {user}@'%'",
    )
    root = httpx.Client(base_url=stack.store.url, auth=("admin", "pw"))
    root.post("/rest/repositories", json={"id": name, "title": "Birds"}).raise_for_status()
    rights = [f"READ_REPO_{name}", f"WRITE_REPO_{name}"]
    account = {"password": TRIPLE, "grantedAuthorities": ["ROLE_USER", *rights]}
    root.post(f"/rest/security/users/{user}", json=account).raise_for_status()
    realm, sql = stack.provider.settings, stack.database
    admins, users = stack_groups(stack.name)
    return {
        "WORKSPACE_STACK_NAME": stack.name,
        "WORKSPACE_STACK_URL": stack.url,
        "OIDC_ISSUER": f"{realm.url}/realms/{realm.realm}",
        "OIDC_CLIENT_ID": stack.name,
        "OIDC_CLIENT_SECRET": SECRETS["vault/client"],
        "OIDC_ADMIN_GROUP": admins,
        "OIDC_USER_GROUP": users,
        "SQL_FLAVOUR": "mariadb",
        "SQL_HOST": sql.host,
        "SQL_PORT": str(sql.port),
        "SQL_DATABASE": name,
        "SQL_USER": user,
        "SQL_PASSWORD": ROW,
        "SPARQL_URL": f"{stack.store.url}/repositories/{name}",
        "SPARQL_USER": user,
        "SPARQL_PASSWORD": TRIPLE,
        "DRIVE_URL": stack.drive.url,
        "DRIVE_LOGIN": "ada",
        "DRIVE_PASSWORD": FILE,
    }


def _start(engine: podman.Podman, stack: Stack, environment: Path) -> None:
    """As the sample template starts it: with nothing it may write to but its volume."""
    hard = ("--read-only", "--cap-drop", "ALL", "--tmpfs", "/tmp")
    more = ("--network", "host", "--volume", f"{stack.name}:/data", "--env", "DATA_DIR=/data")
    engine.command(
        *("run", "--detach", "--name", stack.name, "--env-file", str(environment)),
        *hard,
        *more,
        image.NAME,
    )


def plan_client(stack: Stack) -> Any:
    """Its client, with the address it really has."""
    change = client(stack.provider, stack.name)
    after: Any = {
        "redirect_uris": [f"{stack.url}/oidc/callback"],
        "post_logout_redirect_uris": [f"{stack.url}/"],
        "base_url": f"{stack.url}/",
        "name": "Birds",
    }
    return change.model_copy(update={"after": after})


def test_it_works_with_what_it_is_given_and_without_it_no_more(stack: Stack) -> None:
    admins, users = stack_groups(stack.name)
    connectors = stack.provider.system.connectors
    connectors[CLIENT].apply(plan_client(stack))
    people = {name: stack.provider.make(f"{name}-{stack.name[-8:]}") for name in ("eve", "mia")}
    connectors[GROUP].apply(group(stack.provider, admins, []))
    connectors[GROUP].apply(group(stack.provider, users, [people["mia"]]))

    eventually("no table", lambda: "not yet: database (the SQL server refused" in stack.health())
    name = f"ws_{stack.name[-8:]}"
    stack.sql(f"GRANT CREATE ON {name}.* TO m_{stack.name[-8:]}@'%'")
    eventually("healthy", lambda: stack.health() == f"ok {stack.name}\n")

    assert stack.come_in(f"eve-{stack.name[-8:]}")[1].status_code == 403
    mia, told = stack.come_in(f"mia-{stack.name[-8:]}")
    assert told.status_code == 303
    token = mia.get("/").text.partition("name='token' value='")[2].partition("'")[0]
    assert mia.post("/notes", data={"token": token, "said": "a tit"}).status_code == 303
    page = mia.get("/").text
    assert page.count("a tit</li>") == 3
    assert "Its volume is kept since 2" in page
    assert stack.sql(f"SELECT said FROM {name}.workspace_notes") == [("a tit",)]
    _seen_outside(stack, name)

    _take_everything(stack, name)
    lost = ("database (", "repository (", "drive (")
    eventually("without accesses", lambda: all(one in stack.health() for one in lost))
    assert mia.get("/").text.count("role='alert'") == 3
    shown = [page, mia.get("/").text, stack.health(), stack.command("logs", stack.name)]
    assert not any(CANARY in text for text in shown)
    begun = httpx.get(f"{stack.url}/sign-in").headers["location"]
    assert httpx.get(begun).status_code == 400, "its client is gone"


def _seen_outside(stack: Stack, name: str) -> None:
    """By the owners of repository and drive."""
    answer = httpx.get(
        f"{stack.store.url}/repositories/{name}/statements",
        headers={"Accept": "application/n-triples"},
        auth=("admin", "pw"),
    )
    assert answer.text.count("a tit") == 1
    file = f"{stack.drive.url}/remote.php/dav/files/ada/{stack.name}/notes.txt"
    assert httpx.get(file, auth=("ada", FILE)).text.endswith(": a tit\n")


def _take_everything(stack: Stack, name: str) -> None:
    user = f"m_{name.removeprefix('ws_')}"
    stack.sql(f"DROP USER {user}@'%'")
    httpx.delete(
        f"{stack.store.url}/rest/security/users/{user}", auth=("admin", "pw")
    ).raise_for_status()
    account = stack.drive.world.accounts.find("ada")
    assert account
    account["enabled"] = False
    client_change = plan_client(stack)
    stack.provider.system.connectors[CLIENT].remove(
        client_change.model_copy(update={"after": None})
    )
