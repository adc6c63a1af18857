"""The connectors of accounts and app passwords, against the stand-in."""

from typing import Any

import httpx
import pytest

from tests.systems.drive.conftest import Exists, Issuer, MakeDrive, Switch, Vault
from workspace_manager.contract.connector import (
    UNKNOWN,
    Change,
    Connector,
    Evidence,
    Result,
    Target,
)
from workspace_manager.contract.errors import Conflict, Invalid, Unavailable
from workspace_manager.contract.message import in_words, quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive import names
from workspace_manager.systems.drive.connector import Drive
from workspace_sandbox.stand_ins.drive import DriveStandIn

SUB = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def account(drive: Drive) -> Connector:
    return drive.connectors["drive.account"]


@pytest.fixture
def app_password(drive: Drive) -> Connector:
    return drive.connectors["drive.app_password"]


def read_evidence(evidence: Evidence | None) -> str:
    """The text of a proof that is there."""
    assert evidence is not None
    return str(evidence.text)


def effects(stand_in: DriveStandIn) -> list[Any]:
    return [c for c in stand_in.ledger.items if c["effect"]]


def add_user(stand_in: DriveStandIn, uid: str, **more: Any) -> None:
    answer = httpx.post(
        f"{stand_in.url}/ocs/v2.php/cloud/users",
        headers={"OCS-APIRequest": "true"},
        auth=("admin", "Adm1n-Canary-Pw"),
        data={"userid": uid, "password": "x", **more},
    )
    assert answer.status_code == 200, answer.text


