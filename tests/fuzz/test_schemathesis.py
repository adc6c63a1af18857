"""Every operation, asked with what its own document allows and forbids: never our fault, and never
an answer it does not name.

Short here; raise EXAMPLES to look longer. That valid-looking data is accepted is not asked: whether
a password is good or a name is free is no matter of shape.
"""

import json
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi import checks

from tests.access import example_objects
from tests.pinned import pin
from tests.written import written
from workspace_manager.people import tokens
from workspace_manager.records.models import Person
from workspace_manager.web.api.router import api

EXAMPLES = 6
ABOUT_ANSWERS = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
CHECKS = [*ABOUT_ANSWERS, checks.negative_data_rejection]

INTERNALS = ("Traceback", "/site-packages/", "workspace_manager.", "sqlite3", "psycopg", "SELECT ")
"""What no answer may show."""

schema = schemathesis.openapi.from_dict(json.loads(json.dumps(api.get_openapi_schema())))
schema.app = WSGIHandler()

briefly = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
pytestmark = pytest.mark.filterwarnings("ignore")


def ask(case: Any, person: Person | None, *, chosen: list[Any] = CHECKS) -> Any:
    """Send one case; whatever comes back is documented, and an error is a problem document."""
    headers = {"Authorization": f"Bearer {_token(person)}"} if person else {}
    with written() as writes:
        response = case.call(base_url="http://testserver", headers=headers)
    assert response.status_code != 500, response.text
    for ours in INTERNALS:
        assert ours not in response.text
    case.validate_response(response, checks=chosen)
    if response.status_code >= 400:
        # That a token was used is noted before anything is asked of it.
        assert [sql for sql in writes if "records_apitoken" not in sql] == []
        assert response.headers["content-type"] == ["application/problem+json"]
        assert response.json()["status"] == response.status_code
    return response


def _token(person: Person) -> str:
    scope = tokens.widest(person)
    return tokens.create(person, name="fuzz", actor=person.username, scope=scope)[1]


@schema.parametrize()
@briefly
def test_nobody(case: Any, db: None) -> None:
    response = ask(case, None)
    if (case.method, case.path) != ("POST", "/api/v1/registrations"):
        assert response.status_code in {401, 404, 405, 413, 415}


@schema.parametrize()
@briefly
def test_an_administrator_who_asks_for_anything(case: Any, ada: Person) -> None:
    ask(case, ada)


@pytest.fixture
def holes(
    alice: Person, bob: Person, charlie: Person, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    pin(monkeypatch, "sql_server", example_objects.SQL_SERVER)
    return example_objects.build(alice, bob, charlie)


@schema.parametrize()
@briefly
def test_whoever_may_asks_for_what_is_there(
    case: Any, holes: dict[str, str], alice: Person, ada: Person
) -> None:
    """The address names something that exists; body and query are made up."""
    case.path_parameters.update({k: v for k, v in holes.items() if k in case.path_parameters})
    own = case.path.startswith(("/api/v1/service-keys", "/api/v1/me"))
    ask(case, alice if own else ada, chosen=ABOUT_ANSWERS)


@schema.parametrize()
@settings(briefly, max_examples=2)
def test_members_and_strangers_ask_for_what_is_there(
    case: Any, holes: dict[str, str], bob: Person, charlie: Person
) -> None:
    """One may use it, the other may not even see it; neither breaks anything."""
    case.path_parameters.update({k: v for k, v in holes.items() if k in case.path_parameters})
    for person in (bob, charlie):
        ask(case, person, chosen=ABOUT_ANSWERS)
