"""Faults of the drive, and their results: condition and result."""

from datetime import timedelta
from typing import Any

import httpx
import pytest
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.spec_tables.conftest import DriveScenario
from tests.systems.drive.conftest import SUB
from tests.visitors import Visitor
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.settings import SettingsInvalid, parse
from workspace_manager.drive_credentials import after_sign_in, connect, in_browser
from workspace_manager.engine.run import run
from workspace_manager.people import admit
from workspace_manager.people.admit import Claims, NotAdmitted
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import AuditEntry, DriveFlow, Plan
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.systems.drive.checks_pages import single_logout
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.settings import Settings


def test_connect_login_name_is_not_the_persons_is_http_400(
    scenario: DriveScenario, visitor: Visitor
) -> None:
    address = visitor.ask("POST", "/me/drive/connect").json()["login_url"]
    scenario.grant(address, user="bob", password="B0b-Pw")
    answer = visitor.ask("POST", "/me/drive/poll")
    assert (answer.status_code, answer.json()["status"]) == (400, 400)


REJECTED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "aud lacks the drive's client id": ({}, {"aud": ["https://manager.example.org"]}),
    "azp check enabled": ({"version": "6.1.2"}, {}),
    "stale token": ({}, {"exp": 1_000_000}),
    "provider lacks check bearer": ({"provider": {"checkBearer": False}}, {}),
    "account does not exist and is not made": ({"auto_provision": False}, {}),
}


@pytest.mark.parametrize("cause", REJECTED)
def test_bearer_token_rejected_401_current_user_is_not_logged_in(
    scenario: DriveScenario, cause: str
) -> None:
    options, claims = REJECTED[cause]
    scenario.switch(**options)
    said = connect.by_token(scenario.person, scenario.systems(), scenario.token(**claims))
    assert (said.connected, scenario.stored) == (False, None)
    assert said.bearer_error is not None
    entry = AuditEntry.objects.get(event="drive:token_not_taken")
    assert "current user is not logged in" in str(entry.details["why"])
    assert "audience" in str(entry.details["advice"])


class TestNoAppPasswordForAToken:
    """`getapppassword` answers 404, or 403 without a word."""

    @pytest.fixture(params=[{"proxy_404": True}, {"version": "8.10.1"}], autouse=True)
    def refused(self, request: pytest.FixtureRequest, scenario: DriveScenario) -> None:
        scenario.switch(**request.param)

    def test_falls_back_to_the_command_line_tool(self, scenario: DriveScenario) -> None:
        assert connect.by_token(scenario.person, scenario.systems(), scenario.token()).connected
        assert scenario.engine.commands[0][0][2] == "user:add-app-password"
        assert scenario.stored
        assert scenario.opens(*scenario.stored) == SUB

    @pytest.mark.parametrize("why", ["stopped", "not configured"])
    def test_on_failure_the_log_says_that_sso_app_password_creation_failed(
        self, scenario: DriveScenario, visitor: Visitor, caplog: pytest.LogCaptureFixture, why: str
    ) -> None:
        """And the person hears what is left, administrators what mends it."""
        cure = "Start the drive's application container"
        if why == "stopped":
            scenario.engine.status = "exited"
        else:
            scenario.settings["container_name"] = ""
            cure = "or name its application container"
        said = visitor.ask("POST", "/me/drive")
        assert said.status_code == 200
        assert "SSO app password creation failed" in caplog.text
        assert scenario.stored is None
        for told in (said.json(), visitor.ask("GET", "/me/drive").json()):
            assert "The administrators have been notified" in told["bearer_error"]
            assert "in the browser" in told["bearer_error"]
        page = visitor.get("/drive").content.decode()
        assert "Connect in the browser" in page
        assert "container" not in page, "that is for administrators"
        entry = AuditEntry.objects.get(event="drive:app_password_not_made")
        assert cure in str(entry.details["advice"])
        failing = {
            one.name
            for one in scenario.make(**scenario.settings).check()
            if one.severity == "failing"
        }
        assert failing & {"OpenID Connect app", "app passwords for tokens"}, "the inbox has it"


