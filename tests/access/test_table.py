"""The table holds for every route, and every route is in the table; each answer says to browsers
what it has to.
"""

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from http.cookies import SimpleCookie

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.access import example_objects, figures
from tests.access.asking import status_of
from tests.access.routes import addresses, routes
from tests.access.table import VISITORS, Row, rows
from tests.fake_world.people import make_person
from tests.pinned_settings import pin
from tests.visitors import BACKEND, Visitor
from workspace_manager.records.models import Person

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
ANSWERS_ANY_METHOD = {"/health/live", "/health/ready", "/api/v1/", "/api/v1/*"}
SIGNED = "/accounts/oidc/identity_provider/backchannel-logout"
"""Knows no session: who sends is known by a signature alone."""
USED_UP = ("/login/callback/", "/service-keys/{key_id}/reveal")
"""Answers that are given once: a code of the identity provider, a key. A look at the head alone
uses up neither. (Load balancers and link checkers ask so.)
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
    """Those of the table, and an administrator whose browser another site makes ask."""
    found = {name: Visitor(person) for name, person in scene.people.items()}
    for name, visitor in found.items():
        visitor.cookies = copy.deepcopy(scene.cookies[name])
    forged = found["forged"] = Visitor(scene.people["administrator"], enforce_csrf_checks=True)
    forged.cookies = copy.deepcopy(scene.cookies["administrator"])
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
    """What another site makes a browser send changes nothing, a look at the head alone is answered
    as a look, and methods that no row names are refused.
    """
    if row.method != "GET" and is_guarded(row):
        assert status_of(visitors["forged"], row, holes) == 403
        record_property(figures.PROPERTY, ("forged", 1))
    if row.method == "GET" and not row.address.endswith(USED_UP):
        head = Row("HEAD", row.address, row.answers)
        assert status_of(visitors["administrator"], head, holes) == row.answers["administrator"]
    others = (
        METHODS - find_methods(row.address)
        if row.method == min(find_methods(row.address))
        else set()
    )
    for method in () if row.address in ANSWERS_ANY_METHOD else others:
        other = Row(method, row.address, {})
        assert status_of(visitors["administrator"], other, holes) == 405, method
    got = {name: status_of(visitors[name], row, holes) for name in VISITORS}
    assert got == row.answers
    record_property(figures.PROPERTY, ("methods", len(others)))
    record_property(figures.PROPERTY, ("answers", len(got)))


def is_guarded(row: Row) -> bool:
    """Whether a session proves that a page of ours sent the request."""
    return row.answers["administrator"] not in {404, 405} and row.address != SIGNED


@cache
def find_methods(address: str) -> set[str]:
    """The methods of its rows."""
    return {row.method for row in rows() if row.address == address}


def test_no_address_has_a_hole_for_a_secret() -> None:
    """Addresses stand in logs, of proxies too, in histories and in what a browser says of where it
    comes from.
    """
    for address in addresses():
        for hole in re.findall(r"{(\w+)}", address):
            names_a_row = hole.endswith("_id")
            assert names_a_row or not re.search("token|secret|password|code|link", hole), address
