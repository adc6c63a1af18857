"""Each misconfiguration that can be seen from here has its finding."""

from typing import Any

import pytest

from tests.systems.drive.conftest import FakeEngine, MakeDrive, Switch
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive import names
from workspace_manager.systems.drive.connector import Drive
from workspace_sandbox.stand_ins.drive import DriveStandIn

SUB = "11111111-2222-4333-8444-555555555555"


def problems(drive: Drive) -> dict[str, Finding]:
    return {f.name: f for f in drive.check() if f.severity is not Severity.OK}


def test_a_well_kept_drive_has_none(drive: Drive, stand_in: DriveStandIn) -> None:
    findings = drive.check()
    assert problems(drive) == {}
    assert len(findings) == 8
    assert stand_in.state["attempts"] == []
    assert not [c for c in stand_in.ledger.items if c["effect"]]


@pytest.mark.parametrize(
    ("options", "name", "words"),
    [
        ({"maintenance": True}, "reachable", "maintenance"),
        (
            {"allow_multiple_user_backends": True},
            "sign-in goes to the identity provider",
            "password",
        ),
        ({"allow_multiple_user_backends": True}, "single logout", "stays at the drive"),
        (
            {"allow_multiple_user_backends": True, "id4me_enabled": True},
            "sign-in goes to the identity provider",
            "2 sign-in buttons",
        ),
        ({"identity_provider_reachable": False}, "single logout", "answered 500"),
        ({"app_enabled": False}, "single logout", "no such page"),
        ({"single_logout": False}, "single logout", "stays at the drive"),
        ({"attempts": {"userOidcSingleLogout": 11}}, "single logout", "429"),
        (
            {"provider": {"postLogoutUri": "https://other.example.org/"}},
            "single logout",
            "another host",
        ),
        ({"version": "8.9.0"}, "OpenID Connect app", "no app password for a token"),
        ({"version": "6.1.2"}, "OpenID Connect app", "another client"),
        ({"provider": {"uniqueUid": True}}, "OpenID Connect provider", "unique uid"),
        ({"provider": {"providerBasedId": True}}, "OpenID Connect provider", "keycloak-"),
        ({"provider": {"checkBearer": False}}, "OpenID Connect provider", "does not check bearer"),
        ({"provider": {"sendIdTokenHint": False}}, "OpenID Connect provider", "ID token hint"),
    ],
)
def test_findings(
    drive: Drive, switch: Switch, options: dict[str, Any], name: str, words: str
) -> None:
    switch(**options)
    found = problems(drive)
    assert words in found[name].text
    assert found[name].remedy


def test_the_version_matters_more_without_a_fallback(make_drive: MakeDrive, switch: Switch) -> None:
    switch(version="8.10.1")
    severity = problems(make_drive())["OpenID Connect app"].severity
    assert severity is Severity.WARNING
    alone = problems(make_drive(container_name=""))["OpenID Connect app"].severity
    assert alone is Severity.FAILING


def test_two_providers(drive: Drive, stand_in: DriveStandIn) -> None:
    first = stand_in.state["providers"][0]
    stand_in.state["providers"].append({**first, "id": 2, "identifier": "second"})
    found = problems(drive)
    assert "2 OpenID Connect providers" in found["OpenID Connect provider"].text
    assert "2 sign-in buttons" in found["sign-in goes to the identity provider"].text


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
        assert problems(drive)["asking who we are"].severity is Severity.FAILING
    assert len(stand_in.state["attempts"]) == 1


def test_accounts_under_a_prefix_nobody_names(
    make_drive: MakeDrive, stand_in: DriveStandIn
) -> None:
    stand_in.world.accounts.add(f"keycloak-{SUB}", "user_oidc")
    assert "keycloak-" in problems(make_drive())["account ids"].text
    assert "account ids" not in problems(make_drive(legacy_prefix="keycloak-"))


def test_hashed_accounts(drive: Drive, stand_in: DriveStandIn) -> None:
    stand_in.world.accounts.add("a" * 64, "user_oidc")
    assert "account id is a hash" in problems(drive)["account ids"].text


def test_a_prefix_no_account_has(make_drive: MakeDrive, stand_in: DriveStandIn) -> None:
    stand_in.world.accounts.add(names.account_id(SUB), "user_oidc")
    found = problems(make_drive(oidc_username_prefix="other-"))
    assert "No account begins" in found["account ids"].text


def test_the_application_container(make_drive: MakeDrive, engine: FakeEngine) -> None:
    assert problems(make_drive(container_name="missing"))
    engine.status = "exited"
    assert "exited" in problems(make_drive())["command-line tool"].text
    assert (
        "no container manager" in problems(make_drive(containers=False))["command-line tool"].text
    )


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
