"""API tokens and what each scope opens: the table of routes once more, for each scope. Nothing here
is written by hand but the routes that no token of a session opens.

An administrator's token for own things is answered as a stranger is; a token for reading as its
person, where nothing is changed.
"""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.access import example_objects, figures
from tests.access.asking import status_of
from tests.access.table import Row, rows
from tests.fake_world.people import make_person
from tests.openapi import rest_document
from tests.pinned_settings import pin
from tests.visitors import API, Visitor
from workspace_manager.access import tokens
from workspace_manager.records.models import Person

Scope = tokens.Scope
NO_TOKEN = {("POST", "/api/v1/me/tokens")}
"""A token that makes tokens outlives its own end."""
OF_THE_SERVER = {
    ("PATCH", "/api/v1/systems/{name}"),
    ("POST", "/api/v1/systems/{name}/test"),
}
"""What asks for a sign-in some minutes ago."""
OF_THE_STRANGER = {
    ("POST", f"/api/v1/me/invitations/{{invitation_id}}/{answer}")
    for answer in ("accept", "decline")
}
"""The thing that the address names is the stranger's own, and nobody else's."""
SHOWS_A_SECRET = {
    ("GET", "/api/v1/service-keys/{key_id}/reveal"),
    ("GET", "/api/v1/snapshots/{snapshot_id}/content"),
}
TOKENS = (
    ("administrator", Scope.READ),
    ("administrator", Scope.OWN),
    ("administrator", Scope.ADMINISTRATION),
    ("administrator", Scope.OPERATION),
    ("owner", Scope.READ),
    ("owner", Scope.OWN),
)
NO_ROUTE = {404, 405}
ROUTES = [
    row
    for row in rows()
    if row.address.startswith(API) and not set(row.answers.values()) <= NO_ROUTE
]


def is_open_to_all(row: Row) -> bool:
    """The documents, which say nothing of anybody and ask nobody who they are."""
    return row.address in {f"{API}/docs", f"{API}/openapi.json"}


def is_for_administrators(row: Row) -> bool:
    others = {row.answers[who] for who in ("owner", "member", "stranger")}
    return others == {403} and row.answers["administrator"] != 403


def expect_status(row: Row, who: str, scope: Scope) -> int:
    """What the table says of this row, for this person's token of this scope."""
    asked = (row.method, row.address)
    if is_open_to_all(row):
        return row.answers[who]
    if asked in NO_TOKEN or (asked in OF_THE_SERVER and scope is not Scope.OPERATION):
        return 403
    if scope is Scope.READ:
        return 403 if row.method != "GET" or asked in SHOWS_A_SECRET else row.answers[who]
    if scope is Scope.OWN and who == "administrator":
        as_user = row.answers[who if asked in OF_THE_STRANGER else "stranger"]
        return 403 if is_for_administrators(row) else as_user
    return row.answers[who]


def _visitor(clear: str) -> Visitor:
    return Visitor(headers={"Authorization": f"Bearer {clear}"})


@dataclass(frozen=True)
class Scene:
    sent: dict[tuple[str, Scope], str]
    holes: dict[str, str]


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """Made once, in a transaction that is rolled back at the end."""
    with (
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
        transaction.atomic(),
    ):
        pin(patch, "sql_server", example_objects.SQL_SERVER)
        # A use is noted again after a minute, which is no effect of a request either.
        patch.setattr(tokens, "WRITTEN_AGAIN_AFTER", timedelta.max)
        alice, bob, charlie = (make_person(name) for name in ("alice", "bob", "charlie"))
        ada = make_person("ada", role=Person.Role.ADMINISTRATOR)
        holes = example_objects.build(alice, bob, charlie)
        people = {"owner": alice, "administrator": ada}
        sent = {}
        for who, scope in TOKENS:
            _, clear = tokens.create(people[who], name=scope, actor=who, scope=scope)
            assert tokens.find_token(clear), "used, so that the next uses write nothing"
            sent[who, scope] = clear
        yield Scene(sent, holes)
        transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.parametrize("row", ROUTES, ids=str)
def test_every_scope_opens_what_the_table_says(
    row: Row, scene: Scene, record_property: Callable[[str, object], None]
) -> None:
    got = {one: status_of(_visitor(scene.sent[one]), row, scene.holes) for one in TOKENS}
    assert got == {(who, scope): expect_status(row, who, scope) for who, scope in TOKENS}
    record_property(figures.PROPERTY, ("scopes", len(got)))


def test_the_table_speaks_of_every_scope() -> None:
    assert {scope for _, scope in TOKENS} == set(Scope)
    named = {(row.method, row.address) for row in rows()}
    assert named >= NO_TOKEN | OF_THE_SERVER | SHOWS_A_SECRET | OF_THE_STRANGER
    assert sum(map(is_for_administrators, ROUTES)) > 30


@pytest.mark.parametrize("row", [row for row in ROUTES if not is_open_to_all(row)], ids=str)
def test_the_document_says_which_scopes_open_a_route(row: Row) -> None:
    told: dict[str, Any] = rest_document()["paths"][row.address][row.method.lower()]
    said = {scope for one in told["security"] for scope in one.get("token", ())}
    changed = replace(row, answers=dict.fromkeys(row.answers, 200))
    if is_for_administrators(row):
        changed.answers.update(owner=403, member=403, stranger=403)
    opened = {
        scope for scope in Scope if expect_status(copy.copy(changed), "administrator", scope) == 200
    }
    assert said == opened
