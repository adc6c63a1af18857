"""`setup identity-provider` as a plan, at a real provider and at its stand-in (`class
Test…(SetupLife)`): a realm nobody touched yet.
"""

import uuid
from dataclasses import replace
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result
from django.conf import settings

from tests.fake_world.work import let_time_pass
from tests.systems.identity_provider.provider_under_test import (
    CANARY,
    ProviderUnderTest,
    claims,
    creation,
    resolve,
)
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.connector import Outcome, Severity
from workspace_manager.contract.connector import Result as Did
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.secret import Secret
from workspace_manager.engine import run as engine
from workspace_manager.operations import realm as realm_setup
from workspace_manager.operations.realm_requirements import wanted_realm
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import Plan
from workspace_manager.systems.identity_provider.connector import connect
from workspace_manager.systems.identity_provider.connector.realm import RealmConnector
from workspace_manager.systems.identity_provider.names import user_target
from workspace_manager.systems.identity_provider.realm.services import (
    BACKCHANNEL_LOGOUT_PATH,
    LEAST_ROLES,
)
from workspace_manager.systems.identity_provider.realm.wants import LEFT_TO_THE_MANAGER
from workspace_manager.wiring import connected_systems
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn

BASE, DRIVE = "http://manager.example", "http://127.0.0.1:1"
SECRET = f"{CANARY}-client"
USER = "identity_provider.user"


def pin(patch: pytest.MonkeyPatch, provider: ProviderUnderTest, *, drive: str = DRIVE) -> None:
    """Have the manager's environment name this realm, and services beside it."""
    given = {
        "IDENTITY_PROVIDER__URL": provider.settings.url,
        "IDENTITY_PROVIDER__REALM": provider.settings.realm,
        "IDENTITY_PROVIDER__ADMIN_USERNAME": provider.settings.admin_username,
        "IDENTITY_PROVIDER__ADMIN_PASSWORD": (
            provider.settings.admin_password or Secret("")
        ).reveal(),
        "IDENTITY_PROVIDER__CLIENT_ID": BASE,
        "IDENTITY_PROVIDER__CLIENT_SECRET": SECRET,
        "DRIVE__BASE_URL": drive,
        "NOTEBOOK_HUB__URL": "http://hub.example",
        "SQL_SERVER__ADMIN_TOOL_URL": "http://sql.example",
    }
    for name, value in given.items():
        patch.setenv(f"WORKSPACE_{name}", value)
    patch.setattr(settings, "BASE_URL", BASE)


def run(*options: str) -> Result:
    return CliRunner().invoke(main, ["setup", "identity-provider", *options])


def snapshot(provider: ProviderUnderTest) -> dict[str, Any]:
    """What a set-up could change, without what the server writes by itself."""
    with provider.admin() as admin:
        found = {c["clientId"]: c for c in admin.get("/clients").json()}
        return {"profile": admin.get("/users/profile").json(), "clients": found}


def told_to(
    provider: ProviderUnderTest, admin: httpx.Client, client: str, name: str
) -> dict[str, dict[str, str]]:
    """What of a person's attributes a client is told, by its tokens and by userinfo; signed in by
    password for once.
    """
    found = admin.get("/clients", params={"clientId": client}).json()[0]
    admin.put(f"/clients/{found['id']}", json={**found, "directAccessGrantsEnabled": True})
    secret = admin.get(f"/clients/{found['id']}/client-secret").json()["value"]
    tokens = provider.sign_in(name, client_id=client, client_secret=secret)
    url = (
        f"{provider.settings.url}/realms/{provider.settings.realm}/protocol/openid-connect/userinfo"
    )
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    told = {
        "access": claims(tokens["access_token"]),
        "id": claims(tokens["id_token"]),
        "userinfo": httpx.get(url, headers=headers, trust_env=False).json(),
    }
    ours = ("filesvc_login_name", "filesvc_app_password", "sql_password")
    return {
        where: {one: str(said[one]) for one in ours if one in said} for where, said in told.items()
    }


