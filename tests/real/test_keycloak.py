"""The connectors against a real Keycloak: the same tests that its stand-in passes, and starting and
stopping it.
"""

import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.systems.identity_provider.life_of_checks import CheckLife
from tests.systems.identity_provider.life_of_groups import GroupLife
from tests.systems.identity_provider.life_of_inventory import InventoryLife
from tests.systems.identity_provider.life_of_members import MemberLife
from tests.systems.identity_provider.life_of_realm import RealmLife
from tests.systems.identity_provider.life_of_realm_members import RealmMemberLife
from tests.systems.identity_provider.life_of_refusals import RefusalLife
from tests.systems.identity_provider.life_of_sessions import SessionLife, listener
from tests.systems.identity_provider.life_of_setup import SetupLife
from tests.systems.identity_provider.life_of_users import UserLife
from tests.systems.identity_provider.provider_under_test import (
    MANAGER,
    SECRETS,
    ProviderUnderTest,
    creation,
    name,
)
from workspace_manager.contract.connector import Result, Severity
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.names import group_target
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_sandbox import children
from workspace_sandbox.real import keycloak

__all__ = ["listener", "name"]

pytestmark = pytest.mark.real

REALM = {
    "enabled": True,
    "internationalizationEnabled": True,
    "supportedLocales": ["en", "de"],
    "defaultLocale": "en",
    "bruteForceProtected": True,
}


def fresh(running: keycloak.Keycloak, realm: str, **more: object) -> ProviderUnderTest:
    running.create_realm({"realm": realm, **REALM, **more})
    address = running.address
    assert address
    return ProviderUnderTest(
        Settings(
            url=address.url,
            realm=realm,
            admin_username=address.admin_username,
            admin_password=address.admin_password,
            client_id=MANAGER,
            client_secret=Secret(SECRETS["vault/client"]),
        )
    )


@pytest.fixture(scope="module")
def provider(real_keycloak: keycloak.Keycloak) -> ProviderUnderTest:
    made = fresh(real_keycloak, "workspace")
    made.set_up()
    return made


class TestKeycloak(UserLife, RealmLife, GroupLife, MemberLife):
    """A realm that was set up."""


class TestRefusals(RefusalLife):
    """The same realm, while its profile refuses to change a user."""


class TestInventory(InventoryLife):
    """The same realm."""


class TestSessions(SessionLife):
    """The same realm."""


@pytest.fixture
def new_provider(real_keycloak: keycloak.Keycloak) -> Iterator[ProviderUnderTest]:
    realm = f"bare-{uuid.uuid4().hex[:8]}"
    yield fresh(real_keycloak, realm)
    real_keycloak.delete_realm(realm)


@pytest.fixture(scope="module")
def neglected(real_keycloak: keycloak.Keycloak) -> ProviderUnderTest:
    made = fresh(real_keycloak, "neglected")
    made.set_up()
    return made


class TestChecks(CheckLife):
    """A realm that goes from bad to worse."""


class TestRealmMembers(RealmMemberLife):
    """The realm that was set up, and realms nobody touched yet."""


class TestSetup(SetupLife):
    """Realms nobody touched yet."""


def test_nothing_is_made_in_a_realm_that_would_drop_our_mark(
    real_keycloak: keycloak.Keycloak, name: str
) -> None:
    provider = fresh(real_keycloak, "bare", internationalizationEnabled=False)
    users = provider.system.connectors["identity_provider.user"]
    change = creation(name, "mark")
    with pytest.raises(Invalid, match="locale, timezone, workspace_registration") as caught:
        users.apply(change)
    assert "setup identity-provider" in caught.value.advice
    assert users.plan(change.target, None).before is None
    failing = {f.name for f in provider.system.check() if f.severity is Severity.FAILING}
    assert failing == {"attributes declared", "own client"}
    provider.set_up()
    assert users.apply(change).facts["sub"]
    assert users.verify(change)


def test_a_group_below_another_is_another(provider: ProviderUnderTest, name: str) -> None:
    """A search shows the parent, with the group below in it."""
    groups = provider.system.connectors["identity_provider.group"]
    with provider.admin() as hands:
        made = hands.post("/groups", json={"name": f"parent of {name}"})
        parent = made.headers["location"].rpartition("/")[2]
        below = hands.post(f"/groups/{parent}/children", json={"name": name}).json()["id"]
        change = groups.plan(group_target(name, "mark"), {"members": [provider.make(name)]})
        assert change.before is None
        assert groups.apply(change).result is Result.CHANGED
        assert groups.verify(change)
        assert hands.get(f"/groups/{below}/members").json() == []
        assert groups.remove(change).result is Result.CHANGED
        assert hands.get(f"/groups/{below}").status_code == 200


@pytest.mark.everything  # as MariaDB and RDF4J, whose starts cost less
def test_a_kept_directory_brings_everything_back(
    real_keycloak: keycloak.Keycloak, tmp_path: Path
) -> None:
    for _ in range(2):
        kept = keycloak.Keycloak(directory=tmp_path / "kept")
        try:
            url = kept.start().url
            found = httpx.get(f"{url}/realms/kept").status_code
            kept.create_realm({"realm": "kept", "enabled": True})
        finally:
            kept.stop()
    assert found == 200


def test_it_stops_and_leaves_nothing(real_keycloak: keycloak.Keycloak) -> None:
    other = keycloak.Keycloak()
    url = other.start({"realm": "passing", "enabled": True}).url
    assert httpx.get(f"{url}/realms/passing").status_code == 200
    other.create_realm({"realm": "passing", "enabled": True})
    other.delete_realm("passing")
    assert httpx.get(f"{url}/realms/passing").status_code == 404
    home = other._home
    assert home
    assert home.exists()
    assert children.remove_leftovers(keycloak.NAME) == 0, "a living run's parts are left alone"
    other.stop()
    assert not home.exists()
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)
