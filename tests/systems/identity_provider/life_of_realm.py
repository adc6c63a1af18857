"""Cases of the realm and its administrator, at a real provider and at its stand-in
(`class Test…(RealmLife)`).
"""

import uuid
from dataclasses import replace

import pytest

from tests.systems.identity_provider.provider_under_test import (
    DRIVE,
    HUB,
    MANAGER,
    REALM,
    SECRETS,
    USER,
    ProviderUnderTest,
    claims,
    creation,
    resolve,
    service_account,
    wants,
)
from workspace_manager.contract.connector import Result, Severity
from workspace_manager.contract.errors import Denied, Invalid, NotFound
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.connector import connect
from workspace_manager.systems.identity_provider.names import user_target
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_manager.systems.notebook_hub.realm import hub_client


class RealmLife:
    """Tests that every identity provider passes once its realm is set up."""

    # --- the realm --------------------------------------------------------------------------------

    def test_a_set_up_realm_needs_nothing_more(self, provider: ProviderUnderTest) -> None:
        system, wanted = provider.system, wants(provider.settings.realm)
        assert system.realm_changes(wanted) == []
        failing = [f for f in system.check() if f.severity is Severity.FAILING]
        assert failing == []
        checked = connect(provider.settings, resolve, wanted).check()
        assert [f for f in checked if f.severity is Severity.FAILING] == []

    def test_rights_are_proven_and_lifespans_known(self, provider: ProviderUnderTest) -> None:
        assert "query its users" in provider.system.prove_rights().text
        assert provider.system.token_lifespan() >= 300
        client = {
            "clientId": f"long-{uuid.uuid4()}",
            "attributes": {"access.token.lifespan": "1234"},
        }
        with provider.admin() as admin:
            made = admin.post("/clients", json=client).headers["location"].rpartition("/")[2]
            assert provider.system.token_lifespan() == 1234
            admin.delete(f"/clients/{made}")

    def test_setting_up_keeps_what_others_declared(self, provider: ProviderUnderTest) -> None:
        realm, system = provider.settings.realm, provider.system
        with provider.admin() as admin:
            profile = admin.get("/users/profile").json()
            profile["attributes"] = [
                a for a in profile["attributes"] if a["name"] != "sql_password"
            ] + [{"name": "orcid", "permissions": {"view": ["user"], "edit": ["user"]}}]
            admin.put("/users/profile", json=profile)
            found = admin.get("/clients", params={"clientId": HUB}).json()[0]
            found["redirectUris"] = ["https://other.example/cb"]
            admin.put(f"/clients/{found['id']}", json=found)
            leaky = next(m for m in found["protocolMappers"] if m["name"] == "drive-app-password")
            leaky["config"]["access.token.claim"] = "true"
            admin.put(f"/clients/{found['id']}/protocol-mappers/models/{leaky['id']}", json=leaky)
        problems = {f.name for f in system.check() if f.severity is Severity.FAILING}
        assert problems == {"attributes declared", f"password in tokens: {HUB}"}
        changes = system.realm_changes(wants(realm))
        assert [c.target["part"].partition(":")[0] for c in changes] == [
            *("profile", "client", "mapper"),
        ]
        for change in changes:
            assert system.connectors[REALM].verify(change) is None
            assert system.connectors[REALM].apply(change).result is Result.CHANGED
            assert system.connectors[REALM].verify(change)
            assert system.connectors[REALM].apply(change).result is Result.ALREADY
        with provider.admin() as admin:
            names = [a["name"] for a in admin.get("/users/profile").json()["attributes"]]
            assert {"orcid", "sql_password", "workspace_registration"} <= set(names)
            found = admin.get("/clients", params={"clientId": HUB}).json()[0]
            assert found["redirectUris"].count("https://other.example/cb") == 1
            profile = admin.get("/users/profile").json()
            profile["attributes"] = [a for a in profile["attributes"] if a["name"] != "orcid"]
            admin.put("/users/profile", json=profile)
        assert system.realm_changes(wants(realm)) == []

    def test_a_client_and_its_mapper_come_and_go(self, provider: ProviderUnderTest) -> None:
        realm = provider.system.connectors[REALM]
        url = f"https://{uuid.uuid4().hex}.example"
        wanted = RealmWants(provider.settings.realm, clients=(hub_client(url),))
        client, login, password = provider.system.realm_changes(wanted)
        for change in (client, login, password):
            outcome = realm.apply(change)
            assert outcome.result is Result.CHANGED
            assert bool(outcome.by_hand) == (change is client)
        gone = login.model_copy(update={"after": None})
        assert realm.verify(gone) is None
        assert realm.remove(gone).result is Result.CHANGED
        assert realm.remove(gone).result is Result.ALREADY
        assert realm.verify(gone)
        gone = client.model_copy(update={"after": None})
        assert realm.remove(gone).result is Result.CHANGED
        assert realm.remove(gone).result is Result.ALREADY
        with pytest.raises(NotFound):
            realm.apply(password)

    def test_a_changed_client_secret_is_seen_and_written(self, provider: ProviderUnderTest) -> None:
        wanted = wants(provider.settings.realm)
        with provider.admin() as admin:
            found = admin.get("/clients", params={"clientId": MANAGER}).json()[0]
            admin.post(f"/clients/{found['id']}/client-secret")
        names = {f.name for f in provider.system.check() if f.severity is Severity.FAILING}
        assert names == {"own client: secret"}
        (change,) = provider.system.realm_changes(wanted)
        assert provider.system.connectors[REALM].apply(change).result is Result.CHANGED
        assert provider.system.realm_changes(wanted) == []

    def test_the_audience_of_tokens_holds_drive_and_manager(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        provider.make(name)
        with provider.admin() as admin:
            found = admin.get("/clients", params={"clientId": MANAGER}).json()[0]
            admin.put(f"/clients/{found['id']}", json={**found, "directAccessGrantsEnabled": True})
            secret = SECRETS["vault/client"]
            tokens = provider.sign_in(name, client_id=MANAGER, client_secret=secret)
            assert {DRIVE, MANAGER} <= set(claims(tokens["access_token"])["aud"])
            admin.put(f"/clients/{found['id']}", json={**found, "directAccessGrantsEnabled": False})

    # --- the administrator ------------------------------------------------------------------------

    def test_a_wrong_password_is_denied(self, provider: ProviderUnderTest) -> None:
        settings = replace(provider.settings, admin_password=Secret(f"wrong-{uuid.uuid4()}"))
        system = connect(settings, resolve)
        for _ in range(2):
            with pytest.raises(Denied, match="refused the administrator's credential"):
                system.prove_rights()
        findings = system.check()
        assert [(f.name, f.severity) for f in findings][-1] == ("sign-in", Severity.FAILING)

    def test_an_unknown_realm_is_no_absence(self, provider: ProviderUnderTest, name: str) -> None:
        system = connect(replace(provider.settings, realm="no-such-realm"), resolve)
        with pytest.raises(Invalid, match="does not know the address") as caught:
            system.connectors[USER].plan(user_target(str(uuid.uuid4()), name), None)
        assert "realm's name" in caught.value.advice
        assert [f.severity for f in system.check()] == [Severity.FAILING]

    def test_paths_from_the_settings_never_hold_two_slashes(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        settings = replace(
            provider.settings,
            users_url="/admin/realms/{realm}/users/",
            users_create_url="/",
            users_delete_url="{userId}",
        )
        users = connect(settings, resolve).connectors[USER]
        sub = users.apply(creation(name, "mark")).facts["sub"]
        assert users.remove(users.plan(user_target(sub, name), None)).result is Result.CHANGED

    def test_a_service_account_can_do_it_all(self, provider: ProviderUnderTest, name: str) -> None:
        roles = {"manage-users", "view-users", "query-users", "view-realm", "view-clients"}
        with provider.admin() as admin:
            settings = service_account(admin, provider.settings, f"robot-{name}", roles)
        system = connect(settings, resolve)
        system.prove_rights()
        sub = system.connectors[USER].apply(creation(name, "mark")).facts["sub"]
        assert system.token_lifespan() >= 300
        failing = {f.name for f in system.check() if f.severity is Severity.FAILING}
        assert failing == set()
        gone = system.connectors[USER].plan(user_target(sub, name), None)
        assert system.connectors[USER].remove(gone).result is Result.CHANGED

    def test_missing_roles_are_denied_and_named(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        provider.make(name)
        with provider.admin() as admin:
            settings = service_account(admin, provider.settings, f"robot-{name}", {"query-users"})
        system = connect(settings, resolve)
        with pytest.raises(Denied, match="shows none of them"):
            system.prove_rights()
        with pytest.raises(Denied):
            system.token_lifespan()
        findings = {f.name: f for f in system.check() if f.severity is Severity.FAILING}
        assert "view-clients" in findings["rights: read the clients"].remedy
        assert "view-users" in findings["rights: query users"].remedy
