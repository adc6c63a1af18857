"""Every operation, asked with what its own document allows and forbids: never our fault, and never
an answer it does not name.

Short here; raise EXAMPLES to look longer. That valid-looking data is accepted is not asked: whether
a password is good or a name is free is no matter of shape. `make check` takes a twentieth of
the operations for each who asks, others for each. With `make thorough` each operation is asked by
somebody who is signed in, in turn; `make everything` has each asked by all.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import HealthCheck, settings
from schemathesis.generation.feedback import NO_FEEDBACK
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.specs.openapi import checks

from tests.access import example_objects
from tests.database_writes import record_writes
from tests.openapi import operations, rest_document
from tests.pinned_settings import pin
from workspace_manager.access import tokens
from workspace_manager.records.models import Person

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

EVERYDAY = 20
"""Of so many operations one is asked every day."""

SIGNED_IN = 3
"""So many askers are somebody: by `make test` each operation is asked by one of them."""

briefly = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
pytestmark = pytest.mark.filterwarnings("ignore")


@cache
def schema(*, covered: bool) -> Any:
    """Read where a test asks for it: a process that only collects does without. `covered`: with
    cases for each member's own shapes.
    """
    made = schemathesis.openapi.from_dict(rest_document())
    made.app = WSGIHandler()
    if not covered:
        made.config.phases.update(phases=["examples", "fuzzing"])
    return made


def every_operation(first: int) -> pytest.MarkDecorator:
    """A test of its own for each, by its own name; each day those that are counted from `first`."""
    named = [
        pytest.param(operation, id=" ".join(operation), marks=when(number, first))
        for number, operation in enumerate(operations())
    ]
    return pytest.mark.parametrize("operation", named)


def when(number: int, first: int) -> tuple[pytest.MarkDecorator, ...]:
    """What of one asker runs when. Nobody, who is `first`, gets no further than the door."""
    if number % EVERYDAY == first:
        return ()
    asks = first and number % SIGNED_IN == first % SIGNED_IN
    return (pytest.mark.thorough if asks else pytest.mark.everything,)


def ask_every_case(
    operation: tuple[str, str], ask_one: Callable[[Any], None], *, covered: bool = True
) -> None:
    """Each case of an operation: its document's examples, what covers each of its members, and some
    that are drawn. Built here, where it runs: for all operations at collection it took each process
    ten seconds.
    """
    method, path = operation
    chosen = schema(covered=covered)

    def test(case: Any) -> None:
        ask_one(case)

    build_operation_test(
        config=chosen.config,
        operation=chosen[path][method],
        test_func=test,
        given_kwargs={},
        feedback=NO_FEEDBACK,
        explicit_settings=briefly,
    )()


def ask(case: Any, headers: dict[str, str], *, chosen: list[Any] = CHECKS) -> Any:
    """Send one case; whatever comes back is documented, and an error is a problem document."""
    with record_writes() as writes:
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


def token_of(person: Person) -> dict[str, str]:
    """What somebody sends along who may do all that they may."""
    scope = tokens.widest_scope(person)
    secret = tokens.create(person, name="fuzz", actor=person.username, scope=scope)[1]
    return {"Authorization": f"Bearer {secret}"}


@every_operation(0)
def test_nobody(operation: tuple[str, str], db: None) -> None:
    def one(case: Any) -> None:
        response = ask(case, {})
        if operation != ("POST", "/api/v1/registrations"):
            assert response.status_code in {401, 404, 405, 413, 415}

    ask_every_case(operation, one, covered=operation == ("POST", "/api/v1/registrations"))


@every_operation(5)
def test_an_administrator_who_asks_for_anything(operation: tuple[str, str], ada: Person) -> None:
    hers = token_of(ada)
    ask_every_case(operation, lambda case: ask(case, hers))


@pytest.fixture
def holes(
    alice: Person, bob: Person, charlie: Person, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    pin(monkeypatch, "sql_server", example_objects.SQL_SERVER)
    return example_objects.build(alice, bob, charlie)


@every_operation(10)
def test_whoever_may_asks_for_what_is_there(
    operation: tuple[str, str], holes: dict[str, str], alice: Person, ada: Person
) -> None:
    """The address names something that exists; body and query are made up."""
    own = operation[1].startswith(("/api/v1/service-keys", "/api/v1/me"))
    theirs = token_of(alice if own else ada)

    def one(case: Any) -> None:
        case.path_parameters.update({k: v for k, v in holes.items() if k in case.path_parameters})
        ask(case, theirs, chosen=ABOUT_ANSWERS)

    ask_every_case(operation, one)


@every_operation(15)
def test_members_and_strangers_ask_for_what_is_there(
    operation: tuple[str, str], holes: dict[str, str], bob: Person, charlie: Person
) -> None:
    """One may use it, the other may not even see it; neither breaks anything."""
    each = [token_of(person) for person in (bob, charlie)]

    def one(case: Any) -> None:
        case.path_parameters.update({k: v for k, v in holes.items() if k in case.path_parameters})
        for theirs in each:
            ask(case, theirs, chosen=ABOUT_ANSWERS)

    ask_every_case(operation, one, covered=False)