@pytest.mark.django_db(transaction=True)
class SetupLife:
    """Tests that every identity provider passes; the fixture `new_provider` is a fresh realm."""

    def test_a_dry_run_shows_everything_and_changes_nothing(
        self, new_provider: ProviderUnderTest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pin(monkeypatch, new_provider)
        before = snapshot(new_provider)
        shown = run("--dry-run", "--service-account", "workspace-robot")
        assert shown.exit_code == 0, shown.output
        for part in (
            "profile", f"client:{BASE}", f"client:{DRIVE}", "client:http://hub.example",
            "client:http://sql.example",
            f"mapper:{BASE}:audience-drive", f"mapper:{BASE}:audience-manager",
            "mapper:http://hub.example:drive-app-password",
            "mapper:http://sql.example:sql-password", "client:workspace-robot",
            "roles:workspace-robot", "post_logout_uris",
            "/apps/user_oidc/backchannel-logout/", f"{BASE}{BACKCHANNEL_LOGOUT_PATH}",
        ):  # fmt: skip
            assert part in shown.output, shown.output
        assert snapshot(new_provider) == before
        assert not Plan.objects.exists()

    def test_it_is_a_plan_with_evidence_and_runs_once(
        self, new_provider: ProviderUnderTest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pin(monkeypatch, new_provider)
        with new_provider.admin() as admin:
            admin.put("", json={"editUsernameAllowed": True})
        done = run()
        assert done.exit_code == 0, done.output
        plan = Plan.objects.get()
        assert (plan.kind, plan.state, plan.person) == (
            "realm.setup",
            "done",
            new_provider.settings.realm,
        )
        steps = {step.name: step for step in view_plan(plan).steps}
        assert list(steps) == [name for name, _ in realm_setup.STEPS]
        assert steps.pop("give_service_roles").state == "skipped"
        for step in steps.values():
            assert len(step.evidence) == len(step.changes) > 0, step
        assert f"/manage/plans/{plan.id}" in done.output
        assert CANARY not in done.output
        assert "Copy the secret of the client http://hub.example" in done.output
        after = snapshot(new_provider)
        again = run()
        assert (again.exit_code, "nothing is to do" in again.output) == (0, True)
        assert snapshot(new_provider) == after
        assert Plan.objects.count() == 1

    def test_what_others_declared_stays(
        self, new_provider: ProviderUnderTest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pin(monkeypatch, new_provider)
        theirs = {"name": "orcid", "permissions": {"view": ["user"], "edit": ["user"]}}
        with new_provider.admin() as admin:
            profile = admin.get("/users/profile").json()
            profile["attributes"].append(theirs)
            admin.put("/users/profile", json=profile)
            admin.post(
                "/clients", json={"clientId": "theirs", "redirectUris": ["https://t.example/"]}
            )
            ours = {
                "clientId": BASE,
                "redirectUris": ["https://old.example/cb"],
                "description": "kept",
            }
            admin.post("/clients", json=ours)
        assert run().exit_code == 0
        found = snapshot(new_provider)
        declared = {a["name"]: a for a in found["profile"]["attributes"]}
        assert declared["orcid"]["permissions"] == theirs["permissions"]
        assert found["clients"]["theirs"]["redirectUris"] == ["https://t.example/"]
        assert found["clients"][BASE]["description"] == "kept"
        assert "https://old.example/cb" in found["clients"][BASE]["redirectUris"]

    def test_registration_and_names_are_left_to_the_manager(
        self, new_provider: ProviderUnderTest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pin(monkeypatch, new_provider)
        with new_provider.admin() as admin:
            opened = dict.fromkeys((*LEFT_TO_THE_MANAGER, "resetPasswordAllowed"), True)
            assert admin.put("", json=opened).status_code == 204
            before = admin.get("").json()
        assert "settings: {'registrationAllowed': False" in run("--dry-run").output
        assert run().exit_code == 0
        with new_provider.admin() as admin:
            after = admin.get("").json()
        changed = {name: after[name] for name in after if after[name] != before.get(name)}
        assert changed == LEFT_TO_THE_MANAGER

    def test_killed_between_two_changes_it_goes_on(
        self, new_provider: ProviderUnderTest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pin(monkeypatch, new_provider)
        sent: list[str] = []
        apply = RealmConnector.apply

        def killed(self: RealmConnector, change: Any) -> Outcome:
            outcome = apply(self, change)
            sent.append(change.target["part"])
            if len(sent) == 3:
                raise KeyboardInterrupt
            return outcome

        with monkeypatch.context() as patch:
            patch.setattr(RealmConnector, "apply", killed)
            assert run().exit_code != 0
        plan = Plan.objects.get()
        assert plan.state == "running"
        refused = run()
        assert refused.exit_code == 1
        assert f"A set-up of the realm is already running: plan {plan.id}." in refused.output
        let_time_pass()
        while engine.run(plan.id, connected_systems(), kinds=PLAN_KINDS):
            pass
        plan.refresh_from_db()
        assert plan.state == "done"
        by_hand = view_plan(plan).by_hand
        assert [text.split()[6] for text in by_hand] == [
            DRIVE,
            "http://sql.example",
            "http://hub.example",
        ]
        assert "nothing is to do" in run().output

    def test_tokens_carry_what_they_shall_and_the_drive_takes_them(
        self, new_provider: ProviderUnderTest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """docs/explanation/realm.md#the-audience-of-the-managers-tokens: iss, aud with both client
        ids, azp, sub.
        """
        issuer = f"{new_provider.settings.url}/realms/{new_provider.settings.realm}"
        drive = DriveStandIn(issuer_url=issuer, client_id="", client_secret="x", admin_password="a")
        with running(drive):
            pin(monkeypatch, new_provider, drive=drive.url)
            drive.world.oidc.providers[0]["clientId"] = drive.url
            assert run().exit_code == 0
            name = f"ada-{uuid.uuid4().hex[:8]}"
            sub = new_provider.make(name)
            with new_provider.admin() as admin:
                found = admin.get("/clients", params={"clientId": BASE}).json()[0]
                opened = {**found, "directAccessGrantsEnabled": True}
                admin.put(f"/clients/{found['id']}", json=opened)
            token = new_provider.sign_in(name, client_id=BASE, client_secret=SECRET)["access_token"]
            said = claims(token)
            assert (said["iss"], said["azp"], said["sub"]) == (issuer, BASE, sub)
            assert {BASE, drive.url} <= set(said["aud"])
            assert not {"filesvc_app_password", "sql_password"} & said.keys()
            headers = {"Authorization": f"Bearer {token}", "OCS-APIRequest": "true"}
            answer = httpx.get(
                f"{drive.url}/ocs/v2.php/cloud/user?format=json", headers=headers, trust_env=False
            )
            assert answer.status_code == 200, answer.text
            assert answer.json()["ocs"]["data"]["id"] == sub

    def test_each_client_learns_what_it_shall_and_nothing_else(
        self, new_provider: ProviderUnderTest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """docs/explanation/realm.md#attributes-of-a-user: the hub by its userinfo alone, the SQL
        tool by its tokens, nobody else at all.
        """
        pin(monkeypatch, new_provider)
        assert run().exit_code == 0
        name = f"ada-{uuid.uuid4().hex[:8]}"
        sub = new_provider.make(name)
        known = {"filesvc_login_name": sub, "filesvc_app_password": "app", "sql_password": "sql"}
        with new_provider.admin() as admin:
            user = admin.get(f"/users/{sub}").json()
            user["attributes"] |= {attribute: [value] for attribute, value in known.items()}
            assert admin.put(f"/users/{sub}", json=user).status_code == 204
            told = {
                client: told_to(new_provider, admin, client, name)
                for client in ("http://hub.example", "http://sql.example", BASE, DRIVE)
            }
        drive = {name: known[name] for name in ("filesvc_login_name", "filesvc_app_password")}
        sql = {"sql_password": "sql"}
        nothing: dict[str, str] = {}
        assert told == {
            "http://hub.example": {"access": nothing, "id": nothing, "userinfo": drive},
            "http://sql.example": {"access": sql, "id": sql, "userinfo": nothing},
            BASE: {"access": nothing, "id": nothing, "userinfo": nothing},
            DRIVE: {"access": nothing, "id": nothing, "userinfo": nothing},
        }

    def test_nothing_is_built_in_the_realm_of_administrators(
        self, new_provider: ProviderUnderTest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nor is another system told to move there: what is wanted has no address."""
        master = replace(new_provider, settings=replace(new_provider.settings, realm="master"))
        pin(monkeypatch, master)
        before = snapshot(master)
        refused = run()
        assert refused.exit_code == 1
        assert "its own administrators" in refused.output
        assert snapshot(master) == before
        assert realm_wants().issuer == ""

    def test_the_service_account_can_do_its_work_and_no_more(
        self, new_provider: ProviderUnderTest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pin(monkeypatch, new_provider)
        done = run("--service-account", "workspace-robot")
        assert done.exit_code == 0, done.output
        assert "admin_username to service-account-workspace-robot" in done.output
        assert "nothing is to do" in run("--service-account", "workspace-robot").output
        with new_provider.admin() as admin:
            (client,) = admin.get("/clients", params={"clientId": "workspace-robot"}).json()
            secret = admin.get(f"/clients/{client['id']}/client-secret").json()["value"]
        realm = f"{new_provider.settings.url}/realms/{new_provider.settings.realm}"
        base = f"{realm}/protocol/openid-connect/token"
        chosen = replace(
            new_provider.settings,
            admin_username="service-account-workspace-robot",
            admin_password=Secret(secret),
            token_url=base,
        )
        system = connect(chosen, resolve)
        assert system.prove_rights()
        rights = [f for f in system.check() if f.name.startswith("rights")]
        assert {f.severity for f in rights} == {Severity.OK}
        name = f"ada-{uuid.uuid4().hex[:8]}"
        sub = system.connectors[USER].apply(creation(name, "mark")).facts["sub"]
        gone = system.connectors[USER].plan(user_target(sub, name), None)
        assert system.connectors[USER].remove(gone).result is Did.CHANGED
        assert len(LEAST_ROLES) == 7
        with new_provider.admin() as admin:
            profile = admin.get("/users/profile").json()
            profile["attributes"] = [
                a for a in profile["attributes"] if a["name"] != "sql_password"
            ]
            admin.put("/users/profile", json=profile)
        (change,) = system.realm_changes(realm_wants())
        with pytest.raises(Denied):
            system.connectors["identity_provider.realm"].apply(change)


def realm_wants() -> Any:
    """The realm as the environment's settings want it."""
    systems = connected_systems()
    return wanted_realm(systems.settings, base_url=BASE)
