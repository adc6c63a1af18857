"""The making of a drive account, and how the stored credentials go from one state to another."""

from datetime import timedelta

import pytest
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.world import World
from tests.spec_tables.conftest import LEGACY, DriveScenario
from tests.systems.drive.conftest import SUB, accounts
from tests.visitors import Visitor
from workspace_manager.drive_credentials import after_sign_in, connect, in_browser
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Plan

PREFIXES = {
    "raw sub": ("", {}, SUB),
    "prefix and sub": ("keycloak-", {"providerBasedId": True}, LEGACY),
}


def sign_in_again(way: DriveScenario) -> None:
    """A sign-in to the manager, and the visit that follows it."""
    until = timezone.now() + timedelta(minutes=1)
    after_sign_in.request_sync(way.person, way.token(), until)
    assert after_sign_in.run_pending_syncs(way.systems()) == 1


class TestAccountCreationPaths:
    """Path, and the account id that results; the skeleton comes with the account."""

    @pytest.fixture(params=PREFIXES, autouse=True)
    def account(self, request: pytest.FixtureRequest, scenario: DriveScenario) -> str:
        prefix, provider, account = PREFIXES[request.param]
        scenario.switch(provider=provider)
        scenario.settings["oidc_username_prefix"] = prefix
        return str(account)

    def made(self, way: DriveScenario, account: str) -> bool:
        there = accounts(way.stand_in).get(account, {})
        return there.get("backend") == "user_oidc" and there.get("files") == ["welcome.txt"]

    def test_web_login_on_the_drive(self, scenario: DriveScenario, account: str) -> None:
        scenario.signs_in_at_the_drive()
        assert self.made(scenario, account)

    def test_first_login_wizard(
        self, scenario: DriveScenario, visitor: Visitor, account: str
    ) -> None:
        assert "Connected via SSO" in visitor.post("/drive/connect").content.decode()
        assert self.made(scenario, account)

    def test_bearer_call(self, scenario: DriveScenario, account: str) -> None:
        assert scenario.make(**scenario.settings).account_of(scenario.token()) == account
        assert self.made(scenario, account)

    def test_connect_popup(self, scenario: DriveScenario, account: str) -> None:
        scenario.grant(in_browser.start(scenario.person, scenario.systems()))
        assert in_browser.poll(scenario.person, scenario.systems())
        assert scenario.stored
        assert scenario.stored[0] == account, "the login name of the account used there"
        assert self.made(scenario, account)


