"""Access through the connector. Nothing can be read back, so looks are unknown and evidence says
what was accepted.
"""

import uuid
from typing import Any

import pytest

from workspace_manager.contract.connector import ALREADY, CHANGED, Change, Facts
from workspace_manager.contract.errors import Conflict, Invalid, NotFound, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.systems.ontology_editor import names
from workspace_manager.systems.ontology_editor.connector import OntologyEditor, membership
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

from .conftest import connected

KIND = "ontology_editor.membership"
EDIT = {"permission": "EDIT"}


@pytest.fixture
def system(stand_in: OntologyEditorStandIn) -> OntologyEditor:
    return connected(stand_in)


@pytest.fixture
def project_id(system: OntologyEditor) -> str:
    projects = system.connectors["ontology_editor.project"]
    want: Facts = {"title": "Pottery", "description": "", "language": "en"}
    change = projects.plan(names.project("a-mark-of-ours", "alice"), want)
    return projects.apply(change).facts["project_id"]


def plan_change(
    system: OntologyEditor, project_id: str, want: dict[str, Any] | None, user: str = "bob"
) -> Change:
    return system.connectors[KIND].plan(names.membership(project_id, user), want)


def roles(stand_in: OntologyEditorStandIn, project_id: str, user: str = "bob") -> list[str]:
    found: list[str] = stand_in.state["projects"][project_id]["roles"].get(user, [])
    return found


@pytest.mark.parametrize("own", ["", "Svc-Manager"])
def test_the_life_of_a_membership(
    stand_in: OntologyEditorStandIn, project_id: str, own: str
) -> None:
    """The same whether or not it is known whose account our key is."""
    system = connected(stand_in, service_account=own)
    members = system.connectors[KIND]
    change = plan_change(system, project_id, EDIT)
    assert change.before == "unknown"
    assert members.verify(change) is None
    assert members.apply(change) == CHANGED
    assert members.apply(change) == ALREADY
    assert roles(stand_in, project_id) == ["CAN_EDIT"]
    evidence = members.verify(change)
    assert evidence
    assert "cannot read the list" in evidence.text

    gone = plan_change(system, project_id, None)
    assert gone.before == "unknown"
    assert members.verify(gone) is None
    assert members.remove(gone) == CHANGED
    assert members.remove(gone) == ALREADY
    assert members.verify(gone)
    assert members.verify(change) is None
    assert roles(stand_in, project_id) == []


def test_what_was_accepted_long_ago_proves_nothing(
    system: OntologyEditor, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = plan_change(system, project_id, EDIT)
    system.connectors[KIND].apply(change)
    monkeypatch.setattr(membership, "REMEMBERED_S", -1.0)
    assert system.connectors[KIND].verify(change) is None


def test_the_owner_is_never_touched(
    system: OntologyEditor, stand_in: OntologyEditorStandIn, project_id: str
) -> None:
    members = system.connectors[KIND]
    before = roles(stand_in, project_id, "alice")
    for want, act in ((EDIT, members.apply), (None, members.remove)):
        change = plan_change(system, project_id, want, "alice")
        assert change.before == want
        assert act(change) == ALREADY
        assert members.verify(change)
    assert roles(stand_in, project_id, "alice") == before


def test_a_project_that_is_gone_has_no_members(system: OntologyEditor) -> None:
    members = system.connectors[KIND]
    change = plan_change(system, str(uuid.uuid4()), None)
    assert change.before is None
    assert members.remove(change) == ALREADY
    assert members.verify(change)
    with pytest.raises(NotFound):
        members.apply(change.model_copy(update={"after": EDIT}))
    assert members.verify(change.model_copy(update={"after": EDIT})) is None


def test_access_in_the_trash_can_be_taken_and_not_given(
    system: OntologyEditor, stand_in: OntologyEditorStandIn, project_id: str
) -> None:
    members = system.connectors[KIND]
    members.apply(plan_change(system, project_id, EDIT))
    stand_in.state["projects"][project_id]["inTrash"] = True
    assert members.remove(plan_change(system, project_id, None)) == CHANGED
    assert roles(stand_in, project_id) == []
    with pytest.raises(Conflict):
        members.apply(plan_change(system, project_id, EDIT))


@pytest.mark.parametrize("user", ["est", "guest", " bob"])
def test_a_guest_cannot_be_a_member(system: OntologyEditor, project_id: str, user: str) -> None:
    with pytest.raises(Conflict):
        system.connectors[KIND].apply(plan_change(system, project_id, EDIT, user))


def test_a_guest_has_nothing_to_take_away(system: OntologyEditor, project_id: str) -> None:
    change = plan_change(system, project_id, None, "est")
    assert system.connectors[KIND].remove(change) == ALREADY
    assert system.connectors[KIND].verify(change)


@pytest.mark.parametrize("permission", ["edit", 1, None, "OWN"])
def test_only_the_editors_own_words_are_sent(
    system: OntologyEditor, project_id: str, permission: object
) -> None:
    with pytest.raises(Invalid):
        system.connectors[KIND].apply(plan_change(system, project_id, {"permission": permission}))


def test_a_semicolon_does_not_grant_somebody_else(
    system: OntologyEditor, stand_in: OntologyEditorStandIn, project_id: str
) -> None:
    system.connectors[KIND].apply(plan_change(system, project_id, EDIT, "eve;x=1"))
    assert roles(stand_in, project_id, "eve") == []
    assert roles(stand_in, project_id, "eve;x=1")


def test_a_slash_is_not_sent(system: OntologyEditor, project_id: str) -> None:
    with pytest.raises(Conflict):
        system.connectors[KIND].apply(plan_change(system, project_id, EDIT, "a/b"))


def test_a_revocation_that_timed_out_after_its_effect_is_repeated(
    system: OntologyEditor, stand_in: OntologyEditorStandIn, project_id: str
) -> None:
    members = system.connectors[KIND]
    members.apply(plan_change(system, project_id, EDIT))
    gone = plan_change(system, project_id, None)
    stand_in.faults.add({"method": "DELETE", "fault": "timeout_after_effect", "seconds": 0})
    with pytest.raises(Unavailable):
        members.remove(gone)
    assert members.verify(gone) is None
    members.remove(gone)
    assert members.verify(gone)


def test_a_right_of_ours_that_was_taken_is_not_a_success(
    system: OntologyEditor,
    stand_in: OntologyEditorStandIn,
    project_id: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(project: str, account: str) -> None:
        raise NotFound(quote_words("no"), kind=KIND, doing=quote_words("taking access away"))

    monkeypatch.setattr(system.connectors[KIND]._client, "revoke", missing)  # type: ignore[attr-defined]
    with pytest.raises(Conflict):
        system.connectors[KIND].remove(plan_change(system, project_id, None))


@pytest.mark.parametrize("after", [None, {"permission": "EDIT"}])
def test_our_own_rights_are_never_taken(
    stand_in: OntologyEditorStandIn, project_id: str, after: Facts | None
) -> None:
    """Not by a membership that ends, and not by one that begins: it would replace them."""
    system = connected(stand_in, service_account="Svc-Manager")
    connector = system.connectors[KIND]
    change = plan_change(system, project_id, after, "svc-manager")
    with pytest.raises(Conflict, match="manager's key"):
        connector.remove(change) if after is None else connector.apply(change)
    assert system.prove_rights()
    assert not [one for one in stand_in.ledger.items if "collaborators" in one["path"]]
