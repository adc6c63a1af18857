"""The SQL admin tool behind the identity provider: a real phpMyAdmin is signed in to by what a real
Keycloak says in its token, and opens the databases of that person in a real MariaDB.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.life.browser import Browser
from tests.real import phpmyadmin
from tests.real.test_mariadb import reach_server
from tests.real_parts import Part
from tests.systems.identity_provider.provider_under_test import (
    ATTRIBUTES,
    CANARY,
    REALM,
    SECRETS,
    ProviderUnderTest,
)
from tests.systems.sql_server.database_server import DatabaseServer, ask, make, set_up
from workspace_manager.contract.connector import Change
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_manager.systems.sql_server.realm import sql_tool_client
from workspace_sandbox import children
from workspace_sandbox.real import keycloak, mariadb

pytestmark = pytest.mark.real

MINE, FOREIGN = "ws_pots_of_anna", "ws_pots_of_bela"


@pytest.fixture(scope="module")
def databases(real_mariadb: mariadb.MariaDB) -> Iterator[DatabaseServer]:
    """Anna's and Béla's, with their tables; her password is the one that her attribute gets."""
    server = reach_server(real_mariadb)
    server.secrets["vault/1"] = Secret(SECRETS["vault/sql"])
    for name, database in (("anna", MINE), ("bela", FOREIGN)):
        make(server, name)
        set_up(server, database, name)
        with closing(server.sign_in(name, SECRETS["vault/sql"], database)) as session:
            ask(session, f"CREATE TABLE jugs_of_{name} (a INT)")
    yield server
    for name, database in (("anna", MINE), ("bela", FOREIGN)):
        server.drop_database(database)
        server.drop_account(name)


@pytest.fixture(scope="module")
def realm(real_keycloak: keycloak.Keycloak) -> Iterator[ProviderUnderTest]:
    """Anna, with her SQL password in the attribute, as the plans put it there."""
    name = "sql-admin-tool"
    real_keycloak.create_realm({"realm": name, "enabled": True})
    address = real_keycloak.address
    assert address
    provider = ProviderUnderTest(
        Settings(
            url=address.url,
            realm=name,
            admin_username=address.admin_username,
            admin_password=address.admin_password,
            client_id="https://manager.example",
            client_secret=Secret(SECRETS["vault/client"]),
        )
    )
    provider.set_up()
    _store(provider, provider.make("anna"), "vault/sql")
    yield provider
    real_keycloak.delete_realm(name)


def _store(provider: ProviderUnderTest, sub: str, reference: str) -> None:
    change = Change(
        kind=ATTRIBUTES,
        subject="",
        target={"sub": sub, "username": "anna"},
        after={"sql_password": "set"},
        secrets={"sql_password": reference},
    )
    connector = provider.system.connectors[ATTRIBUTES]
    connector.apply(change)
    assert connector.verify(change)


@pytest.fixture(scope="module")
def tool(
    real_part: Callable[..., Part], realm: ProviderUnderTest, databases: DatabaseServer
) -> Iterator[phpmyadmin.PhpMyAdmin]:
    """Its client in the realm is the one that our set-up makes for the tool of the settings."""
    real_part("phpMyAdmin", version=phpmyadmin.version(), why_not=phpmyadmin.why_not())
    port = children.free_port()
    url = f"http://127.0.0.1:{port}"
    client = sql_tool_client(url, redirect_uri=f"{url}/signon.php", secret_ref="vault/app")
    for change in realm.system.realm_changes(RealmWants(realm.settings.realm, clients=(client,))):
        realm.system.connectors[REALM].apply(change)
    sign_in = phpmyadmin.SignIn(
        f"{realm.settings.url}/realms/{realm.settings.realm}", url, Secret(SECRETS["vault/app"])
    )
    running = phpmyadmin.PhpMyAdmin(port=port, sql_port=databases.settings.port, sign_in=sign_in)
    running.start()
    try:
        yield running
    finally:
        running.stop()


def looks_into(tool: phpmyadmin.PhpMyAdmin, database: str) -> tuple[str, str]:
    """What a new sign-in with the workspace's password shows: the first page, and a database's."""
    browser = Browser()
    try:
        first = browser.sign_in(f"{tool.url}/signon.php", "anna", CANARY)
        there = browser.get(f"{tool.url}/index.php?route=/database/structure&db={database}")
        return first.text, there.text
    finally:
        browser.close()


def test_the_token_opens_ones_own_databases_and_no_others(tool: phpmyadmin.PhpMyAdmin) -> None:
    first, mine = looks_into(tool, MINE)
    assert "anna@" in first
    assert MINE in first
    assert FOREIGN not in first
    assert "jugs_of_anna" in mine
    _, foreign = looks_into(tool, FOREIGN)
    assert "jugs_of_bela" not in foreign
    for secret in (SECRETS["vault/sql"], CANARY):
        assert secret not in first + mine


def test_it_follows_the_attribute_and_nothing_else(
    tool: phpmyadmin.PhpMyAdmin, realm: ProviderUnderTest, databases: DatabaseServer
) -> None:
    """A password that was renewed at the SQL server alone opens nothing until it stands with the
    user: that is why a renewal writes both.
    """
    renewed = "renewed-4711"
    databases.run(f"ALTER USER 'anna'@'%' IDENTIFIED BY '{renewed}'")
    first, mine = looks_into(tool, MINE)
    assert "refused the password that stands with your account" in first
    assert "jugs_of_anna" not in mine
    SECRETS["vault/renewed"] = renewed
    try:
        (user,) = _users(realm)
        _store(realm, user["id"], "vault/renewed")
        _, mine = looks_into(tool, MINE)
        assert "jugs_of_anna" in mine
    finally:
        del SECRETS["vault/renewed"]


def _users(realm: ProviderUnderTest) -> list[Any]:
    with realm.admin() as admin:
        found: list[Any] = admin.get("/users", params={"username": "anna", "exact": "true"}).json()
        return found
