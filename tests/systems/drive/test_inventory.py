"""The inventory of the drive: every account, a page of each back-end at a time, and never nothing
where it only refused.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.systems.drive.conftest import SUB, Issuer, MakeDrive, Switch
from tests.systems.whole_inventory import NO_LIST, everything
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive import SYSTEM, inventory
from workspace_manager.systems.drive.client import Account, DescribedAccount, DriveClient
from workspace_manager.systems.drive.client.credential_owner import accounts_in
from workspace_manager.systems.drive.connector import Drive
from workspace_manager.systems.drive.names import account_target, sub_of
from workspace_manager.systems.drive.settings import Settings
from workspace_sandbox.stand_ins.drive import DriveStandIn

ACCOUNT = "drive.account"


def appear(drive: Drive, issuer: Issuer, sub: str) -> None:
    """Somebody's token makes the account."""
    token = issuer.mint(sub=sub, preferred_username=f"of {sub}", email=f"{sub}@example.org")
    assert drive.ensure_app_password(Secret(token), sub)


def test_accounts_of_every_back_end_are_listed_once(
    drive: Drive, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "MOST", 2)
    subs = [f"sub-{n}" for n in range(5)]
    for sub in subs:
        appear(drive, issuer, sub)
    accounts, pages = drive.connectors[ACCOUNT], list[int]()
    accounts.apply(accounts.plan(account_target("sub-1", "sub-1"), {"enabled": False}))
    found = everything(SYSTEM, drive, pages)
    assert len(pages) > 2
    assert {name for _, name in found} == {"admin", "alice", "bob", *subs}
    theirs = found[ACCOUNT, "sub-0"]
    assert (theirs.sub, theirs.email, theirs.email_confirmed) == (
        "sub-0",
        "sub-0@example.org",
        False,
    )
    assert (theirs.open, theirs.ours, theirs.kept) == (True, False, None)
    assert theirs.target == account_target("sub-0", "sub-0")
    assert found[ACCOUNT, "sub-1"].open is False
    assert "administrator" in str(found[ACCOUNT, "admin"].kept)
    assert "OpenID Connect" in str(found[ACCOUNT, "bob"].kept)
    assert found[ACCOUNT, "bob"].sub == ""

    accounts.remove(accounts.plan(account_target("sub-0", "sub-0"), None))
    assert (ACCOUNT, "sub-0") not in everything(SYSTEM, drive)


def test_a_short_or_empty_page_is_not_the_last_one(
    drive: Drive, issuer: Issuer, switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A directory counts off whom it cannot show any more."""
    monkeypatch.setattr(inventory, "MOST", 2)
    subs = [f"sub-{n}" for n in range(9)]
    for sub in subs:
        appear(drive, issuer, sub)
    gone = ["sub-1", "sub-2", "sub-3"]
    switch(gone_in_their_directory=[*gone, "bob"])
    found = everything(SYSTEM, drive)
    assert {name for _, name in found} == {"admin", "alice", *subs} - {*gone}


def test_a_list_that_goes_round_is_no_list(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    """As behind a cache that leaves the offset out of its key."""
    first = drive.described_users(limit=100, offset=0)
    monkeypatch.setattr(drive, "described_users", lambda **_page: first)
    with pytest.raises(Invalid, match="new"):
        everything(SYSTEM, drive)
    asked: list[int] = []

    def other(*, limit: int, offset: int) -> list[DescribedAccount]:
        asked.append(offset)
        return [DescribedAccount(Account(f"made-up-{offset}", "user_oidc", True, ()), "", "")]

    monkeypatch.setattr(drive, "described_users", other)
    with pytest.raises(Invalid):
        everything(SYSTEM, drive)
    assert len(asked) < 10


def test_an_odd_entry_hides_no_other(client: DriveClient) -> None:
    shown = {"odd": {"id": 5, "enabled": []}, "alice": {"id": "alice", "backend": "Database"}}
    meta = {"statuscode": 200, "message": "OK"}
    content = json.dumps({"ocs": {"meta": meta, "data": {"users": shown}}}).encode()
    answer = client.page("/status.php")
    headers = httpx.Headers({"content-type": "application/json"})
    found = accounts_in(replace(answer, content=content, status=200, headers=headers))
    assert [one.account.id for one in found] == ["odd", "alice"]
    assert found[0].account.enabled is None


@pytest.mark.parametrize(
    ("account", "prefixes", "sub"),
    [
        (SUB, ("", ""), SUB),
        (f"wm-{SUB}", ("wm-", "keycloak-"), SUB),
        (f"keycloak-{SUB}", ("", "keycloak-"), SUB),
        (f"keycloak-{SUB}", ("wm-", ""), f"keycloak-{SUB}"),
        (SUB, ("wm-", "keycloak-"), ""),
        ("0" * 64, ("", ""), ""),
        ("wm-", ("wm-", "wm-"), ""),
    ],
)
def test_the_subject_of_an_id(account: str, prefixes: tuple[str, str], sub: str) -> None:
    now, legacy = prefixes
    settings = Settings(
        base_url="https://drive.example", oidc_username_prefix=now, legacy_prefix=legacy
    )
    assert sub_of(settings, account) == sub


@pytest.mark.parametrize(
    ("fault", "error"),
    NO_LIST,
)
def test_an_answer_that_is_no_list_is_never_nothing(
    stand_in: DriveStandIn, drive: Drive, fault: dict[str, Any], error: type[ConnectorError]
) -> None:
    read = SYSTEM.lister()
    assert read
    httpx.post(f"{stand_in.control_url}/faults", json={"path": "/users/details", **fault})
    with pytest.raises(error):
        read(drive, "")
    assert read(drive, "").listed


def test_one_refusal_ends_it_and_is_not_repeated(
    stand_in: DriveStandIn, make_drive: MakeDrive, calls_of: Callable[[], int]
) -> None:
    drive = make_drive(admin_password=Secret("wrong"))
    read = SYSTEM.lister()
    assert read
    for _ in range(3):
        with pytest.raises(Denied):
            read(drive, "")
    assert calls_of() == 1


@pytest.fixture
def calls_of(stand_in: DriveStandIn) -> Callable[[], int]:
    """How many calls the drive got since."""
    since = httpx.get(f"{stand_in.control_url}/calls").json()["next"]

    def count() -> int:
        answer = httpx.get(f"{stand_in.control_url}/calls", params={"since": since})
        return len(answer.json()["items"])

    return count


def test_whoever_is_no_administrator_is_refused(make_drive: MakeDrive) -> None:
    read = SYSTEM.lister()
    assert read
    for more in (
        {"admin_username": "alice", "admin_password": Secret("Al1ce-Pw")},
        {"admin_username": "", "admin_password": None},
    ):
        with pytest.raises(Denied):
            read(make_drive(**more), "")
