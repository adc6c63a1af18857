"""The back-channel logout address carries the name that the drive itself gives its provider."""

import pytest

from tests.systems.drive.conftest import MakeDrive, Switch
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.message import quote_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine import pause
from workspace_manager.operations import learnt_settings
from workspace_manager.operations.realm_requirements import wanted_realm
from workspace_manager.records.models import SystemStatus
from workspace_manager.systems import registry
from workspace_manager.systems.drive.connector import Drive
from workspace_sandbox.stand_ins.drive import DriveStandIn


def connected(drive: Drive) -> ConnectedSystems:
    settings = {name: spec.settings() for name, spec in registry().specs.items()}
    return ConnectedSystems(
        by_name={"drive": drive}, settings={**settings, "drive": drive._settings}
    )


def address(systems: ConnectedSystems) -> str:
    wants = wanted_realm(
        learnt_settings.complete_settings(systems.settings), base_url="https://manager.example.org"
    )
    found = next(one for one in wants.clients if one.takes_our_tokens)
    return found.backchannel_logout_url.rpartition("/apps/user_oidc/")[2]


@pytest.fixture(autouse=True)
def named_otherwise(stand_in: DriveStandIn) -> None:
    stand_in.state["providers"][0]["identifier"] = "our realm"


@pytest.mark.django_db
def test_it_is_looked_up(make_drive: MakeDrive) -> None:
    systems = connected(make_drive())
    assert address(systems) == "backchannel-logout/keycloak", "nobody has asked yet"
    learnt_settings.learn(systems)
    assert address(systems) == "backchannel-logout/our%20realm"


@pytest.mark.django_db
def test_a_setting_overrides_it(make_drive: MakeDrive) -> None:
    systems = connected(make_drive(provider_name="mine"))
    learnt_settings.learn(systems)
    assert address(systems) == "backchannel-logout/mine"


@pytest.mark.django_db
def test_what_is_new_is_said_and_what_is_the_same_is_not(
    make_drive: MakeDrive, stand_in: DriveStandIn
) -> None:
    systems = connected(make_drive())
    assert learnt_settings.learn(systems)
    assert not learnt_settings.learn(systems)
    stand_in.state["providers"][0]["identifier"] = "made again"
    assert learnt_settings.learn(systems)
    assert address(systems) == "backchannel-logout/made%20again"


@pytest.mark.django_db
def test_a_drive_that_refused_our_credential_is_not_asked(
    make_drive: MakeDrive, stand_in: DriveStandIn
) -> None:
    systems = connected(make_drive())
    no = quote_words("wrong password")
    pause.pause("drive", actor="", reason=no, refused=systems.settings["drive"])
    seen = len(stand_in.ledger.items)
    assert not learnt_settings.learn(systems)
    assert len(stand_in.ledger.items) == seen


@pytest.mark.django_db
def test_a_drive_that_does_not_answer_is_taken_at_its_last_word(
    make_drive: MakeDrive, monkeypatch: pytest.MonkeyPatch, stand_in: DriveStandIn
) -> None:
    systems = connected(make_drive())
    learnt_settings.learn(systems)
    stand_in.faults.add({"fault": "status", "status": 503, "times": 5})
    learnt_settings.learn(systems)
    stand_in.faults.waiting.clear()
    assert address(systems) == "backchannel-logout/our%20realm"
    stand_in.state["providers"].append({**stand_in.state["providers"][0], "id": 2})
    learnt_settings.learn(systems)
    assert SystemStatus.objects.get(system="drive").told == {}, "two names are none"


@pytest.mark.django_db
def test_without_an_administrator_nobody_is_asked(
    make_drive: MakeDrive, stand_in: DriveStandIn
) -> None:
    seen = len(stand_in.ledger.items)
    learnt_settings.learn(connected(make_drive(admin_username="")))
    assert len(stand_in.ledger.items) == seen


def test_a_setting_that_differs_is_found(make_drive: MakeDrive, switch: Switch) -> None:
    found = make_drive(provider_name="mine").check()
    wrong = [one for one in found if one.severity is Severity.FAILING]
    assert [one.message.code for one in wrong if one.message] == ["drive.provider_named_otherwise"]
    assert "our realm" in wrong[0].text
    assert "mine" in wrong[0].text