class TestStoredCredentials:
    """State and trigger, condition, next state."""

    def test_absent_bearer_ensure_credentials_becomes_stored(
        self, scenario: DriveScenario, visitor: Visitor
    ) -> None:
        shown = visitor.ask("POST", "/me/drive").json()
        assert (shown["connected"], shown["method"]) == (True, "bearer")
        assert scenario.stored
        assert scenario.opens(*scenario.stored) == SUB

    @pytest.mark.parametrize("form", PREFIXES)
    def test_absent_poll_with_the_own_login_name_becomes_stored(
        self, scenario: DriveScenario, visitor: Visitor, form: str
    ) -> None:
        prefix, provider, account = PREFIXES[form]
        scenario.switch(provider=provider)
        scenario.settings["oidc_username_prefix"] = prefix
        scenario.grant(visitor.ask("POST", "/me/drive/connect").json()["login_url"])
        assert visitor.ask("POST", "/me/drive/poll").json() == {"state": "connected"}
        assert scenario.stored
        assert scenario.stored[0] == account
        assert scenario.opens(*scenario.stored) == account

    def test_absent_poll_with_another_login_name_stays_absent_http_400(
        self, scenario: DriveScenario, visitor: Visitor
    ) -> None:
        address = visitor.ask("POST", "/me/drive/connect").json()["login_url"]
        scenario.grant(address, user="alice", password="Al1ce-Pw")
        assert visitor.ask("POST", "/me/drive/poll").status_code == 400
        assert scenario.stored is None
        assert scenario.exists["alice"]["app_passwords"] == 0

    def test_absent_poll_with_the_own_name_in_another_case_stays_absent_http_400(
        self, scenario: DriveScenario, visitor: Visitor
    ) -> None:
        """A local account of that id, and a name typed in capitals."""
        scenario.issuer.user = {**scenario.issuer.user, "sub": "alice"}
        SocialAccount.objects.filter(user=scenario.person).update(uid="alice")
        address = visitor.ask("POST", "/me/drive/connect").json()["login_url"]
        scenario.grant(address, user="ALICE", password="Al1ce-Pw")
        answer = visitor.ask("POST", "/me/drive/poll")
        assert (
            answer.status_code,
            (
                "You signed in at the drive with your account’s name in different upper and lower "
                "case, so nothing was connected:"
            )
            in answer.json()["detail"],
        ) == (400, True)
        assert scenario.stored is None
        assert scenario.exists["alice"]["app_passwords"] == 0

    @pytest.mark.parametrize("trigger", ["read", "sign-in"])
    def test_stored_with_another_login_name_becomes_absent(
        self, scenario: DriveScenario, visitor: Visitor, trigger: str
    ) -> None:
        scenario.store("somebody-else", scenario.app_password_of("somebody-else"))
        if trigger == "read":
            assert visitor.ask("GET", "/me/drive").json()["connected"] is False
            assert visitor.ask("POST", "/me/drive").json()["connected"]
        else:
            sign_in_again(scenario)
        assert scenario.stored
        assert scenario.stored[0] == SUB, "dropped, and connected anew"

    def test_stored_with_the_legacy_prefixed_login_name_stays_stored(
        self, scenario: DriveScenario, visitor: Visitor
    ) -> None:
        scenario.settings["legacy_prefix"] = "keycloak-"
        app_password = scenario.app_password_of(LEGACY)
        scenario.store(LEGACY, app_password)
        assert visitor.ask("GET", "/me/drive").json()["login_name"] == LEGACY
        sign_in_again(scenario)
        assert scenario.stored == (LEGACY, app_password)

    def test_stored_with_an_app_password_that_no_longer_works_becomes_absent(
        self, scenario: DriveScenario, visitor: Visitor
    ) -> None:
        scenario.app_password_of(SUB)
        scenario.store(SUB, "x" * 72)
        assert visitor.ask("GET", "/me/drive").json()["connected"] is False
        scenario.settings["use_bearer_token"] = False
        sign_in_again(scenario)
        assert scenario.stored is None, "both attributes are cleared; the person connects again"
        scenario.grant(in_browser.start(scenario.person, scenario.systems()))
        assert in_browser.poll(scenario.person, scenario.systems())
        assert scenario.stored

    @pytest.mark.parametrize("trouble", [{"maintenance": True}, {"attempts": {"login": 11}}])
    def test_stored_and_a_drive_that_cannot_say_stays_stored(
        self, scenario: DriveScenario, trouble: dict[str, object]
    ) -> None:
        app_password = scenario.app_password_of(SUB)
        scenario.store(SUB, app_password)
        scenario.switch(**trouble)
        after_sign_in.request_sync(
            scenario.person, scenario.token(), timezone.now() + timedelta(minutes=1)
        )
        after_sign_in.run_pending_syncs(scenario.systems())
        assert scenario.stored == (SUB, app_password)

    def test_stored_and_signed_in_after_relinking_becomes_absent(
        self, scenario: DriveScenario
    ) -> None:
        scenario.store(SUB, scenario.app_password_of(SUB))
        scenario.settings["use_bearer_token"] = False
        SocialAccount.objects.filter(user=scenario.person).update(uid="recreated-sub")
        sign_in_again(scenario)
        assert scenario.stored is None

    @pytest.mark.django_db(transaction=True)
    def test_stored_and_the_person_is_deleted_becomes_absent(self, world: World) -> None:
        alice_with_everything(world)
        plan = approved_removal(world)
        for _ in range(3):
            run(plan.id, world.systems(), kinds=PLAN_KINDS)
        plan.refresh_from_db()
        assert plan.state == Plan.State.DONE
        left = {name for name in world.things if "alice" in name or "sub-of-alice" in name}
        assert not {one for one in left if one.startswith(("identity_provider", "drive"))}

    def test_stored_and_disconnected_becomes_absent(
        self, scenario: DriveScenario, visitor: Visitor
    ) -> None:
        connect.by_token(scenario.person, scenario.systems(), scenario.token())
        assert scenario.stored
        pair = scenario.stored
        assert visitor.ask("DELETE", "/me/drive").status_code == 204
        assert scenario.stored is None
        assert scenario.opens(*pair) is None
        there = scenario.exists[SUB]
        assert (there["app_passwords"], there["temporary_tokens"]) == (0, 0)
