"""Each misconfiguration that can be seen from here has its finding."""

from typing import Any

import httpx
import pytest

from tests.systems.drive.conftest import (
    ADMIN_PASSWORD,
    FakeEngine,
    Issuer,
    MakeDrive,
    Switch,
    wants,
)
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive import names
from workspace_manager.systems.drive.client.look import look
from workspace_manager.systems.drive.connector import Drive
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_sandbox.stand_ins.drive import DriveStandIn

SUB = "11111111-2222-4333-8444-555555555555"


def problems(drive: Drive) -> dict[str, Finding]:
    return {f.name: f for f in drive.check() if f.severity is not Severity.OK}


def by_id(drive: Drive) -> dict[str, Finding]:
    found = [f for f in drive.check() if f.severity is not Severity.OK]
    assert all(f.remedy for f in found)
    return {f.message.code.partition(".")[2]: f for f in found if f.message}


def test_a_well_kept_drive_has_none(drive: Drive, stand_in: DriveStandIn) -> None:
    findings = drive.check()
    assert problems(drive) == {}
    assert len(findings) == 13
    assert stand_in.state["attempts"] == []
    assert not [c for c in stand_in.ledger.items if c["effect"]]


OTHER = "https://other.example.org/"
AUDIENCE = "selfencoded_bearer_validation_audience_check"
LOGIN_AUDIENCE = "login_validation_audience_check"
REALM = "http://127.0.0.1:9/realms/other/.well-known/openid-configuration"
WRONGS: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"maintenance": True}, {"in_maintenance_page": "maintenance"}),
    (
        {"allow_multiple_user_backends": True},
        {"sign_in_by_button": "a button", "sign_out_stays": "session in the drive only"},
    ),
    (
        {"allow_multiple_user_backends": True, "hide_login_form": False},
        {"sign_in_asks_password": "password"},
    ),
    (
        {"allow_multiple_user_backends": True, "id4me_enabled": True},
        {"sign_in_buttons": "2 sign-in buttons"},
    ),
    ({"id4me_enabled": True}, {"id4me_is_on": "ID4me"}),
    ({"social_login": True}, {"social_login_is_on": "social-login"}),
    ({"hide_login_form": False}, {"form_is_shown": "in vain"}),
    ({"lost_password_link": ""}, {"password_link_is_shown": "forgotten password"}),
    ({"identity_provider_reachable": False}, {"sign_out_answered_status": "answered 500"}),
    ({"app_enabled": False}, {"sign_out_no_such_page": "no such page"}),
    ({"single_logout": False}, {"sign_out_stays": "session in the drive only"}),
    ({"attempts": {"userOidcSingleLogout": 11}}, {"our_address_is_blocked": "429"}),
    ({"provider": {"postLogoutUri": OTHER}}, {"sign_out_other_host": "another host"}),
    ({"provider": {"postLogoutUri": None}}, {"no_post_logout": "older ones answer 404"}),
    ({"version": "8.9.0"}, {"version_makes_no_app_password_fallback": "no app password"}),
    ({"version": "6.1.2"}, {"version_refuses_tokens": "another client"}),
    ({"provider": {"uniqueUid": True}}, {"provider_hashes_ids": "unique uid"}),
    (
        {"provider": {"mappingUid": "preferred_username"}},
        {"ids_of_another_claim": "preferred_username"},
    ),
    ({"provider": {"mappingEmail": "mail"}}, {"email_is_another": "claim mail"}),
    ({"provider": {"restrictLoginToGroups": True}}, {"sign_in_of_groups_alone": "certain groups"}),
    ({"provider": {"scope": "profile email"}}, {"scope_without_openid": "nobody can"}),
    ({"provider": {"endSessionEndpoint": OTHER}}, {"sign_out_elsewhere": "other.example.org"}),
    ({"provider": {"providerBasedId": True}}, {"provider_prefix_differs": "keycloak-"}),
    ({"provider": {"checkBearer": False}}, {"provider_checks_no_tokens": "does not check"}),
    ({"provider": {"bearerProvisioning": False}}, {"provider_takes_no_names": "names"}),
    ({"provider": {"sendIdTokenHint": False}}, {"provider_sends_no_hint": "ID token hint"}),
    ({"provider": {"mappingDisplayName": ""}}, {"display_name_is_another": "claim name"}),
    ({"provider": {"clientId": "drive"}}, {"another_client": "the client drive"}),
    (
        {"provider": {"discoveryEndpoint": REALM}},
        {"another_realm": "at other", "sign_out_answered_status": "500"},
    ),
    ({"provider": {"clientSecret": "old"}}, {"secret_refused": "nobody can sign in"}),
    ({"proxy_404": True}, {"app_passwords_are_not_reached": "Another program answers"}),
    ({"auto_provision": False}, {"accounts_are_not_made": "no account"}),
    ({"disable_account_creation": True}, {"accounts_are_not_made": "no account"}),
    ({"selfencoded_bearer_validation": False}, {"tokens_are_not_checked": "every token"}),
    (
        {"selfencoded_bearer_validation_audience_check": False},
        {"tokens_of_any_client": "any client"},
    ),
    ({"file": {"user_oidc": {AUDIENCE: "false"}}}, {"tokens_of_any_client": "any client"}),
    ({"file": {"user_oidc": {LOGIN_AUDIENCE: 0}}}, {"sign_ins_of_any_client": "any client"}),
    ({"file": {"user_oidc": {"httpclient.allowselfsigned": True}}}, {"any_certificate": "any"}),
    ({"file": {"debug": True}}, {"debug_is_on": "debug mode"}),
    ({"file": {"auth.bruteforce.protection.enabled": False}}, {"guessing_is_free": "guessed"}),
    ({"attempts": {"userOidcLogin": 5}}, {"our_calls_wait": "3 s now"}),
    ({"server_version": "31.0.1"}, {"few_attempts": "so few"}),
    ({"server_version": "31.0.1", "max_attempts": 10}, {"few_attempts": "so few"}),
    ({"allow_insecure_http": False}, {"sign_in_wants_https": "unencrypted http"}),
]
"""The state the stand-in is set into, and by id what is found, with words of it."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("options", "wanted"), WRONGS, ids=lambda value: " ".join(value) if value else ""
)
def test_each_is_found_by_its_id(
    drive: Drive,
    stand_in: DriveStandIn,
    switch: Switch,
    options: dict[str, Any],
    wanted: dict[str, str],
) -> None:
    assert by_id(drive).keys().isdisjoint(wanted)
    switch(**options)
    before = len(stand_in.state["attempts"])
    found = by_id(drive)
    for one, words in wanted.items():
        assert words in found[one].text
    counted = len(stand_in.state["attempts"]) - before
    assert counted == ("sign_in_wants_https" in wanted)


@pytest.mark.parametrize(
    ("options", "only"),
    [
        ({"app_enabled": False}, {"sign_out_no_such_page"}),
        ({"allow_multiple_user_backends": True}, {"sign_in_by_button", "sign_out_stays"}),
        ({"provider": {"mappingUid": "preferred_username"}}, {"ids_of_another_claim"}),
    ],
)
def test_one_cause_is_said_once(
    drive: Drive, switch: Switch, options: dict[str, Any], only: set[str]
) -> None:
    """A form that is hidden asks nobody for a password; another claim is no prefix."""
    switch(**options)
    assert by_id(drive).keys() == only


def test_a_sign_in_page_without_a_way_is_said_where_nothing_else_says_why(
    make_drive: MakeDrive, stand_in: DriveStandIn
) -> None:
    stand_in.state["providers"].clear()
    assert "sign_in_offers_nothing" not in by_id(make_drive())
    alone = by_id(make_drive(admin_username=""))
    assert "no way to sign in" in alone["sign_in_offers_nothing"].text


@pytest.mark.parametrize("said", ["Client disabled.", "Client not found."])
def test_a_client_that_is_off_is_no_wrong_secret(
    drive: Drive, issuer: Issuer, switch: Switch, said: str
) -> None:
    issuer.no_client = said
    found = by_id(drive)
    assert found.keys() == {"client_not_taken"}
    assert said in found["client_not_taken"].text
    issuer.no_client = ""
    switch(provider={"clientSecret": "old"})
    assert by_id(drive).keys() == {"secret_refused"}


def test_a_sign_in_that_asks_nobody(make_drive: MakeDrive, stand_in: DriveStandIn) -> None:
    drive = make_drive()
    browser, real = drive._client._browser, httpx.HTTPTransport()

    def answer(request: httpx.Request) -> httpx.Response:
        found = real.handle_request(request)
        if request.url.path.startswith("/apps/user_oidc/login/"):
            found.headers["Location"] += "&prompt=none"
        return found

    browser._client = httpx.Client(transport=httpx.MockTransport(answer))
    assert by_id(drive).keys() == {"sign_in_asks_nobody"}


def test_an_untrusted_name_is_said_in_the_drives_own_words(
    make_drive: MakeDrive, stand_in: DriveStandIn
) -> None:
    drive = make_drive(base_url=stand_in.url.replace("127.0.0.1", "127.1"))
    (found,) = drive.check()
    assert (found.name, found.severity) == ("reachable", Severity.FAILING)
    assert found.message
    assert found.message.code == "drive.domain_not_trusted"
    assert "untrusted domain" in found.text
    assert "trusted_domains" in found.remedy
    for ask in (lambda: look(drive.settings), drive._client.whoami_admin):
        with pytest.raises(Invalid, match="untrusted domain"):
            ask()


def test_a_drive_that_reads_it_is_asked_for_its_attempts(drive: Drive, switch: Switch) -> None:
    switch(server_version="31.0.1", max_attempts=25)
    assert by_id(drive) == {}


def test_without_a_container_its_configuration_file_is_not_read(
    make_drive: MakeDrive, switch: Switch
) -> None:
    switch(auto_provision=False)
    assert by_id(make_drive(container_name="")) == {}


def test_without_an_administrator_the_way_of_a_sign_in_tells(
    make_drive: MakeDrive, issuer: Issuer, switch: Switch
) -> None:
    drive = make_drive(admin_username="")
    assert by_id(drive).keys() == {"no_administrator_is_set"}
    switch(provider={"clientId": "drive"})
    assert "another_client" in by_id(drive)
    elsewhere = wants(f"{issuer.url}/realms/another")
    assert "another_realm" in by_id(make_drive(admin_username="", realm=elsewhere))


def test_an_address_of_its_own_is_not_another_realm(make_drive: MakeDrive, issuer: Issuer) -> None:
    """The drive may reach the identity provider from inside; where it sends people is compared."""
    public = wants("https://id.example.org/realms/workspace")
    found = by_id(make_drive(realm=public))
    assert found.keys() == {"sign_in_at_another_address"}
    assert found["sign_in_at_another_address"].severity is Severity.WARNING
    assert issuer.url.partition("//")[2] in found["sign_in_at_another_address"].text


def test_a_sign_in_that_comes_back_elsewhere(make_drive: MakeDrive, stand_in: DriveStandIn) -> None:
    """As behind a proxy that keeps the drive's name from it."""
    drive = make_drive(base_url=stand_in.url.replace("127.0.0.1", "localhost"))
    assert "sign_in_comes_back_elsewhere" not in by_id(drive)
    drive._client._browser = make_drive()._client._browser
    assert "sign_in_comes_back_elsewhere" in by_id(drive)


