"""The connected systems: settings without secrets, pausing, checking."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.pinned_settings import pin
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.message import in_words
from workspace_manager.operations import checks
from workspace_manager.operations.system_configuration import read_settings
from workspace_manager.records.models import AuditEntry, StoredSetting, SystemStatus
from workspace_manager.systems import registry
from workspace_manager.wiring import connected_systems
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

CANARY = "canary-4711"


def test_every_system_is_listed_with_its_settings(as_administrator: Visitor) -> None:
    answer = as_administrator.ask("GET", "/systems").json()
    assert answer["count"] == 7
    assert [item["name"] for item in answer["items"]] == registry().names()
    for item in answer["items"]:
        assert (item["configured"], item["paused"], item["paused_by"]) == (False, False, None)
        assert item["missing"]
        specs = registry().specs[item["name"]].settings.specs()
        assert [one["name"] for one in item["settings"]] == [spec.name for spec in specs]
        assert as_administrator.ask("GET", f"/systems/{item['name']}").json() == item


def test_no_secret_is_shown_whoever_set_it(
    as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin(monkeypatch, "drive", {"admin_password": CANARY})
    stored = {"settings": {"admin_password": CANARY, "host": "sql.example.org"}}
    changed = as_administrator.ask("PATCH", "/systems/sql_server", stored)
    answer = as_administrator.ask("GET", "/systems")
    for response in (changed, answer):
        assert response.status_code == 200
        assert CANARY not in response.content.decode()
    systems = {item["name"]: item for item in answer.json()["items"]}
    for name, pinned in (("drive", True), ("sql_server", False)):
        (shown,) = [s for s in systems[name]["settings"] if s["name"] == "admin_password"]
        assert (shown["value"], shown["is_set"], shown["pinned"]) == (None, True, pinned)


def test_settings_are_stored_together_or_not_at_all(as_administrator: Visitor) -> None:
    where = "/systems/sql_server"
    unusable: tuple[Any, ...] = (
        {"host": "a", "port": "many"},
        {"host": "a", "nonsense": "x"},
        {"host": 5},
        {"host": "\x00"},
        {"host": "x" * 3000},
        {},
        [],
        None,
    )
    for settings in unusable:
        problem(as_administrator.ask("PATCH", where, {"settings": settings}), 422)
    assert not StoredSetting.objects.exists()


TYPED = (
    ("sql_server", "port", 3307, "3307"),
    ("sql_server", "port", "3308", "3308"),
    ("identity_provider", "admit_unregistered", True, "true"),
    ("identity_provider", "admit_unregistered", False, "false"),
    ("identity_provider", "admit_unregistered", "yes", "yes"),
)


@pytest.mark.parametrize(("system", "name", "value", "kept"), TYPED)
def test_numbers_and_booleans_are_taken_as_such(
    as_administrator: Visitor, system: str, name: str, value: Any, kept: str
) -> None:
    body = {"settings": {name: value}}
    assert as_administrator.ask("PATCH", f"/systems/{system}", body).status_code == 200
    assert StoredSetting.objects.get(system=system, name=name).value == kept


OF_ANOTHER_TYPE = (
    ("port", True, "must be a whole number"),
    ("port", 2**70, "must be a whole number"),
    ("port", -1, "must be a whole number"),
    ("port", 1.5, "Send text"),
    ("port", None, "Send text"),
    ("port", [1], "Send text"),
    ("host", 5, "must be text"),
    ("host", False, "must be text"),
    ("admin_password", 12345678, "must be text"),
    ("nonsense", 5, "there is no such setting"),
)


@pytest.mark.parametrize(("name", "value", "why"), OF_ANOTHER_TYPE)
@pytest.mark.parametrize(("method", "where"), [("PATCH", ""), ("POST", "/test")])
def test_a_value_of_another_type_is_refused(
    as_administrator: Visitor, method: str, where: str, name: str, value: Any, why: str
) -> None:
    body = {"settings": {"admin_username": "root", name: value}}
    answer = problem(as_administrator.ask(method, f"/systems/sql_server{where}", body), 422)
    (error,) = answer["errors"]
    assert error["field"].endswith(name)
    assert error["message"].startswith(why)
    assert str(value) not in answer["detail"] + error["message"]
    assert not StoredSetting.objects.exists()


def test_a_boolean_is_no_number(as_administrator: Visitor) -> None:
    body = {"settings": {"admit_unregistered": 1}}
    answer = problem(as_administrator.ask("PATCH", "/systems/identity_provider", body), 422)
    assert answer["errors"][0]["message"] == "must be true or false"


def test_a_blank_secret_keeps_the_stored_one(as_administrator: Visitor) -> None:
    where = "/systems/sql_server"
    as_administrator.ask("PATCH", where, {"settings": {"admin_password": "first"}})
    as_administrator.ask("PATCH", where, {"settings": {"admin_password": "", "host": "b"}})
    row = StoredSetting.objects.get(name="admin_password")
    assert row.secret is not None
    assert row.secret.reveal() == "first"


def test_the_sentinel_forgets_a_secret_that_is_not_needed(as_administrator: Visitor) -> None:
    for system in ("drive", "sql_server"):
        stored = {"settings": {"admin_password": CANARY}}
        assert as_administrator.ask("PATCH", f"/systems/{system}", stored).status_code == 200
    empty = {"settings": {"admin_password": "{empty}"}}
    shown = as_administrator.ask("PATCH", "/systems/drive", empty).json()
    (password,) = [one for one in shown["settings"] if one["name"] == "admin_password"]
    assert not password["is_set"]
    assert AuditEntry.objects.filter(event="settings:forgotten").count() == 1
    as_administrator.ask("PATCH", "/systems/drive", empty)
    assert AuditEntry.objects.filter(event="settings:forgotten").count() == 1
    needed = problem(as_administrator.ask("PATCH", "/systems/sql_server", empty), 422)
    assert needed["errors"][0]["field"].endswith("admin_password")
    assert StoredSetting.objects.get().system == "sql_server"


@pytest.mark.parametrize("text", ["", "{empty}"])
def test_a_secret_can_be_pinned_to_none(
    as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    as_administrator.ask("PATCH", "/systems/drive", {"settings": {"admin_password": CANARY}})
    monkeypatch.setenv("WORKSPACE_DRIVE__ADMIN_PASSWORD", text)
    shown = as_administrator.ask("GET", "/systems/drive").json()["settings"]
    (password,) = [one for one in shown if one["name"] == "admin_password"]
    assert (password["is_set"], password["pinned"]) == (False, True)


def test_a_setting_pinned_by_a_file_cannot_be_stored(
    as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "host").write_text("pinned.example.org\n")
    monkeypatch.setenv("WORKSPACE_SQL_SERVER__HOST_FILE", str(tmp_path / "host"))
    for method, where in (("PATCH", ""), ("POST", "/test")):
        answer = as_administrator.ask(
            method, f"/systems/sql_server{where}", {"settings": {"host": "b"}}
        )
        assert "WORKSPACE_SQL_SERVER__HOST_FILE" in problem(answer, 409)["reason"]
    assert not StoredSetting.objects.exists()


def test_a_pinned_setting_cannot_be_stored(
    as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin(monkeypatch, "sql_server", {"host": "pinned.example.org"})
    response = as_administrator.ask("PATCH", "/systems/sql_server", {"settings": {"host": "b"}})
    assert "WORKSPACE_SQL_SERVER__HOST" in problem(response, 409)["reason"]


def test_a_system_is_paused_and_resumed(as_administrator: Visitor) -> None:
    answer = as_administrator.ask("POST", "/systems/drive/pause", {"reason": "moving\n house"})
    paused = answer.json()
    assert (paused["paused"], paused["paused_by"], paused["paused_reason"]) == (
        True,
        "ada",
        "moving house",
    )
    resumed = as_administrator.ask("POST", "/systems/drive/resume").json()
    assert (resumed["paused"], resumed["paused_by"], resumed["paused_reason"]) == (
        False,
        None,
        None,
    )
    plain = as_administrator.ask("POST", "/systems/drive/pause").json()
    assert plain["paused_reason"] == "paused by hand"
    problem(as_administrator.ask("POST", "/systems/drive/pause", {"reason": 1}), 422)
    problem(as_administrator.ask("POST", "/systems/records/pause"), 404)


def test_a_check_keeps_what_it_found(
    as_administrator: Visitor, identity_provider: IdentityProviderStandIn
) -> None:
    shown = as_administrator.ask("POST", "/systems/identity_provider/check").json()
    assert shown["findings"]
    assert shown["checked_at"]
    kept = SystemStatus.objects.get(system="identity_provider").findings
    assert [(one["name"], one["text"]) for one in kept] == [
        (one["name"], one["text"]) for one in shown["findings"]
    ]
    assert all(one["text_message"]["code"] for one in shown["findings"])
    assert AuditEntry.objects.filter(event="system:checked", actor="ada").exists()


def test_a_check_names_a_misspelt_variable(
    as_administrator: Visitor,
    identity_provider: IdentityProviderStandIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WORKSPACE_IDENTITY_PROVIDER__TOKN_URL", "https://id.example.org/token")
    shown = as_administrator.ask("POST", "/systems/identity_provider/check").json()
    remedies = [finding["remedy"] for finding in shown["findings"]]
    assert "Did you mean WORKSPACE_IDENTITY_PROVIDER__TOKEN_URL?" in remedies


def test_a_dead_system_is_a_finding(as_administrator: Visitor, databases: None) -> None:
    answer = as_administrator.ask("POST", "/systems/triplestore/check")
    assert answer.status_code == 200
    assert "failing" in {finding["severity"] for finding in answer.json()["findings"]}


def test_what_is_not_configured_cannot_be_checked(
    as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (
        "host" in problem(as_administrator.ask("POST", "/systems/sql_server/check"), 409)["reason"]
    )
    pin(monkeypatch, "sql_server", {"port": "many"})
    document = problem(as_administrator.ask("POST", "/systems/sql_server/check"), 409)
    assert "port must be a whole number" in document["reason"]
    why = in_words(checks.why_not("sql_server", connected_systems()), "de")
    assert "port muss eine ganze Zahl sein" in why


@pytest.mark.parametrize("blank", ["", "  "])
@pytest.mark.parametrize("door", ["rest", "page", "shell", "environment"])
def test_a_blank_prefix_is_the_standard_one_at_every_door(
    door: str, blank: str, as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no prefix at all, somebody called `drive` would have the drive's own container."""
    system, name = "notebook_hub", "container_name_prefix"
    if door == "environment":
        monkeypatch.setenv("WORKSPACE_NOTEBOOK_HUB__CONTAINER_NAME_PREFIX", blank)
    elif door == "rest":
        where = f"/systems/{system}"
        answer = as_administrator.ask("PATCH", where, {"settings": {name: blank}})
        assert answer.status_code == 200
    elif door == "page":
        as_administrator.post(f"/manage/systems/{system}", {name: blank})
    else:
        ran = CliRunner().invoke(main, ["settings", "set", system, name, blank])
        assert ran.exit_code == 0, ran.output
    assert read_settings(system).settings.container_name_prefix == "jupyter-"  # type: ignore[attr-defined]