class TestAccount:
    def test_a_persons_account_is_deleted_once(
        self, drive: Drive, account: Connector, bearer: Secret, exists: Exists
    ) -> None:
        drive.account_of(bearer)
        change = account.plan(names.account_target(SUB, SUB), None)
        assert change.before == {"account_id": SUB, "backend": "user_oidc", "enabled": True}
        assert account.verify(change) is None
        assert account.remove(change).result is Result.CHANGED
        assert account.remove(change).result is Result.ALREADY
        assert SUB not in exists()
        assert "does not exist" in read_evidence(account.verify(change))
        assert Change.model_validate_json(change.model_dump_json()) == change

    def test_plan_and_verify_write_nothing(
        self, drive: Drive, account: Connector, bearer: Secret, stand_in: DriveStandIn
    ) -> None:
        drive.account_of(bearer)
        before = len(effects(stand_in))
        change = account.plan(names.account_target(SUB, SUB), None)
        assert account.plan(names.account_target(SUB, SUB), None) == change
        account.verify(change)
        assert len(effects(stand_in)) == before

    def test_the_absent_is_already_gone(self, account: Connector) -> None:
        change = account.plan(names.account_target(SUB, SUB), None)
        assert change.before is None
        assert account.remove(change).result is Result.ALREADY

    def test_another_back_ends_account_is_a_conflict(
        self, account: Connector, exists: Exists
    ) -> None:
        change = account.plan(names.account_target("alice", SUB), None)
        with pytest.raises(Conflict):
            account.remove(change)
        assert "alice" in exists()

    def test_an_account_of_the_oidc_back_end_is_taken_on_the_drives_word(
        self, drive: Drive, account: Connector, issuer: Issuer, exists: Exists
    ) -> None:
        drive.account_of(Secret(issuer.mint(sub="keycloak-old")))
        assert account.remove(
            account.plan(names.account_target("keycloak-old", SUB), None)
        ).result is (Result.CHANGED)
        assert "keycloak-old" not in exists()

    def test_the_legacy_form_is_ours(
        self, make_drive: MakeDrive, stand_in: DriveStandIn, exists: Exists
    ) -> None:
        add_user(stand_in, f"keycloak-{SUB}")
        account = make_drive(legacy_prefix="keycloak-").connectors["drive.account"]
        target = names.account_target(f"keycloak-{SUB}", SUB)
        assert account.remove(account.plan(target, None)).result is Result.CHANGED
        assert f"keycloak-{SUB}" not in exists()

    def test_an_id_in_another_case_is_left_alone(
        self, account: Connector, stand_in: DriveStandIn, exists: Exists
    ) -> None:
        add_user(stand_in, SUB.replace("1111", "AbCd"))
        sub = SUB.replace("1111", "abcd")
        change = Change(
            kind="drive.account", subject="", target=names.account_target(sub, sub), after=None
        )
        with pytest.raises(Conflict):
            account.remove(change)
        assert SUB.replace("1111", "AbCd") in exists()

    def test_without_an_administrator_it_is_left_by_hand(self, make_drive: MakeDrive) -> None:
        account = make_drive(admin_password=None).connectors["drive.account"]
        change = account.plan(names.account_target(SUB, SUB), None)
        assert change.before == UNKNOWN
        outcome = account.remove(change)
        assert outcome.result is Result.ALREADY
        assert SUB in outcome.by_hand[0].english
        assert "cannot tell whether" in read_evidence(account.verify(change))
        for do, on in (("Disable", False), ("Enable", True)):
            change = account.plan(names.account_target(SUB, SUB), {"enabled": on})
            assert (change.before, change.after) == (UNKNOWN, {"enabled": on})
            assert account.apply(change).by_hand[0].english.startswith(f"{do} the drive account")

    def test_a_deletion_that_outlasts_the_timeout_is_looked_at(
        self, drive: Drive, account: Connector, bearer: Secret, stand_in: DriveStandIn
    ) -> None:
        drive.account_of(bearer)
        change = account.plan(names.account_target(SUB, SUB), None)
        stand_in.faults.add(
            {
                "method": "DELETE",
                "fault": "timeout_after_effect",
                "seconds": 0.05,
                "path": "cloud/users",
            }
        )
        assert account.remove(change).result is Result.CHANGED

    def test_an_unsure_deletion_without_effect_stays_unavailable(
        self,
        drive: Drive,
        account: Connector,
        bearer: Secret,
        stand_in: DriveStandIn,
        exists: Exists,
    ) -> None:
        drive.account_of(bearer)
        change = account.plan(names.account_target(SUB, SUB), None)
        stand_in.faults.add({"method": "DELETE", "fault": "reset"})
        with pytest.raises(Unavailable):
            account.remove(change)
        assert SUB in exists()

    @pytest.mark.parametrize("sentence", ["", "The directory keeps its accounts."])
    def test_an_account_that_stays_is_disabled(
        self,
        drive: Drive,
        account: Connector,
        bearer: Secret,
        switch: Switch,
        exists: Exists,
        sentence: str,
    ) -> None:
        drive.account_of(bearer)
        switch(deletion_refused=sentence or "-")
        change = account.plan(names.account_target(SUB, SUB), None)
        for _ in range(2):
            with pytest.raises(Conflict, match="is disabled") as refused:
                account.remove(change)
            assert "code 101" in str(refused.value)
            assert sentence in str(refused.value)
            assert exists()[SUB]["enabled"] is False
            assert drive.account_of(bearer) is None, "the person’s own token opens nothing"
        assert account.verify(change) is None
        switch(deletion_refused="")
        assert account.remove(change).result is Result.CHANGED
        assert SUB not in exists()

    def test_a_refused_lock_does_not_hold_up_the_deletion(
        self, account: Connector, drive: Drive, bearer: Secret, stand_in: DriveStandIn,
        exists: Exists, monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        drive.account_of(bearer)

        def refuse(account_id: str, *, on: bool) -> None:
            raise Conflict(quote_words("no"), kind="drive.account", doing=quote_words("disabling"))

        monkeypatch.setattr(drive._client, "set_enabled", refuse)
        change = account.plan(names.account_target(SUB, SUB), None)
        assert account.remove(change).result is Result.CHANGED
        assert SUB not in exists()

    def test_our_own_account_is_refused(self, make_drive: MakeDrive) -> None:
        account = make_drive().connectors["drive.account"]
        change = Change(
            kind="drive.account",
            subject="",
            target=names.account_target("admin", "admin"),
            after=None,
        )
        with pytest.raises(Conflict, match="101"):
            account.remove(change)

    def test_nothing_is_made(self, account: Connector) -> None:
        change = Change(
            kind="drive.account", subject="", target=names.account_target(SUB, SUB), after={}
        )
        with pytest.raises(Invalid):
            account.apply(change)

    def test_a_still_valid_token_brings_it_back(
        self, drive: Drive, account: Connector, bearer: Secret, exists: Exists
    ) -> None:
        drive.account_of(bearer)
        account.remove(account.plan(names.account_target(SUB, SUB), None))
        drive.account_of(bearer)
        assert SUB in exists()


class TestAppPassword:
    REF = f"identity_provider.attributes/{SUB}/filesvc_app_password"

    @pytest.fixture
    def connected(self, drive: Drive, bearer: Secret, vault: Vault) -> Target:
        login_name, vault[self.REF], _ = drive.ensure_app_password(bearer, SUB)
        return names.app_password_target(login_name, SUB, self.REF)

    def test_it_is_revoked_once(
        self, app_password: Connector, connected: Target, exists: Exists, stand_in: DriveStandIn
    ) -> None:
        change = app_password.plan(connected, None)
        assert change.before == {"account_id": SUB}
        assert change.secrets == {"app_password": self.REF}
        assert app_password.verify(change) is None
        assert app_password.remove(change).result is Result.CHANGED
        assert app_password.remove(change).result is Result.ALREADY
        assert "401" in read_evidence(app_password.verify(change))
        assert exists()[SUB]["app_passwords"] == 0
        assert stand_in.state["attempts"] == []

    def test_what_others_lose_is_foretold(
        self, app_password: Connector, connected: Target, switch: Switch, vault: Vault
    ) -> None:
        change = app_password.plan(connected, None)
        with_bob = {"uid_owner": SUB, "share_type": 0, "share_with": "bob"}
        link = {"uid_owner": SUB, "share_type": 3, "share_with": None}
        switch(shares=[with_bob, dict(with_bob), link, {**with_bob, "uid_owner": "alice"}])
        foretell = app_password.foretell  # type: ignore[attr-defined]
        assert "2 shares with 1 person, 1 link." in foretell(change).english
        vault[self.REF] = Secret("x" * 72)
        assert "Only the person can see" in foretell(change).english

    @pytest.mark.parametrize(
        ("shares", "said"),
        [
            ([], "Drive: the person shares no file and no folder, by name or by link."),
            ([(0, "bob")], "end with the account: 1 share with 1 person."),
            ([(0, "bob"), (1, "all")], "end with the account: 2 shares with 1 person."),
            ([(1, "all")], "end with the account: 1 share."),
            ([(3, None), (3, None)], "end with the account: 2 links."),
            ([(1, "all"), (3, None)], "end with the account: 1 share, 1 link."),
        ],
    )
    def test_only_what_is_there_is_foretold(
        self,
        app_password: Connector,
        connected: Target,
        switch: Switch,
        shares: list[tuple[int, str | None]],
        said: str,
    ) -> None:
        switch(
            shares=[
                {"uid_owner": SUB, "share_type": kind, "share_with": name} for kind, name in shares
            ]
        )
        foretold = app_password.foretell(  # type: ignore[attr-defined]
            app_password.plan(connected, None)
        )
        assert said in foretold.english
        assert "0 " not in in_words(foretold, "en") + in_words(foretold, "de")

    def test_no_secret_is_absent(self, app_password: Connector) -> None:
        change = app_password.plan(names.app_password_target(SUB, SUB, "vault/none"), None)
        assert change.before is None
        assert app_password.remove(change).result is Result.ALREADY
        assert "no app password is stored" in read_evidence(app_password.verify(change))

    def test_a_dead_one_is_never_shown_as_basic(
        self, app_password: Connector, vault: Vault, stand_in: DriveStandIn
    ) -> None:
        vault[self.REF] = Secret("x" * 72)
        change = app_password.plan(names.app_password_target(SUB, SUB, self.REF), None)
        assert change.before is None
        app_password.remove(change)
        assert stand_in.state["attempts"] == []
        assert {c["method"] for c in stand_in.ledger.items} == {"GET"}

    def test_somebody_elses_is_a_conflict(
        self,
        app_password: Connector,
        connected: Target,
        vault: Vault,
        drive: Drive,
        issuer: Issuer,
        exists: Exists,
    ) -> None:
        other = Secret(issuer.mint(sub="other-sub"))
        _, vault[self.REF], _ = drive.ensure_app_password(other, "other-sub")
        with pytest.raises(Conflict):
            app_password.plan(connected, None)
        assert exists()["other-sub"]["app_passwords"] == 1

    def test_a_block_of_our_address_does_not_keep_it_alive(
        self, app_password: Connector, connected: Target, switch: Switch, exists: Exists
    ) -> None:
        """Access is cut at once: Basic would be refused unseen for up to half an hour."""
        change = app_password.plan(connected, None)
        switch(attempts={"login": 11})
        assert app_password.remove(change).result is Result.CHANGED
        assert "401" in read_evidence(app_password.verify(change))
        assert exists()[SUB]["app_passwords"] == 0

    def test_maintenance_says_nothing_about_it(
        self, app_password: Connector, connected: Target, switch: Switch
    ) -> None:
        change = app_password.plan(connected, None)
        switch(maintenance=True)
        for act in (app_password.remove, app_password.verify):
            with pytest.raises(Unavailable) as closed:
                act(change)
            assert closed.value.retry_after == 120

    def test_a_login_name_with_a_colon_is_revoked_too(
        self, app_password: Connector, drive: Drive, issuer: Issuer, vault: Vault
    ) -> None:
        sub = "f:abc:user1"
        name, vault[self.REF], _ = drive.ensure_app_password(Secret(issuer.mint(sub=sub)), sub)
        change = app_password.plan(names.app_password_target(name, sub, self.REF), None)
        assert app_password.remove(change).result is Result.CHANGED

    def test_one_that_no_header_can_carry_leaks_nothing(
        self, app_password: Connector, connected: Target, vault: Vault
    ) -> None:
        vault[self.REF] = Secret("canary\r\nX: y")
        with pytest.raises(Invalid) as unfit:
            app_password.plan(connected, None)
        assert unfit.value.__cause__ is None
        assert "canary" not in str(unfit.value)

    def test_one_of_the_legacy_account_is_revoked_under_its_own_name(
        self, make_drive: MakeDrive, issuer: Issuer, vault: Vault, switch: Switch, exists: Exists
    ) -> None:
        switch(provider={"providerBasedId": True})
        drive = make_drive(legacy_prefix="keycloak-")
        _, vault[self.REF], _ = drive.ensure_app_password(Secret(issuer.mint()), SUB)
        connector = drive.connectors["drive.app_password"]
        change = connector.plan(names.app_password_target(SUB, SUB, self.REF), None)
        assert connector.remove(change).result is Result.CHANGED
        assert exists()[f"keycloak-{SUB}"]["app_passwords"] == 0

    def test_one_made_under_a_name_in_another_case_is_revoked_too(
        self, app_password: Connector, connected: Target, stand_in: DriveStandIn, exists: Exists
    ) -> None:
        """Shown as bearer no name is asked for."""
        stand_in.state["tokens"][0]["login_name"] = "ALICE"
        change = app_password.plan(connected, None)
        assert app_password.remove(change).result is Result.CHANGED
        assert exists()[SUB]["app_passwords"] == 0