def test_with_no_identity_provider_configured_nothing_is_compared(make_drive: MakeDrive) -> None:
    assert by_id(make_drive(realm=RealmWants("workspace"))) == {}


def test_a_real_password_of_the_administrator(make_drive: MakeDrive) -> None:
    found = by_id(make_drive(admin_password=Secret(ADMIN_PASSWORD)))
    assert found.keys() == {"administrator_uses_password"}
    assert found["administrator_uses_password"].severity is Severity.WARNING
    assert ADMIN_PASSWORD not in str(found)


def test_an_app_password_as_its_page_shows_it_is_none(
    make_drive: MakeDrive, stand_in: DriveStandIn
) -> None:
    shown = "-".join(["aB3dE"] * 5)
    stand_in.world.accounts.mint("admin", "admin", "by hand", text=shown)
    assert by_id(make_drive(admin_password=Secret(shown))) == {}


def test_the_version_matters_more_without_a_fallback(make_drive: MakeDrive, switch: Switch) -> None:
    switch(version="8.10.1")
    beside = by_id(make_drive())["version_makes_no_app_password_fallback"]
    assert beside.severity is Severity.WARNING
    alone = by_id(make_drive(container_name=""))["version_makes_no_app_password"]
    assert alone.severity is Severity.FAILING


