"""Each misconfiguration that can be seen is seen."""

from typing import Any

from workspace_manager.contract.connector import Facts, Finding, Severity
from workspace_manager.systems.ontology_editor import names
from workspace_manager.systems.ontology_editor.messages import message
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

from .conftest import connected


def checked(stand_in: OntologyEditorStandIn, **settings: Any) -> dict[str, Finding]:
    found = {one.name: one for one in connected(stand_in, **settings).check()}
    assert all(one.remedy for one in found.values() if one.severity is not Severity.OK)
    return found


def test_a_sound_system_fails_nothing(stand_in: OntologyEditorStandIn) -> None:
    stand_in.faults.add({"path": "oidc/login", "fault": "redirect", "times": 9})
    found = checked(stand_in)
    assert {name for name, one in found.items() if one.severity is not Severity.OK} == {
        "may_create",
        "own_account",
    }
    named = connected(stand_in, service_account=stand_in.service_account).check()
    assert [one.severity for one in named if one.name == "own_account"] == [Severity.OK]


def test_whether_it_may_create_is_said_once_it_is_known(stand_in: OntologyEditorStandIn) -> None:
    found = checked(stand_in)["may_create"]
    assert found.severity is Severity.WARNING
    assert found.message == message("may_create_unseen")
    projects = connected(stand_in).connectors["ontology_editor.project"]
    want: Facts = {"title": "Pottery", "description": "", "language": "en"}
    projects.apply(projects.plan(names.project("a-mark-of-ours", "alice"), want))
    assert checked(stand_in)["may_create"].severity is Severity.OK


def test_an_unpatched_server_fails(upstream: OntologyEditorStandIn) -> None:
    found = checked(upstream)["build"]
    assert (found.severity, found.message) == (Severity.FAILING, message("only_created"))


def test_a_key_that_is_unknown_or_a_guests_fails(stand_in: OntologyEditorStandIn) -> None:
    key = next(iter(stand_in.state["keys"]))
    stand_in.state["keys"][key] = "est"
    found = checked(stand_in)["key"]
    assert found.severity is Severity.FAILING
    assert "est" in found.remedy
    assert found.message
    assert found.message.code == "ontology_editor.key_does_not_work"
    stand_in.state["keys"].clear()
    assert checked(stand_in)["key"].severity is Severity.FAILING


def test_a_dead_server_and_a_dead_database_are_told_apart(stand_in: OntologyEditorStandIn) -> None:
    assert list(checked(stand_in, host="http://127.0.0.1:9")) == ["reachable"]
    stand_in.database = "down"
    found = checked(stand_in)
    assert found["reachable"].severity is Severity.OK
    assert found["key"].severity is Severity.FAILING
    stand_in.database = "gone"
    assert "restart" in checked(stand_in)["reachable"].remedy


def test_a_missing_sign_in_is_a_warning(stand_in: OntologyEditorStandIn) -> None:
    assert checked(stand_in)["sign_in"].severity is Severity.WARNING
