"""A stored secret is sent to the origin it was typed for, whichever door asks; changes and tests
are in the audit with the origin.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from tests.pinned_settings import pin
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.cli.settings import settings as command
from workspace_manager.contract.secret import Secret
from workspace_manager.operations.origins import origins_of
from workspace_manager.records.models import AuditEntry, StoredSetting
from workspace_manager.systems import registry
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

PASSWORD = "canary-of-the-triplestore"
ELSEWHERE = "http://127.0.0.1:9"
STORED: dict[str, dict[str, str]] = {
    "identity_provider": {"url": "https://idp.example", "client_secret": "s"},
    "drive": {"base_url": "https://drive.example/x", "admin_password": "s"},
    "sql_server": {"host": "sql.example", "admin_password": "s"},
    "triplestore": {"url": "https://t.example", "admin_password": "s"},
    "ontology_editor": {"host": "https://o.example", "api_key": "s"},
    "notebook_hub": {"url": "https://n.example", "api_token": "s"},
    "container_manager": {"url": "https://c.example", "api_key": "s"},
}
OTHERS: list[tuple[str, dict[str, str]]] = [
    ("identity_provider", {"url": "https://evil.example"}),
    ("identity_provider", {"token_url": "https://evil.example/token"}),
    ("identity_provider", {"users_url": "https://evil.example/users"}),
    ("drive", {"base_url": "http://drive.example/x"}),
    ("drive", {"base_url": "https://drive.example:8443/x"}),
    ("drive", {"base_url": ""}),
    ("sql_server", {"host": "evil.example"}),
    ("sql_server", {"port": "3307"}),
    ("sql_server", {"encryption": "off"}),
    ("sql_server", {"encryption": "unverified"}),
    ("sql_server", {"certificate_authority": "/tmp/evil.pem"}),
    ("triplestore", {"url": "https://t.example.evil.example"}),
    ("ontology_editor", {"api_base_url": "https://evil.example"}),
    ("notebook_hub", {"api_url": "https://evil.example/hub/api"}),
    ("container_manager", {"url": "unix:///tmp/evil.sock"}),
]


@pytest.fixture
def stored_settings(db: None) -> None:
    for system, values in STORED.items():
        secret = {spec.name for spec in registry().specs[system].settings.specs() if spec.secret}
        for name, text in values.items():
            kept = Secret(text) if name in secret else None
            value = "" if kept else text
            StoredSetting.objects.create(system=system, name=name, value=value, secret=kept)


def secret_of(system: str) -> str:
    [name] = [name for name, text in STORED[system].items() if text == "s"]
    return name


def everything() -> list[Any]:
    return list(StoredSetting.objects.order_by("id").values_list("system", "name", "value"))


@pytest.mark.usefixtures("stored_settings")
@pytest.mark.parametrize(("system", "changed"), OTHERS)
@pytest.mark.parametrize("door", ["PATCH", "POST"])
def test_another_origin_needs_the_secret_again(
    as_administrator: Visitor, system: str, changed: dict[str, str], door: str
) -> None:
    where = f"/systems/{system}" + ("/test" if door == "POST" else "")
    before = everything()
    for typed in (changed, {**changed, secret_of(system): ""}):
        refused = problem(as_administrator.ask(door, where, {"settings": typed}), 422)
        assert secret_of(system) in str(refused)
        assert ".example" in str(refused["errors"])
    assert everything() == before
    assert not AuditEntry.objects.filter(event__startswith="settings:").exists()


@pytest.mark.usefixtures("stored_settings")
@pytest.mark.parametrize(
    ("system", "changed"),
    [
        ("drive", {"base_url": "https://DRIVE.example:443/other/path"}),
        ("triplestore", {"admin_username": "another"}),
        ("sql_server", {"admin_tool_url": "https://tool.example"}),
        ("notebook_hub", {"api_url": "https://n.example/hub/api"}),
        ("triplestore", {"url": "https://evil.example", "admin_password": "typed again"}),
        ("container_manager", {"url": "https://evil.example", "api_key": "typed again"}),
    ],
)
def test_what_is_no_other_origin_or_typed_again_is_stored(
    as_administrator: Visitor, system: str, changed: dict[str, str]
) -> None:
    answer = as_administrator.ask("PATCH", f"/systems/{system}", {"settings": changed})
    assert answer.status_code == 200, answer.content
    entry = AuditEntry.objects.get(event="settings:changed")
    values = {**STORED[system], **changed}
    assert entry.details["origin"] == " ".join(sorted(origins_of(system, values)))
    assert entry.details["origin"]


def test_a_pinned_secret_stays_where_it_was_meant_for(
    as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    StoredSetting.objects.create(system="drive", name="base_url", value="https://drive.example")
    pin(monkeypatch, "drive", {"admin_password": PASSWORD})
    for door, where in (("PATCH", "/systems/drive"), ("POST", "/systems/drive/test")):
        typed = {"settings": {"base_url": "https://evil.example"}}
        refused = problem(as_administrator.ask(door, where, typed), 422)
        assert "environment" in str(refused["errors"])


# --- what is sent ---------------------------------------------------------------------------------


@pytest.fixture
def other() -> Iterator[TriplestoreStandIn]:
    stand_in = TriplestoreStandIn(admin_username="manager", admin_password=PASSWORD)
    with running(stand_in):
        yield stand_in


@pytest.mark.usefixtures("stored_settings")
def test_nothing_is_sent_to_another_origin_by_any_door(
    as_administrator: Visitor, other: TriplestoreStandIn
) -> None:
    form = {"triplestore-url": other.url, "triplestore-flavour": "graphdb"}
    for page in ("test", "settings"):
        answer = as_administrator.post(f"/manage/systems/triplestore/{page}", form)
        assert "t.example" in answer.content.decode()
    done = CliRunner().invoke(command, ["test", "triplestore", f"url={other.url}"])
    assert done.exit_code
    done = CliRunner().invoke(command, ["set", "triplestore", "url", other.url])
    assert done.exit_code
    assert other.ledger.items == []
    kept = StoredSetting.objects.get(system="triplestore", name="url")
    assert kept.value == "https://t.example"


@pytest.mark.usefixtures("stored_settings")
def test_a_test_is_in_the_audit_with_its_origin(
    as_administrator: Visitor, other: TriplestoreStandIn
) -> None:
    typed = {"url": other.url, "admin_username": "manager", "admin_password": PASSWORD}
    answer = as_administrator.ask("POST", "/systems/triplestore/test", {"settings": typed})
    assert answer.json()["failing"] == 0
    entry = AuditEntry.objects.get(event="settings:tested")
    assert (entry.actor, entry.subject) == ("ada", "triplestore")
    assert entry.details["origin"] == other.url
    assert PASSWORD not in str(entry.details)


@pytest.mark.usefixtures("stored_settings")
def test_the_command_line_asks_for_the_secret_again() -> None:
    given = ["set", "triplestore", "url", ELSEWHERE, "--secret", "admin_password"]
    done = CliRunner().invoke(command, given, input="typed again\n")
    assert done.exit_code == 0, done.output
    kept = StoredSetting.objects.get(system="triplestore", name="admin_password").secret
    assert kept is not None
    assert kept.reveal() == "typed again"