def test_two_providers(drive: Drive, stand_in: DriveStandIn) -> None:
    first = stand_in.state["providers"][0]
    stand_in.state["providers"].append({**first, "id": 2, "identifier": "second"})
    found = by_id(drive)
    assert "2 OpenID Connect providers" in found["not_one_provider"].text
    assert "2 sign-in buttons" in found["sign_in_buttons"].text


def test_no_administrator(make_drive: MakeDrive) -> None:
    finding = problems(make_drive(admin_username=""))["administrator"]
    assert finding.severity is Severity.WARNING
    assert "by hand" in finding.remedy


def test_a_plain_account(make_drive: MakeDrive) -> None:
    drive = make_drive(admin_username="alice", admin_password=Secret("Al1ce-Pw"))
    assert "group admin" in problems(drive)["administrator"].text


def test_a_wrong_password_is_tried_once(make_drive: MakeDrive, stand_in: DriveStandIn) -> None:
    drive = make_drive(admin_password=Secret("wrong"))
    for _ in range(3):
        assert problems(drive)["asking for our own account"].severity is Severity.FAILING
    assert len(stand_in.state["attempts"]) == 1


def test_accounts_under_a_prefix_nobody_names(
    make_drive: MakeDrive, stand_in: DriveStandIn
) -> None:
    stand_in.world.accounts.add(f"keycloak-{SUB}", "user_oidc")
    assert "keycloak-" in by_id(make_drive())["unknown_prefixes"].text
    assert by_id(make_drive(legacy_prefix="keycloak-")) == {}


