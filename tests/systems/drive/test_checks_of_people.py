"""The accounts of the drive are compared with what our settings make of the people we know."""

import hashlib
from collections.abc import Callable

import pytest

from tests.systems.drive.conftest import SUB, MakeDrive
from tests.systems.drive.test_checks import by_id
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.known_people import KnownPerson
from workspace_manager.systems.drive.connector import Drive
from workspace_sandbox.stand_ins.drive import DriveStandIn

MARIA = KnownPerson("maria", sub=SUB, email="maria@example.org")
FOUND = "rule_does_not_fit"
Knowing = Callable[..., Drive]


@pytest.fixture
def knowing(make_drive: MakeDrive) -> Knowing:
    """A drive whose manager knows some people."""

    def make(*people: KnownPerson, **settings: str) -> Drive:
        drive = make_drive(**settings)
        drive._people = lambda: people
        return drive

    return make


def find_finding(drive: Drive) -> Finding | None:
    return by_id(drive).get(FOUND)


def unique(text: str, number: int = 1) -> str:
    return hashlib.sha256(f"{number}_0_{text}".encode()).hexdigest()


@pytest.mark.parametrize(
    ("account", "rule"),
    [
        ("maria", "the claim preferred_username"),
        ("Maria", "the claim preferred_username"),
        ("maria@example.org", "the claim email"),
        (unique(SUB), "unique uid"),
        (unique(SUB, 7), "unique uid"),
        (unique("maria"), "unique uid"),
        (f"old-{SUB}", "the prefix old-"),
    ],
)
def test_the_rule_that_does_not_fit_is_named(
    knowing: Knowing, stand_in: DriveStandIn, account: str, rule: str
) -> None:
    stand_in.world.accounts.add(account, "user_oidc")
    assert find_finding(knowing()) is None
    said = find_finding(knowing(MARIA))
    assert said is not None
    assert said.severity is Severity.FAILING
    assert f"{rule}: maria has {account}, but the settings lead to {SUB}" in said.text
    assert len([one for one in knowing(MARIA).check() if one.name == "account ids"]) == 1


@pytest.mark.parametrize("account", [SUB, SUB.upper(), f"keycloak-{SUB}"])
def test_what_our_settings_make_of_somebody_is_well(
    knowing: Knowing, stand_in: DriveStandIn, account: str
) -> None:
    stand_in.world.accounts.add(account, "user_oidc")
    assert find_finding(knowing(MARIA, legacy_prefix="keycloak-")) is None


def test_a_second_account_beside_the_right_one_is_said(
    knowing: Knowing, stand_in: DriveStandIn
) -> None:
    for account in (SUB, "maria"):
        stand_in.world.accounts.add(account, "user_oidc")
    assert find_finding(knowing(MARIA)) is not None


def test_what_was_recorded_of_somebody_is_theirs(knowing: Knowing, stand_in: DriveStandIn) -> None:
    """As after a take-over: a removal finds it by the record."""
    stand_in.world.accounts.add("maria", "user_oidc")
    taken_over = KnownPerson("maria", sub=SUB, recorded={"drive.account": ("maria",)})
    assert find_finding(knowing(taken_over)) is None


def test_a_local_account_of_the_same_name_is_no_account_of_the_app(
    knowing: Knowing, stand_in: DriveStandIn
) -> None:
    stand_in.world.accounts.add("maria", "Database")
    assert by_id(knowing(MARIA)) == {}


def test_who_was_never_there_has_none(knowing: Knowing) -> None:
    assert (
        by_id(knowing(MARIA, KnownPerson("bob", sub="22222222-2222-4333-8444-555555555555"))) == {}
    )


def test_many_are_one_finding_for_each_rule(knowing: Knowing, stand_in: DriveStandIn) -> None:
    people = [KnownPerson(f"p{n}", sub=f"{n:08d}-2222-4333-8444-555555555555") for n in range(4)]
    for one in people[:3]:
        stand_in.world.accounts.add(unique(one.sub), "user_oidc")
    stand_in.world.accounts.add("p3", "user_oidc")
    said = [one.text for one in knowing(*people).check() if one.name == "account ids"]
    assert [text.split()[0] for text in said] == ["3", "1"]
