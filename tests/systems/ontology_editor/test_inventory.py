"""The inventory of the editor: what it tells our key of its projects."""

from typing import Any

import httpx
import pytest

from tests.systems.whole_inventory import NO_LIST, everything
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.ontology_editor import SYSTEM, inventory, names
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

from .conftest import connected

KIND = "ontology_editor.project"
WANT: dict[str, Any] = {"title": "Pottery", "description": "Shapes", "language": "en"}


def test_what_was_made_is_listed_until_removed(
    stand_in: OntologyEditorStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "MOST", 2)
    system, made = connected(stand_in), {}
    projects = system.connectors[KIND]
    for n in range(5):
        target = names.project(f"a-mark-of-ours-{n}", "alice")
        made[n] = projects.apply(projects.plan(target, WANT)).facts["project_id"]
    theirs = system.client.create_project(
        title=" \n", description="[workspace-manager:short]", language="en", owner=""
    )
    pages: list[int] = []
    found = everything(SYSTEM, system, pages)
    assert pages == [2, 2, 2]
    assert {name for _, name in found} == {*made.values(), theirs.id}
    one = found[KIND, made[3]]
    assert one.target == names.existing_project(made[3], mark="a-mark-of-ours-3", owner="alice")
    assert (one.ours, one.kept, one.holders) == (True, None, ("alice",))
    assert "Pottery" in one.seen.english
    other = found[KIND, theirs.id]
    assert (other.ours, other.holders) == (False, ())
    assert other.kept

    projects.remove(projects.plan(one.target, None))
    assert (KIND, made[3]) not in everything(SYSTEM, system)


@pytest.mark.parametrize(
    ("fault", "error"),
    NO_LIST,
)
def test_an_answer_that_is_no_list_is_never_nothing(
    stand_in: OntologyEditorStandIn, fault: dict[str, Any], error: type[ConnectorError]
) -> None:
    read = SYSTEM.lister()
    assert read
    system = connected(stand_in)
    httpx.post(f"{stand_in.control_url}/faults", json={"path": "/data/projects", **fault})
    with pytest.raises(error):
        read(system, "")


def test_an_unknown_key_is_refused(stand_in: OntologyEditorStandIn) -> None:
    read = SYSTEM.lister()
    assert read
    with pytest.raises(Denied):
        read(connected(stand_in, api_key=Secret("another")), "")


def test_one_odd_entry_is_named_and_the_others_are_compared(
    stand_in: OntologyEditorStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = connected(stand_in)
    made = system.client.create_project(title="A", description="", language="en", owner="alice")
    listed = system.client._list().json()
    assert isinstance(listed, list)
    shown = {"projectId": "B" * 8, "displayName": "", "description": "", "owner": ""}
    odd: list[Any] = [{"projectId": 7}, *listed, {**shown, "inTrash": False}]
    monkeypatch.setattr(system.client, "_list", lambda: ListAnswer(odd))
    found = everything(SYSTEM, system)
    assert {name for _, name in found} == {"#1", made.id, "B" * 8}
    assert found[KIND, "#1"].kept
    assert "entry 1" in found[KIND, "#1"].seen.english
    assert found[KIND, "B" * 8].kept


class ListAnswer:
    """An answer that is this list."""

    def __init__(self, entries: list[Any]) -> None:
        self.entries = entries

    def json(self) -> list[Any]:
        return self.entries
