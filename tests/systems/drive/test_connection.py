"""A person's connection, the rights of the administrator, and secrets that show nowhere, against
the stand-in.
"""

import json
from typing import Any

import pytest

from tests.systems.drive.conftest import Exists, FakeEngine, Issuer, MakeDrive, Switch, Vault
from workspace_manager.contract.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive import names
from workspace_manager.systems.drive.connector import Drive
from workspace_manager.systems.drive.connector.credentials import NotMade
from workspace_sandbox.stand_ins.drive import DriveStandIn

SUB = "11111111-2222-4333-8444-555555555555"


class TestConnecting:
    def test_a_token_makes_account_and_app_password(
        self, drive: Drive, bearer: Secret, exists: Exists
    ) -> None:
        login_name, app_password, _ = drive.ensure_app_password(bearer, SUB)
        assert login_name == SUB
        assert drive.credentials_work(login_name, app_password, SUB)
        assert exists()[SUB]["backend"] == "user_oidc"

    @pytest.mark.parametrize("version", ["8.7.1", "8.10.1"])
    def test_where_none_is_offered_the_command_line_tool_makes_one(
        self, drive: Drive, bearer: Secret, engine: FakeEngine, switch: Switch, version: str
    ) -> None:
        switch(version=version)
        login_name, app_password, _ = drive.ensure_app_password(bearer, SUB)
        assert engine.commands == [
            (["php", "occ", "user:add-app-password", "-n", "--no-warnings", "--", SUB], "www-data")
        ]
        assert drive.credentials_work(login_name, app_password, SUB)

    def test_a_404_falls_back_too(
        self, drive: Drive, bearer: Secret, engine: FakeEngine, switch: Switch
    ) -> None:
        switch(proxy_404=True)
        drive.ensure_app_password(bearer, SUB)
        assert engine.commands

    def test_without_a_container_it_says_what_to_do(
        self, make_drive: MakeDrive, bearer: Secret, switch: Switch
    ) -> None:
        switch(version="8.10.1")
        with pytest.raises(NotMade) as cannot:
            make_drive(container_name="").ensure_app_password(bearer, SUB)
        assert "8.10.1" in cannot.value.advice

    def test_a_stopped_container_is_no_silent_drive(
        self, drive: Drive, bearer: Secret, engine: FakeEngine, switch: Switch
    ) -> None:
        switch(version="8.10.1")
        engine.status = "exited"
        with pytest.raises(NotMade, match="does not run") as cannot:
            drive.ensure_app_password(bearer, SUB)
        assert "Start" in cannot.value.advice

    def test_a_wrong_container_name_is_a_setting(
        self, make_drive: MakeDrive, bearer: Secret, switch: Switch
    ) -> None:
        switch(version="8.10.1")
        with pytest.raises(NotMade):
            make_drive(container_name="other").ensure_app_password(bearer, SUB)

    @pytest.mark.parametrize(
        "claims",
        [{"aud": ["https://manager.example.org"]}, {"exp": 1000}, {"iss": "https://other"}],
    )
    def test_a_rejected_token_is_denied_and_never_counted(
        self, drive: Drive, issuer: Issuer, claims: dict[str, Any], stand_in: DriveStandIn
    ) -> None:
        with pytest.raises(Denied, match="not logged in"):
            drive.ensure_app_password(Secret(issuer.mint(**claims)), SUB)
        assert stand_in.state["attempts"] == []

    def test_another_account_than_the_persons_is_a_conflict(
        self, drive: Drive, bearer: Secret, switch: Switch
    ) -> None:
        switch(provider={"uniqueUid": True})
        with pytest.raises(Conflict):
            drive.ensure_app_password(bearer, SUB)

    def test_the_prefix_form(self, make_drive: MakeDrive, bearer: Secret, switch: Switch) -> None:
        switch(provider={"providerBasedId": True})
        drive = make_drive(oidc_username_prefix="keycloak-")
        assert drive.ensure_app_password(bearer, SUB)[0] == f"keycloak-{SUB}"

    def test_tokens_switched_off(self, make_drive: MakeDrive, bearer: Secret) -> None:
        with pytest.raises(Invalid):
            make_drive(use_bearer_token=False).ensure_app_password(bearer, SUB)

    def test_only_a_definite_401_means_dead(
        self, drive: Drive, bearer: Secret, stand_in: DriveStandIn, switch: Switch
    ) -> None:
        login_name, app_password, _ = drive.ensure_app_password(bearer, SUB)
        assert drive.credentials_work(login_name, Secret("y" * 72), SUB) is False
        for fault in ({"fault": "status", "status": 401}, {"fault": "status", "status": 500}):
            stand_in.faults.add({**fault})
            with pytest.raises((Denied, Unavailable)):
                drive.credentials_work(login_name, app_password, SUB)
        with pytest.raises(Conflict):
            drive.credentials_work(login_name, app_password, "another")
        assert drive.revoke_app_password(app_password) is True
        assert drive.revoke_app_password(app_password) is False
        assert drive.credentials_work(login_name, app_password, SUB) is False


