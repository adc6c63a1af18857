"""A token may at most what its maker might when it was made, and less once that was taken; what was
taken does not come back.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.visitors import Visitor
from workspace_manager.access import tokens
from workspace_manager.people import permissions, roles
from workspace_manager.records.models import ApiToken, Permission, Person, Project

pytestmark = pytest.mark.django_db
PROJECTS, COMPONENTS = "administer_projects", "administer_components"
DECIDES = "approve_registrations"


@pytest.fixture
def project(alice: Person) -> Project:
    """Of somebody else, and nobody's who asks."""
    return Project.objects.create(owner=alice, label="Finds")


@pytest.fixture
def asks(visitor_for: Callable[[None], Visitor]) -> Callable[..., int]:
    """What a script with this token is answered."""

    def ask(clear: str, method: str, where: str, body: object = None) -> int:
        headers = {"Authorization": f"Bearer {clear}"}
        return int(visitor_for(None).ask(method, where, body, headers=headers).status_code)

    return ask


def give_permissions(person: Person, *names: str) -> None:
    permissions.let_have(person.username, dict.fromkeys(names), actor="ada")


def create_token(person: Person, scope: str) -> str:
    return tokens.create(person, name="script", actor=person.username, scope=scope)[1]


@pytest.mark.parametrize("scope", ["read", "administration"])
def test_a_token_does_not_grow_with_what_its_maker_is_given_later(
    scope: str, ada: Person, bob: Person, project: Project, asks: Callable[..., int]
) -> None:
    give_permissions(bob, COMPONENTS)
    clear = create_token(bob, scope)
    give_permissions(bob, COMPONENTS, PROJECTS, DECIDES)
    assert asks(clear, "GET", f"/projects/{project.id}") == 404
    assert asks(clear, "GET", "/registrations") == 403
    if scope == "administration":
        assert asks(clear, "DELETE", f"/projects/{project.id}") == 404
    assert asks(create_token(bob, scope), "GET", f"/projects/{project.id}") == 200


@pytest.mark.parametrize("scope", ["read", "administration"])
def test_what_was_taken_does_not_come_back(
    scope: str, ada: Person, bob: Person, project: Project, asks: Callable[..., int]
) -> None:
    give_permissions(bob, PROJECTS, COMPONENTS)
    clear = create_token(bob, scope)
    assert asks(clear, "GET", f"/projects/{project.id}") == 200
    give_permissions(bob, COMPONENTS)
    assert asks(clear, "GET", f"/projects/{project.id}") == 404
    give_permissions(bob, COMPONENTS, PROJECTS)
    assert asks(clear, "GET", f"/projects/{project.id}") == 404
    assert ApiToken.objects.get().permissions == [COMPONENTS]


@pytest.mark.parametrize("forgotten", [True, False])
def test_what_ended_by_itself_does_not_come_back(
    forgotten: bool, ada: Person, bob: Person, project: Project, asks: Callable[..., int]
) -> None:
    give_permissions(bob, PROJECTS, COMPONENTS)
    clear = create_token(bob, "administration")
    ended = timezone.now() - timedelta(seconds=1)
    Permission.objects.filter(name=PROJECTS).update(until=ended)
    assert asks(clear, "GET", f"/projects/{project.id}") == 404
    if forgotten:
        permissions.forget_ended()
        assert ApiToken.objects.get().permissions == [COMPONENTS]
    give_permissions(bob, PROJECTS, COMPONENTS)
    assert asks(clear, "GET", f"/projects/{project.id}") == 404


def test_another_end_takes_nothing_while_it_is_in_force(
    ada: Person, bob: Person, project: Project, asks: Callable[..., int]
) -> None:
    give_permissions(bob, PROJECTS)
    clear = create_token(bob, "administration")
    for until in (timezone.now() + timedelta(days=9), None):
        permissions.let_have("bob", {PROJECTS: until}, actor="ada")
        assert asks(clear, "GET", f"/projects/{project.id}") == 200


@pytest.mark.parametrize("scope", ["read", "administration"])
def test_no_token_becomes_an_administrators(
    scope: str, ada: Person, bob: Person, project: Project, asks: Callable[..., int]
) -> None:
    give_permissions(bob, COMPONENTS)
    clear = create_token(bob, scope)
    roles.make_administrator("bob", actor="ada")
    assert asks(clear, "GET", "/tombstones") in {401, 403}
    assert asks(clear, "GET", f"/projects/{project.id}") in {401, 404}


def test_what_reads_as_an_administrator_does_not_come_back_with_the_role(
    ada: Person, bob: Person, asks: Callable[..., int]
) -> None:
    roles.make_administrator("bob", actor="ada")
    bob.refresh_from_db()
    clear = create_token(bob, "read")
    assert asks(clear, "GET", "/tombstones") == 200
    roles.make_user("bob", actor="ada")
    assert asks(clear, "GET", "/tombstones") == 403
    roles.make_administrator("bob", actor="ada")
    assert asks(clear, "GET", "/tombstones") == 403
