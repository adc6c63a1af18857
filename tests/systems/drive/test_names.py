"""Account ids as the drive derives them."""

import hashlib

import pytest

from workspace_manager.contract.settings import SettingsInvalid, parse
from workspace_manager.systems.drive import names
from workspace_manager.systems.drive.settings import Settings

SUB = "11111111-2222-4333-8444-555555555555"


def test_raw_subject_prefix_and_hash() -> None:
    assert names.account_id(SUB) == SUB
    assert names.account_id(SUB, "keycloak-") == f"keycloak-{SUB}"
    long = "y" * 65
    assert names.account_id(long) == hashlib.sha256(long.encode()).hexdigest()
    assert names.account_id("y" * 64) == "y" * 64


def test_a_person_has_the_configured_and_the_legacy_form() -> None:
    settings = Settings(base_url="https://d", legacy_prefix="keycloak-")
    assert names.account_ids(settings, SUB) == (SUB, f"keycloak-{SUB}")
    assert names.account_ids(Settings(base_url="https://d"), SUB) == (SUB,)
    assert names.account_ids(settings, "") == ()


def test_the_prefix_needs_its_sentinel() -> None:
    values = {"base_url": "https://drive.example.org/"}
    assert (
        parse(Settings, {**values, "oidc_username_prefix": "{empty}"}, {}).oidc_username_prefix
        == ""
    )
    assert parse(Settings, values, {}).base_url == "https://drive.example.org"
    with pytest.raises(SettingsInvalid):
        parse(Settings, {**values, "oidc_username_prefix": ""}, {})
