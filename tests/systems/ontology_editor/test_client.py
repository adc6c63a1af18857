"""The client: which build, which answers are believed."""

import pytest

from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.ontology_editor.client.calls import NIL, OntologyEditorClient
from workspace_manager.systems.ontology_editor.settings import Settings
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

from .conftest import KEY


def make_client(stand_in: OntologyEditorStandIn) -> OntologyEditorClient:
    return OntologyEditorClient(Settings(host=stand_in.url, api_key=Secret(KEY)))


def create(client: OntologyEditorClient, title: str = "Pottery") -> str:
    return client.create_project(title=title, description="", language="en", owner="alice").id


def test_the_build_is_told_without_a_key(
    stand_in: OntologyEditorStandIn, upstream: OntologyEditorStandIn
) -> None:
    for one, expected in ((stand_in, "patched"), (upstream, "upstream")):
        one.state["keys"].clear()
        one.database = "down"
        assert make_client(one).flavour() == expected


def test_creating_twice_makes_two(stand_in: OntologyEditorStandIn) -> None:
    client = make_client(stand_in)
    assert create(client) != create(client)
    assert len(client.projects()) == 2


def test_the_trash_answers_the_same_again(stand_in: OntologyEditorStandIn) -> None:
    client = make_client(stand_in)
    project_id = create(client)
    for _ in range(2):
        client.trash_project(project_id)
    assert client.project(project_id).in_trash
    with pytest.raises(NotFound):
        client.trash_project(NIL)
    with pytest.raises(NotFound):
        client.grant(NIL, "bob", "EDIT")
    with pytest.raises(NotFound):
        client.revoke(NIL, "bob")


def test_an_id_in_capitals_is_not_sent(stand_in: OntologyEditorStandIn) -> None:
    """The editor would answer as if the address were wrong."""
    with pytest.raises(Conflict):
        make_client(stand_in).project("C0D3926C-341A-4D72-83BC-059AC9A84BEA")


def test_an_answer_of_another_shape_is_not_believed(stand_in: OntologyEditorStandIn) -> None:
    client = make_client(stand_in)
    project_id = create(client)
    stand_in.state["projects"][project_id]["owner"] = 7
    with pytest.raises(Invalid):
        client.projects()
    with pytest.raises(Invalid):
        client.project(project_id)


def test_a_project_without_language_is_read(stand_in: OntologyEditorStandIn) -> None:
    client = make_client(stand_in)
    project_id = create(client)
    stand_in.state["projects"][project_id]["lang"] = ""
    assert client.project(project_id).language.lang == ""


def test_a_sign_in_is_looked_for(stand_in: OntologyEditorStandIn) -> None:
    assert not make_client(stand_in).has_sign_in()
    stand_in.faults.add({"path": "oidc/login", "fault": "redirect"})
    assert make_client(stand_in).has_sign_in()
    stand_in.faults.add({"path": "oidc/login", "fault": "html"})
    with pytest.raises(Invalid):
        make_client(stand_in).has_sign_in()