class TestRights:
    def test_the_administrator_is_proven(self, drive: Drive) -> None:
        assert "group admin" in drive.prove_rights().text

    def test_a_plain_account_is_denied(self, make_drive: MakeDrive) -> None:
        with pytest.raises(Denied):
            make_drive(admin_username="alice", admin_password=Secret("Al1ce-Pw")).prove_rights()

    def test_without_one_the_drive_itself_is_asked(self, make_drive: MakeDrive) -> None:
        assert "without an administrator" in make_drive(admin_username="").prove_rights().text

    def test_a_refused_pair_is_shown_once_however_often_it_is_looked_at(
        self, make_drive: MakeDrive, bearer: Secret, stand_in: DriveStandIn
    ) -> None:
        """Thirty page views with a dead pair are one call; another password is tried at once."""
        name, alive, _ = make_drive().ensure_app_password(bearer, SUB)

        def calls() -> int:
            return len([one for one in stand_in.ledger.items if one["status"] == 401])

        before = calls()
        for _ in range(30):
            assert make_drive().credentials_work(name, Secret("y" * 72), SUB) is False
        assert calls() == before + 1
        assert make_drive().credentials_work(name, alive, SUB)
        make_drive().try_again()
        assert make_drive().credentials_work(name, Secret("y" * 72), SUB) is False
        assert calls() == before + 2

    def test_a_pair_refused_while_its_account_was_disabled_is_good_again(
        self, drive: Drive, bearer: Secret
    ) -> None:
        """A suspension disables the account; what letting back in gives back is not forgotten."""
        name, app_password, _ = drive.ensure_app_password(bearer, SUB)
        account = drive.connectors["drive.account"]
        for enabled in (False, True):
            wish = account.plan(names.account_target(SUB, SUB), {"enabled": enabled})
            account.apply(wish)
            assert drive.credentials_work(name, app_password, SUB) is enabled

    def test_a_pair_refused_as_basic_is_not_shown_as_bearer_either(
        self, make_drive: MakeDrive, stand_in: DriveStandIn
    ) -> None:
        drive = make_drive(admin_username=SUB, admin_password=Secret("y" * 72))
        with pytest.raises(Denied):
            drive.prove_rights()
        seen = len(stand_in.ledger.items)
        assert drive.credentials_work(SUB, Secret("y" * 72), SUB) is False
        assert len(stand_in.ledger.items) == seen

    def test_a_refused_password_is_not_sent_again(
        self, make_drive: MakeDrive, stand_in: DriveStandIn
    ) -> None:
        drive = make_drive(admin_password=Secret("wrong"))
        for _ in range(5):
            with pytest.raises(Denied):
                drive.prove_rights()
        assert len(stand_in.state["attempts"]) == 1
        assert make_drive().prove_rights()


def test_no_secret_shows_anywhere(
    drive: Drive, bearer: Secret, vault: Vault, stand_in: DriveStandIn, exists: Exists
) -> None:
    login_name, app_password, _ = drive.ensure_app_password(bearer, SUB)
    vault["vault/1"] = app_password
    connector = drive.connectors["drive.app_password"]
    change = connector.plan(names.app_password_target(login_name, SUB, "vault/1"), None)
    shown = [change.model_dump_json(), connector.remove(change).model_dump_json()]
    stand_in.faults.add({"fault": "html", "times": 3})
    try:
        connector.verify(change)
    except Invalid as error:
        shown += [str(error), repr(error), error.advice]
    shown.append(json.dumps(exists()))
    for secret in (app_password, bearer, Secret("Adm1n-Canary-Pw")):
        assert not any(secret.reveal() in text for text in shown)


def test_login_flow_expires_by_our_own_clock(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    _, handle = drive.start_login_flow()
    assert drive.poll_login_flow(handle) is None
    monkeypatch.setattr("time.time", lambda: 10**10)
    with pytest.raises(NotFound):
        drive.poll_login_flow(handle)


def test_a_free_look_needs_no_credential_and_knows_maintenance(
    make_drive: MakeDrive, switch: Switch, stand_in: DriveStandIn
) -> None:
    drive = make_drive(admin_password=Secret("wrong"))
    assert drive.is_there()
    switch(maintenance=True)
    assert not drive.is_there()
    switch(maintenance=False, attempts={"login": 11})
    assert drive.is_there(), "a block does not show there"
    assert all(one["path"] == "/status.php" for one in stand_in.ledger.items[-3:])
