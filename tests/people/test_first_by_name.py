"""A first administrator who is known by name alone, in a realm where anybody may take the name."""

import pytest
from django.conf import settings

from workspace_manager.contract.connector import Severity
from workspace_manager.operations.checks import ANYBODY_REGISTERS, first_by_name
from workspace_manager.records.models import Person
from workspace_manager.systems.identity_provider.checks_clients import finding
from workspace_manager.systems.identity_provider.messages import message

pytestmark = pytest.mark.django_db

OPEN = [finding(message("check_registration"), Severity.FAILING, message("anybody_registers"))]


def test_it_fails_until_the_account_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "FIRST_ADMINISTRATOR", "ada")
    (found,) = first_by_name("identity_provider", OPEN)
    assert found.severity is Severity.FAILING
    assert found.message
    assert found.message.code == "operations.first_by_name"
    assert "WORKSPACE_FIRST_ADMINISTRATOR_SUB" in found.remedy
    assert first_by_name("identity_provider", []) == []
    monkeypatch.setattr(settings, "FIRST_ADMINISTRATOR_EMAIL", "ada@example.org")
    assert first_by_name("identity_provider", OPEN) == []


def test_it_is_over_once_there_is_an_administrator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "FIRST_ADMINISTRATOR", "ada")
    Person.objects.create_user("grace", role=Person.Role.ADMINISTRATOR)
    assert first_by_name("identity_provider", OPEN) == []


def test_nobody_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "FIRST_ADMINISTRATOR", "")
    assert first_by_name("identity_provider", OPEN) == []


def test_the_finding_it_follows_from_is_one_of_the_identity_providers() -> None:
    assert message("anybody_registers").code == ANYBODY_REGISTERS