def test_the_visit_after_a_sign_in_waits_for_a_tool_that_fails(scenario: DriveScenario) -> None:
    scenario.switch(version="8.10.1")
    scenario.engine.status = "exited"
    after_sign_in.request_sync(
        scenario.person, scenario.token(), timezone.now() + timedelta(minutes=5)
    )
    for _ in range(2):
        assert after_sign_in.run_pending_syncs(scenario.systems()) == 0
    assert AuditEntry.objects.filter(event="drive:app_password_not_made").count() == 1
    scenario.engine.status = "running"
    assert after_sign_in.run_pending_syncs(scenario.systems()) == 1
    assert scenario.stored
    assert connect.status(scenario.person, scenario.systems()).connected


@pytest.mark.parametrize("answer", ["403", "empty user"])
def test_login_flow_on_a_drive_with_single_sign_on_alone_is_unusable_use_bearer(
    scenario: DriveScenario, visitor: Visitor, answer: str
) -> None:
    if answer == "403":
        forbidden = {"path": "^/index.php/login/v2", "fault": "status", "status": 403}
        scenario.stand_in.faults.add({**forbidden, "method": "POST"})
        said = visitor.ask("POST", "/me/drive/connect")
        assert said.status_code == 409
    else:
        visitor.ask("POST", "/me/drive/connect")
        scenario.app_password_of(SUB)
        flow = scenario.stand_in.world.flows[-1]
        flow.granted = ("", scenario.app_password_of(SUB))
        said = visitor.ask("POST", "/me/drive/poll")
        assert said.status_code == 400
    assert "Connect with your sign-in" in said.json()["detail"]
    assert "Connect with your sign-in" in visitor.ask("GET", "/me/drive").json()["browser_error"]
    page = visitor.get("/drive").content.decode()
    assert "Connect with my sign-in" in page
    assert "Connect in the browser" not in page
    assert visitor.ask("POST", "/me/drive").json()["connected"], "the other way is open"
    assert visitor.ask("GET", "/me/drive").json()["browser_error"] is None


@pytest.mark.parametrize("tokens", [True, False])
def test_login_flow_that_the_drive_refuses_in_the_browser_is_unusable_after_ten_minutes(
    scenario: DriveScenario, visitor: Visitor, tokens: bool
) -> None:
    """It tells nobody but the browser: asked by us, it answers as if nobody had been there yet."""
    scenario.settings["use_bearer_token"] = tokens
    address = visitor.ask("POST", "/me/drive/connect").json()["login_url"]
    assert visitor.ask("POST", "/me/drive/poll").json() == {"state": "pending"}
    DriveFlow.objects.update(created_at=timezone.now() - in_browser.LONGEST_SIGN_IN)
    said = visitor.ask("POST", "/me/drive/poll")
    assert said.status_code == 409
    assert (
        "The drive has not completed the sign-in for ten minutes; it may refuse sign-ins in the "
        "browser."
    ) in said.json()["detail"]
    assert ("Connect with your sign-in" in said.json()["detail"]) is tokens
    assert visitor.ask("GET", "/me/drive").json()["browser_error"] == said.json()["detail"]
    assert "Connect in the browser" not in visitor.get("/drive").content.decode()
    if tokens:
        # Who was away for long is let on all the same.
        scenario.stand_in.world.flows[-1].granted = (SUB, scenario.app_password_of(SUB))
        assert address
        assert visitor.ask("POST", "/me/drive/poll").json() == {"state": "connected"}
        assert visitor.ask("GET", "/me/drive").json()["browser_error"] is None


def test_bearer_fails_in_the_status_check_bearer_error_and_manual_connect(
    scenario: DriveScenario, visitor: Visitor
) -> None:
    scenario.switch(provider={"checkBearer": False})
    assert "in the browser" in visitor.ask("POST", "/me/drive").json()["bearer_error"]
    assert "in the browser" in visitor.ask("GET", "/me/drive").json()["bearer_error"]
    page = visitor.get("/drive").content.decode()
    assert "Connect in the browser" in page
    assert "audience" not in page, "that is for administrators"


def logout_finding(status: int, body: str) -> Any:
    """What the check says of this answer of the single-logout path."""

    def handle(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, text=body, headers={"Content-Type": "text/html"})

    client = DriveClient("https://drive.test", transport=httpx.MockTransport(handle))
    return single_logout(client, Settings(base_url="https://drive.test"))


GONE = '<html data-requesttoken="x">There is no such OpenID Connect provider.</html>'


