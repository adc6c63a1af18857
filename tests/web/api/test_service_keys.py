"""Machine keys are made for a component, keys are renewed, and administrators do it for others
without seeing one.
"""

import json
import uuid

import pytest
from click.testing import CliRunner

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import Account, Component, Person, Plan, ServiceKey

pytestmark = pytest.mark.usefixtures("databases")


@pytest.fixture
def database(alice: Person) -> Component:
    return Component.objects.create(
        owner=alice, kind="sql_database", label="Notes", name="ws_notes", state="ready"
    )


@pytest.fixture
def key(alice: Person) -> ServiceKey:
    Account.objects.create(
        system="sql_server", kind="sql_server.user", name="alice", username="alice",
        person=alice, made_by_us=True,
    )  # fmt: skip
    return ServiceKey.objects.create(
        owner=alice, system="sql_server", account="alice", label="SQL", secret=Secret("old")
    )


def test_a_machine_key_is_made_for_a_component(
    database: Component, as_alice: Visitor, as_bob: Visitor, as_administrator: Visitor
) -> None:
    body = {"component": str(database.id), "purpose": " Import "}
    answer = as_alice.ask("POST", "/service-keys", body)
    assert answer.status_code == 202, answer.content
    made = answer.json()["key"]
    assert answer.headers["Location"] == f"/api/v1/service-keys/{made['id']}"
    assert (made["purpose"], made["component"], made["revealable"]) == (
        "Import", str(database.id), False,
    )  # fmt: skip
    assert made["plan"] == answer.json()["plan"]
    assert made["account"].startswith("wm_alice_notes_")
    assert as_alice.ask("GET", f"/plans/{made['plan']}").json()["kind"] == "service_key.create"
    problem(as_alice.ask("POST", "/service-keys", body), 409)
    problem(as_alice.ask("POST", "/service-keys", {**body, "purpose": " "}), 422)
    problem(as_bob.ask("POST", "/service-keys", body), 422)
    problem(as_alice.ask("POST", "/service-keys", {**body, "component": str(uuid.uuid4())}), 422)
    problem(as_alice.ask("GET", f"/service-keys/{made['id']}/reveal"), 409)
    # Who administers components makes one for its owner, whose it is then.
    other = as_administrator.ask("POST", "/service-keys", {**body, "purpose": "Backup"})
    assert other.json()["key"]["owner"] == "alice"
    assert as_administrator.ask("GET", "/service-keys").json()["count"] == 0
    mine = as_alice.ask("GET", f"/service-keys?component={database.id}").json()
    assert mine["count"] == 2


def test_a_key_is_renewed_once_at_a_time(key: ServiceKey, as_alice: Visitor) -> None:
    where = f"/service-keys/{key.id}"
    answer = as_alice.ask("POST", f"{where}/renew")
    assert answer.status_code == 202, answer.content
    plan = answer.json()["plan"]
    again = problem(as_alice.ask("POST", f"{where}/renew"), 409)
    assert again["plan"] == plan
    problem(as_alice.ask("GET", f"{where}/reveal"), 409)
    shown = as_alice.ask("GET", where).json()
    assert (shown["plan"], shown["revealable"]) == (plan, False)
    text = Plan.objects.get(id=plan).document_text
    key.refresh_from_db()
    assert key.next_secret is not None
    assert key.next_secret.reveal() not in text


def test_an_administrator_renews_for_somebody_and_sees_no_secret(
    key: ServiceKey, database: Component, as_administrator: Visitor, as_bob: Visitor
) -> None:
    where = "/people/alice/service-keys"
    problem(as_bob.ask("GET", where), 403)
    (shown,) = as_administrator.ask("GET", where).json()["items"]
    assert (shown["id"], shown["account"]) == (str(key.id), "alice")
    assert "old" not in {str(value) for value in shown.values()}
    answer = as_administrator.ask("POST", f"{where}/{key.id}/renew")
    assert answer.status_code == 202, answer.content
    problem(as_administrator.ask("GET", f"/service-keys/{key.id}/reveal"), 404)
    problem(as_administrator.ask("DELETE", f"{where}/{key.id}"), 409)
    problem(as_administrator.ask("POST", f"/people/bob/service-keys/{key.id}/renew"), 404)


def test_a_table_names_the_component_and_a_document_has_its_id(
    alice: Person, database: Component
) -> None:
    ServiceKey.objects.create(
        owner=alice, system="sql_server", account="wm_1", label="Import", component=database
    )
    (listed,) = json.loads(CliRunner().invoke(main, ["keys", "list", "--json"]).stdout)["items"]
    assert (listed["component"], listed["label"]) == (str(database.id), "Import")
    table = CliRunner().invoke(main, ["keys", "list"]).stdout
    assert "Notes" in table
    assert str(database.id) not in table


def test_the_command_line_lists_and_renews(key: ServiceKey) -> None:
    listed = json.loads(CliRunner().invoke(main, ["keys", "list", "--json"]).stdout)["items"]
    assert [(row["id"], row["account"]) for row in listed] == [(str(key.id), "alice")]
    assert "secret" not in listed[0]
    renewed = CliRunner().invoke(main, ["keys", "renew", str(key.id)])
    assert renewed.exit_code == 0
    assert str(Plan.objects.get(kind="service_key.renew").id) in renewed.stdout
    assert CliRunner().invoke(main, ["keys", "renew", str(key.id)]).exit_code == 1