def test_hashed_accounts(drive: Drive, stand_in: DriveStandIn) -> None:
    stand_in.world.accounts.add("a" * 64, "user_oidc")
    assert "account id is a hash" in problems(drive)["account ids"].text


def test_a_prefix_no_account_has(make_drive: MakeDrive, stand_in: DriveStandIn) -> None:
    stand_in.world.accounts.add(names.account_id(SUB), "user_oidc")
    found = by_id(make_drive(oidc_username_prefix="other-"))
    assert "No account begins" in found["no_account_has_prefix"].text


def test_the_application_container(make_drive: MakeDrive, engine: FakeEngine) -> None:
    assert problems(make_drive(container_name="missing"))
    engine.status = "exited"
    assert "exited" in by_id(make_drive())["container_is"].text
    found = by_id(make_drive(containers=False))
    assert "no container manager" in found["container_without_manager"].text


def test_a_command_line_tool_that_fails_is_said(make_drive: MakeDrive, engine: FakeEngine) -> None:
    """As with another owner of its files; what it printed may be anything, and is not repeated."""
    printed = "Console has to be executed with the user that owns the file config/config.php"
    engine.prints = printed
    found = by_id(make_drive())
    assert "command_line_ended" in found
    assert "config.php" not in str(found)


@pytest.mark.parametrize("fault", ["status", "html", "garbage", "reset", "redirect", "truncated"])
def test_a_dead_drive_is_a_finding(drive: Drive, stand_in: DriveStandIn, fault: str) -> None:
    stand_in.faults.add({"fault": fault, "times": 20})
    found = problems(drive)
    assert found["reachable"].severity is Severity.FAILING


@pytest.mark.parametrize("fault", ["status", "html", "garbage", "reset", "redirect", "truncated"])
def test_faults_after_the_first_look_raise_nothing(
    drive: Drive, stand_in: DriveStandIn, fault: str
) -> None:
    stand_in.faults.add({"fault": fault, "times": 30, "path": "^/(ocs|login|apps)"})
    assert problems(drive)