@pytest.mark.parametrize(
    ("status", "body", "one"),
    [
        pytest.param(404, GONE, "sign_out_provider_gone", id="404 stale provider in the session"),
        pytest.param(404, "not found", "sign_out_not_reached", id="404 of a bare proxy"),
        pytest.param(404, "Nextcloud", "sign_out_no_such_page", id="404 of the drive"),
        pytest.param(429, "Too many requests", "our_address_is_blocked", id="429 brute force"),
        pytest.param(500, "", "sign_out_answered_status", id="identity provider out of reach"),
    ],
)
def test_logout_at_the_single_logout_path(status: int, body: str, one: str) -> None:
    found = logout_finding(status, body)
    assert found.severity is not Severity.OK
    assert found.message.code == f"drive.{one}"
    assert found.remedy


def test_two_sso_buttons_on_the_login_page(scenario: DriveScenario) -> None:
    scenario.switch(allow_multiple_user_backends=True, id4me_enabled=True)
    found = {one.name: one for one in scenario.make().check()}
    assert "2 sign-in buttons" in found["sign-in goes to the identity provider"].text


def test_bare_empty_string_for_the_prefix_is_rejected_as_not_set() -> None:
    with pytest.raises(SettingsInvalid, match="empty") as refused:
        parse(Settings, {"base_url": "https://drive.test", "oidc_username_prefix": ""}, {})
    assert refused.value.messages["oidc_username_prefix"].code == "contract.not_set"
    good = parse(Settings, {"base_url": "https://x.test", "oidc_username_prefix": "{empty}"}, {})
    assert good.oidc_username_prefix == ""


@pytest.mark.django_db(transaction=True)
def test_no_account_link_on_delete_is_skipped_and_said(world: World) -> None:
    make_person("root-admin", sub="admin-sub", role="administrator")
    make_person("edsger")
    draft = draft_removal("edsger", actor="root-admin", systems=world.systems())
    plan = approve_removal(
        draft.id, digest=draft.digest, actor="root-admin", systems=world.systems()
    )
    for _ in range(3):
        run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    skipped = plan.steps.filter(state="skipped", n__in=[2, 3, 4])
    no_link = "edsger has no account link and never signed in through the identity provider"
    assert [str(step.reason) for step in skipped if no_link in str(step.reason)]


@pytest.mark.parametrize("what", ["do not match", "app password invalid"])
def test_stored_credentials_do_not_match_or_are_invalid_cleared_and_reconnected(
    scenario: DriveScenario, visitor: Visitor, what: str
) -> None:
    scenario.store("another" if what == "do not match" else SUB, "x" * 72)
    told = visitor.ask("GET", "/me/drive").json()
    words = (
        ("another account")
        if what == "do not match"
        else "The drive rejects the stored app password:"
    )
    assert (told["connected"], words in told["stored_error"]) == (False, True)
    assert "Connect again" in visitor.get("/drive").content.decode()
    after_sign_in.request_sync(
        scenario.person, scenario.token(exp=1), timezone.now() + timedelta(minutes=5)
    )
    assert after_sign_in.run_pending_syncs(scenario.systems()) == 1
    assert scenario.stored is None
    told = visitor.ask("GET", "/me/drive").json()
    assert words in told["stored_error"], "also once it is dropped"
    assert visitor.ask("POST", "/me/drive").json()["connected"]
    assert scenario.stored
    assert scenario.stored[0] == SUB
    assert scenario.opens(*scenario.stored) == SUB
    assert visitor.ask("GET", "/me/drive").json()["stored_error"] is None


def test_the_user_was_recreated_outside_the_manager_and_reconnects(scenario: DriveScenario) -> None:
    """The old pair stays with the old account; nobody is let in as somebody else by name."""
    connect.by_token(scenario.person, scenario.systems(), scenario.token())
    with pytest.raises(NotAdmitted):
        admit.admit(Claims(sub="recreated", username="maria"), admit_unregistered=True)
    SocialAccount.objects.filter(user=scenario.person).update(uid="recreated")
    scenario.issuer.user = {**scenario.issuer.user, "sub": "recreated"}
    said = connect.by_token(scenario.person, scenario.systems(), scenario.token())
    assert (said.connected, said.login_name) == (True, "recreated")
    in_browser.settle(scenario.systems())
    assert scenario.stored
    assert scenario.opens(*scenario.stored) == "recreated"
