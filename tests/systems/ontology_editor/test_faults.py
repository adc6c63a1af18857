"""Every failure through the wire: what the connectors raise, and that the key does not get out."""

from collections.abc import Callable
from typing import Any

import pytest

from workspace_manager.contract.connector import CallPolicy, Change
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.systems.ontology_editor.connector import OntologyEditor
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

from .conftest import KEY, connected

ID = "c0d3926c-341a-4d72-83bc-059ac9a84bea"
PROJECT = Change(
    kind="ontology_editor.project",
    subject="",
    target={"mark": "a-mark-of-ours", "owner": "alice"},
    after={"title": "Pottery", "description": "", "language": "en"},
)
MEMBER = Change(
    kind="ontology_editor.membership",
    subject="",
    target={"project_id": ID, "user": "bob"},
    after={"permission": "EDIT"},
)
GONE = {"after": None}

CALLS: dict[str, Callable[[OntologyEditor], Any]] = {
    "plan project": lambda s: s.connectors[PROJECT.kind].plan(PROJECT.target, PROJECT.after),
    "apply project": lambda s: s.connectors[PROJECT.kind].apply(PROJECT),
    "remove project": lambda s: s.connectors[PROJECT.kind].remove(PROJECT.model_copy(update=GONE)),
    "verify project": lambda s: s.connectors[PROJECT.kind].verify(PROJECT),
    "plan member": lambda s: s.connectors[MEMBER.kind].plan(MEMBER.target, MEMBER.after),
    "apply member": lambda s: s.connectors[MEMBER.kind].apply(MEMBER),
    "remove member": lambda s: s.connectors[MEMBER.kind].remove(MEMBER.model_copy(update=GONE)),
    "verify member": lambda s: s.connectors[MEMBER.kind].verify(MEMBER),
    "prove rights": lambda s: s.prove_rights(),
}


@pytest.mark.parametrize(
    ("fault", "status", "expected"),
    [
        ("status", 500, Unavailable),
        ("status", 502, Unavailable),
        ("status", 503, Unavailable),
        ("status", 429, Unavailable),
        ("reset", 0, Unavailable),
        ("truncated", 0, Unavailable),
        ("garbage", 0, Invalid),
        ("html", 0, Invalid),
        ("redirect", 0, Invalid),
        ("status", 400, Invalid),
        ("status", 404, Invalid),
        ("status", 401, Denied),
        ("status", 403, Denied),
    ],
)
@pytest.mark.parametrize("call", CALLS)
def test_every_call_takes_every_failure_for_what_it_is(
    stand_in: OntologyEditorStandIn,
    call: str,
    fault: str,
    status: int,
    expected: type[ConnectorError],
) -> None:
    stand_in.faults.add({"path": "^/data/", "fault": fault, "status": status, "times": 9})
    stand_in.faults.waiting[-1].retry_after = "17" if status == 429 else ""
    with pytest.raises(expected) as caught:
        CALLS[call](connected(stand_in))
    assert KEY not in f"{caught.value} {caught.value.advice} {caught.value.detail}"
    if status == 429:
        assert caught.value.retry_after == 17


def test_a_database_that_is_away_is_unavailable(stand_in: OntologyEditorStandIn) -> None:
    for state in ("down", "gone"):
        stand_in.database = state
        with pytest.raises(Unavailable) as caught:
            connected(stand_in).prove_rights()
        assert "restart" in caught.value.advice


def test_a_slow_answer_is_unavailable(stand_in: OntologyEditorStandIn) -> None:
    hasty = CallPolicy(answer_s=0.05)
    stand_in.faults.add({"path": "^/data/", "fault": "delay", "seconds": 60})
    with pytest.raises(Unavailable):
        connected(stand_in, calls=hasty).prove_rights()


def test_a_server_that_is_not_there_is_unavailable(stand_in: OntologyEditorStandIn) -> None:
    with pytest.raises(Unavailable):
        connected(stand_in, host="http://127.0.0.1:9").prove_rights()


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
