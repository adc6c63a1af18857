"""The card of a project opens it in the ontology editor."""

import pytest

from tests.pinned_settings import pin
from tests.visitors import Visitor
from workspace_manager.records.models import Person, Project

PROJECT = "0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.mark.parametrize(("perspective", "end"), [("", ""), ("p1", "/perspectives/p1")])
def test_a_card_opens_the_project_and_names_it(
    alice: Person, as_alice: Visitor, monkeypatch: pytest.MonkeyPatch, perspective: str, end: str
) -> None:
    values = {"host": "https://onto.example.org", "api_key": "k", "perspective_id": perspective}
    pin(monkeypatch, "ontology_editor", values)
    project = Project.objects.create(owner=alice, label="Birds", ontology_project_id=PROJECT)
    page = as_alice.get(f"/projects/{project.id}").content.decode()
    address = f"https://onto.example.org/?project={PROJECT}#projects/{PROJECT}{end}"
    assert f'href="{address}"' in page
    assert "/perspectives/&quot;" not in page
