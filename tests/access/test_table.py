"""The table holds for every route, and every route is in the table; each answer says to browsers
what it has to.
"""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.cookies import SimpleCookie

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.access import example_objects, figures
from tests.access.asking import status_of
from tests.access.routes import addresses, routes
from tests.access.table import VISITORS, Row, rows
from tests.fake_world.people import make_person
from tests.pinned import pin
from tests.visitors import BACKEND, Visitor
from workspace_manager.records.models import Person

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ANSWERS_ANY_METHOD = {"/health/live", "/health/ready", "/api/v1/", "/api/v1/*"}
USED_UP = ("/login/callback/", "/service-keys/{key_id}/reveal")
"""Answers that are given once: a code of the identity provider, a key. A look at the head alone
uses up neither.
"""


@dataclass(frozen=True)
class Scene:
    """Who is signed in, with which cookies, and what the holes of the addresses are filled with."""

    people: dict[str, Person | None]
    cookies: dict[str, SimpleCookie]
    holes: dict[str, str]


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """Made once, in a transaction that is rolled back at the end: each test undoes its own changes
    alone.
    """
    with (
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
        transaction.atomic(),
    ):
        pin(patch, "sql_server", example_objects.SQL_SERVER)
        alice, bob, charlie = (make_person(name) for name in ("alice", "bob", "charlie"))
        ada = make_person("ada", role=Person.Role.ADMINISTRATOR)
        people = dict(zip(VISITORS, (alice, bob, charlie, ada, None), strict=True))
        cookies = {name: _signed_in(person) for name, person in people.items()}
        yield Scene(people, cookies, example_objects.build(alice, bob, charlie))
        transaction.set_rollback(True)


def _signed_in(person: Person | None) -> SimpleCookie:
    visitor = Visitor(person)
    if person is not None:
        visitor.force_login(person, backend=BACKEND)
    return visitor.cookies


@pytest.fixture
def visitors(scene: Scene, db: None) -> dict[str, Visitor]:
    found = {name: Visitor(person) for name, person in scene.people.items()}
    for name, visitor in found.items():
        visitor.cookies = copy.deepcopy(scene.cookies[name])
    return found


@pytest.fixture
def holes(scene: Scene) -> dict[str, str]:
    return scene.holes


def test_every_route_is_in_the_table_once() -> None:
    table = [(row.method, row.address) for row in rows()]
    assert len(table) == len(set(table))
    assert routes() - set(table) == set(), "routes that the table does not name"
    named = {address for _, address in table}
    assert addresses() - named == set(), "addresses that the table does not name"
    assert named - addresses() == set(), "the table names addresses that are not there"


@pytest.mark.parametrize("row", rows(), ids=str)
def test_every_visitor_is_answered_as_the_table_says(
    row: Row,
    visitors: dict[str, Visitor],
    holes: dict[str, str],
    record_property: Callable[[str, object], None],
) -> None:
    got = {name: status_of(visitor, row, holes) for name, visitor in visitors.items()}
    assert got == row.answers
    record_property(figures.PROPERTY, ("answers", len(got)))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("address", sorted(addresses() - ANSWERS_ANY_METHOD))
def test_a_method_the_table_does_not_name_is_refused(
    address: str,
    visitors: dict[str, Visitor],
    holes: dict[str, str],
    record_property: Callable[[str, object], None],
) -> None:
    named = {row.method for row in rows() if row.address == address}
    for method in METHODS:
        if method not in named:
            row = Row(method, address, {})
            assert status_of(visitors["administrator"], row, holes) == 405, method
    record_property(figures.PROPERTY, ("methods", len(set(METHODS) - named)))


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "row",
    [row for row in rows() if row.method == "GET" and not row.address.endswith(USED_UP)],
    ids=str,
)
def test_a_look_at_the_head_alone_is_answered_as_a_look(
    row: Row, visitors: dict[str, Visitor], holes: dict[str, str]
) -> None:
    """Load balancers and link checkers ask so."""
    head = Row("HEAD", row.address, row.answers)
    assert {
        name: status_of(visitor, head, holes) for name, visitor in visitors.items()
    } == row.answers
