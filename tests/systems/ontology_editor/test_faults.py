"""Failures of this editor's own, through the wire, and that the key does not get out. Those that
every system has are in tests/conformance.
"""

import pytest

from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

from .conftest import KEY, connected

PROJECT = Change(
    kind="ontology_editor.project",
    subject="",
    target={"mark": "a-mark-of-ours", "owner": "alice"},
    after={"title": "Pottery", "description": "", "language": "en"},
)


def test_a_database_that_is_away_is_unavailable(stand_in: OntologyEditorStandIn) -> None:
    for state in ("down", "gone"):
        stand_in.database = state
        with pytest.raises(Unavailable) as caught:
            connected(stand_in).prove_rights()
        assert "restart" in caught.value.advice


def test_a_wrong_base_address_is_invalid(stand_in: OntologyEditorStandIn) -> None:
    with pytest.raises(Invalid):
        connected(stand_in, host=f"{stand_in.url}/webprotege").prove_rights()


def test_no_outcome_or_evidence_holds_the_key(stand_in: OntologyEditorStandIn) -> None:
    system = connected(stand_in)
    projects = system.connectors[PROJECT.kind]
    found = [
        projects.plan(PROJECT.target, PROJECT.after),
        projects.apply(PROJECT),
        projects.verify(PROJECT),
        system.prove_rights(),
        *system.check(),
    ]
    assert KEY not in "".join(one.model_dump_json() for one in found if one is not None)
    assert KEY not in str(stand_in.what_exists())
