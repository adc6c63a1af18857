"""The meaning of recorded answers for the ontology editor's client."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.recorded.comparing import is_cut
from tests.recorded.expected_meaning import Meaning
from tests.recorded.expected_meaning_ontology_editor import (
    MEMBER,
    PROJECT,
    PROJECTS,
    SIGN_IN,
    TABLE,
)
from tests.recorded.feeding import answer_of, meaning_of, played
from tests.recorded.reading import Exchange
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.ontology_editor.client.calls import CALLS, OntologyEditorClient
from workspace_manager.systems.ontology_editor.refusals import refusal
from workspace_manager.systems.ontology_editor.settings import Settings

ID = "1b7fd6a0-0d0e-4a55-9a0e-4d7a0e6f1c11"
NEW = {"title": "Title", "description": "", "language": "en", "owner": "alice"}
CALL: Mapping[tuple[str, str], Callable[[OntologyEditorClient], Any]] = {
    ("GET", PROJECTS): lambda client: client.projects(),
    ("POST", PROJECTS): lambda client: client.create_project(**NEW),
    ("GET", PROJECT): lambda client: client.project(ID),
    ("DELETE", PROJECT): lambda client: client.trash_project(ID),
    ("PUT", MEMBER): lambda client: client.grant(ID, "bob", "EDIT"),
    ("DELETE", MEMBER): lambda client: client.revoke(ID, "bob"),
    ("GET", SIGN_IN): lambda client: [client.has_sign_in()],
}


def classify(exchange: Exchange) -> Meaning:
    """By the client's own method where it makes this call, else by the one function that knows what
    answers mean.
    """
    call = CALL.get((exchange.method, TABLE.route(exchange.path)))
    if call is None or is_cut(exchange):
        return meaning_of(lambda: _understand(exchange))
    client = OntologyEditorClient(Settings(host="http://recorded", api_key=Secret("key")))
    client._http = HttpClient(
        client.url, system="ontology_editor", policy=CALLS, transport=played(exchange)
    )
    return meaning_of(lambda: call(client))


def _understand(exchange: Exchange) -> None:
    error = refusal(answer_of(exchange, kind="ontology_editor.project"))
    if error is not None:
        raise error
