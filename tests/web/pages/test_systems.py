"""The systems: their cards, their settings, checks, and pausing."""

from collections.abc import Sequence

import pytest
from django.test import Client

from tests.web.pages import scenes
from workspace_manager import wiring
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.engine import pause as pausing
from workspace_manager.operations.system_configuration import read_settings
from workspace_manager.records.models import AuditEntry, StoredSetting, SystemStatus
from workspace_manager.systems import registry

LIVE = {"HX-Request": "true"}


def form(**other: str) -> dict[str, str]:
    """The drive's settings as its form sends them."""
    values = {
        "base_url": "https://drive.example.org",
        "oidc_username_prefix": "{empty}",
        "legacy_prefix": "",
        "admin_username": "admin",
        "admin_password": "",
        "login_name_attribute": "filesvc_login_name",
        "app_password_attribute": "filesvc_app_password",
        "use_bearer_token": "on",
        "container_name": "",
        **other,
    }
    return {f"drive-{name}": text for name, text in values.items()}


def test_every_system_has_its_card(as_ada: Client) -> None:
    page = as_ada.get("/manage/systems").content.decode()
    for name in registry().specs:
        assert f'id="{name}"' in page
    assert "Required settings that are missing:" in page


def test_no_secret_is_on_the_page(as_ada: Client) -> None:
    scenes.set_up_systems()
    as_ada.post("/manage/systems/drive/settings", form(admin_password="canary-word"))
    page = as_ada.get("/manage/systems").content.decode()
    assert "canary-word" not in page
    assert "Stored. Leave empty to keep it." in page


def test_settings_are_kept_and_a_blank_secret_keeps_the_old_one(as_ada: Client) -> None:
    as_ada.post("/manage/systems/drive/settings", form(admin_password="one"))
    response = as_ada.post("/manage/systems/drive/settings", form(legacy_prefix="keycloak-"))
    assert response.headers["Location"] == "/manage/systems#drive"
    state = read_settings("drive").settings
    assert state.legacy_prefix == "keycloak-"  # type: ignore[attr-defined]
    assert StoredSetting.objects.get(system="drive", name="admin_password").secret is not None
    assert not AuditEntry.objects.filter(details__icontains="one").exists()


def test_only_what_changed_is_stored(as_ada: Client) -> None:
    as_ada.post("/manage/systems/drive/settings", form())
    assert set(StoredSetting.objects.filter(system="drive").values_list("name", flat=True)) == {
        "base_url",
        "admin_username",
    }
    page = as_ada.post("/manage/systems/drive/settings", form(), follow=True).content.decode()
    assert "no changes" in page


def test_what_cannot_be_read_is_not_stored(as_ada: Client) -> None:
    response = as_ada.post(
        "/manage/systems/drive/settings", form(base_url="ftp://drive", oidc_username_prefix="")
    )
    page = response.content.decode()
    assert response.status_code == 422
    assert "must be an address like https://host/path" in page
    assert "write {empty} for deliberately empty" in page
    assert 'value="ftp://drive"' in page
    assert not StoredSetting.objects.exists()


def test_a_changed_credential_resumes_the_system(as_ada: Client) -> None:
    scenes.set_up_systems()
    pausing.pause("drive", actor="manager", reason="refused")
    as_ada.post("/manage/systems/drive/settings", form(legacy_prefix="x-"))
    assert "drive" in pausing.paused_systems()
    as_ada.post("/manage/systems/drive/settings", form(legacy_prefix="x-", admin_password="new"))
    assert not pausing.paused_systems()


def test_an_optional_secret_can_be_forgotten(as_ada: Client) -> None:
    scenes.set_up_systems("drive")
    assert "Remove the stored value" in as_ada.get("/manage/systems").content.decode()
    as_ada.post("/manage/systems/drive/settings", form(**{"forget:admin_password": "on"}))
    assert not StoredSetting.objects.filter(system="drive", name="admin_password").exists()


def test_a_secret_is_forgotten_by_its_sentinel_too(as_ada: Client) -> None:
    scenes.set_up_systems("drive")
    as_ada.post("/manage/systems/drive/settings", form(admin_password="{empty}"))
    assert not StoredSetting.objects.filter(system="drive", name="admin_password").exists()
    typed = {"sql_server-admin_password": "{empty}"}
    refused = as_ada.post("/manage/systems/sql_server/settings", typed)
    assert refused.status_code == 422
    assert "can be replaced, not forgotten" in refused.content.decode()


def test_a_pinned_setting_is_shown_and_not_changed(
    as_ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKSPACE_DRIVE__BASE_URL", "https://pinned.example.org")
    page = as_ada.get("/manage/systems").content.decode()
    assert "WORKSPACE_DRIVE__BASE_URL" in page
    assert "https://pinned.example.org" in page
    as_ada.post("/manage/systems/drive/settings", form(base_url="https://other.example.org"))
    assert not StoredSetting.objects.filter(name="base_url").exists()


class Checked:
    """A system that is asked nothing real."""

    name = "drive"

    def check(self) -> Sequence[Finding]:
        return [
            Finding(system="drive", name="a", severity=Severity.OK, text="It answers."),
            Finding(
                system="drive",
                name="b",
                severity=Severity.FAILING,
                text="No administrator.",
                remedy="Set one.",
            ),
        ]


def test_a_check_says_what_to_do(as_ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    scenes.set_up_systems("drive")
    monkeypatch.setattr(wiring, "_connect", lambda *_: Checked())
    card = as_ada.post("/manage/systems/drive/check", headers=LIVE).content.decode()
    assert card.index("No administrator.") < card.index("It answers.")
    assert "Set one." in card
    assert "<html" not in card
    assert SystemStatus.objects.get(system="drive").checked_at is not None


def test_a_check_names_a_misspelt_variable(as_ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    scenes.set_up_systems("drive")
    monkeypatch.setattr(wiring, "_connect", lambda *_: Checked())
    monkeypatch.setenv("WORKSPACE_DRIVE__LEGACY_PREFX", "keycloak-")
    card = as_ada.post("/manage/systems/drive/check", headers=LIVE).content.decode()
    assert "WORKSPACE_DRIVE__LEGACY_PREFX is set in the environment" in card
    assert "Did you mean WORKSPACE_DRIVE__LEGACY_PREFIX?" in card


def test_what_is_not_set_up_cannot_be_checked(as_ada: Client) -> None:
    page = as_ada.post("/manage/systems/drive/check", follow=True).content.decode()
    assert "required settings are missing" in page
    assert as_ada.post("/manage/systems/nonsense/check").status_code == 404


def test_what_cannot_be_used_is_not_called_missing(as_ada: Client) -> None:
    scenes.set_up_systems("drive")
    StoredSetting.objects.filter(system="drive", name="base_url").update(value="nowhere")
    page = as_ada.post("/manage/systems/drive/check", follow=True).content.decode()
    assert "Drive cannot be checked: one of its settings is invalid." in page


def test_paused_and_resumed_in_place(as_ada: Client) -> None:
    scenes.set_up_systems("drive")
    paused = as_ada.post(
        "/manage/systems/drive/pause", {"reason": "Move to the new host"}, headers=LIVE
    )
    assert "Move to the new host" in paused.content.decode()
    assert "Paused by ada" in " ".join(paused.content.decode().split())
    resumed = as_ada.post("/manage/systems/drive/resume", headers=LIVE).content.decode()
    assert "Move to the new host" not in resumed
