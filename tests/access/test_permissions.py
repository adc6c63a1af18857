"""The table of routes once more, for members of each role and for holders of each permission. What
they are answered follows from its columns; nothing here is written by hand but what differs.

Each is asked about the things it is about, and about every so many of all other routes: together
all of them.
"""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Final

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.access import example_objects, figures
from tests.access.asking import status_of
from tests.access.table import Row, rows
from tests.fake_world.people import make_person
from tests.pinned_settings import pin
from tests.visitors import BACKEND, Visitor
from workspace_manager.records.models import Membership, Permission, Person, Project

PROJECT, COMPONENT = "{project_id}", "{component_id}"
STACK, SNAPSHOT = "{stack_id}", "{snapshot_id}"
HOLDERS: Final = tuple(Permission.Name.values)
ABOUT: Final[dict[str, tuple[str, str]]] = {
    "view_components": (COMPONENT, "member"),
    "view_stacks": (STACK, "member"),
    "administer_projects": (PROJECT, "administrator"),
    "administer_components": (COMPONENT, "administrator"),
    "administer_stacks": (STACK, "administrator"),
    "administer_snapshots": (SNAPSHOT, "administrator"),
}
"""Which things a permission is about, and as whom its holder is answered there; everywhere else as
a stranger.
"""
IN_THE_BODY: Final = {("POST", "/api/v1/service-keys"): COMPONENT}
"""What a route is about that its address does not name."""
QUEUE: Final = {
    ("GET", "/api/v1/registrations"),
    ("GET", "/api/v1/registrations/{registration_id}"),
    ("POST", "/api/v1/registrations/{registration_id}/approve"),
    ("POST", "/api/v1/registrations/{registration_id}/reject"),
    ("GET", "/manage/registrations"),
    ("POST", "/manage/registrations/several"),
    ("POST", "/manage/registrations/{registration_id}/approve"),
    ("POST", "/manage/registrations/{registration_id}/reject"),
}
"""What `approve_registrations` opens."""
WHO_SHARES: Final = ("/members", "/invitations", "/membership-requests", "/requests")
"""Below a project: what a member who manages is answered as its owner."""
PUT_OFF: Final = {
    ("POST", "/api/v1/inbox/{key}/snooze"),
    ("POST", "/inbox/{key}/snooze"),
}
"""The key is a request to join the project: it waits for every member who manages, too."""
OF_THE_MEMBER: Final = {
    ("DELETE", "/api/v1/projects/{project_id}/members/{username}"),
    ("POST", "/projects/{project_id}/members/{username}/end"),
}
"""Leaving: the address names the member of the table, whom a reader takes out of nothing."""
OPENS: Final = {
    ("PUT", "/api/v1/projects/{project_id}/members/{username}"),
    ("PATCH", "/api/v1/projects/{project_id}/members/{username}"),
    ("POST", "/api/v1/projects/{project_id}/invitations"),
    ("POST", "/api/v1/projects/{project_id}/membership-requests/{request_id}/approve"),
    ("POST", "/projects/{project_id}/members"),
    ("POST", "/projects/{project_id}/members/{username}/role"),
    ("POST", "/projects/{project_id}/requests/{request_id}/approve"),
}
"""What lets more people into a project: nobody does by a permission."""
OF_THE_STRANGER: Final = "{invitation_id}/accept", "{invitation_id}/decline"
"""The invitation is the stranger's own."""
OF_WHO_SHARES: Final = "{component_id}/test"
"""Trying what one may do in the system: who only sees the component may do nothing there."""
ROLES: Final = ("manage", "read")
"""`write` is the member of the table."""


def expect_status(row: Row, who: str) -> int:
    """What the table says for this visitor."""
    asked = (row.method, row.address)
    if who in HOLDERS:
        _, as_whom = ABOUT.get(who, ("", ""))
        if who == "view_components" and row.address.endswith(OF_WHO_SHARES):
            return 403
        opened = is_about(row, who)
        if opened and asked in OPENS:
            return 403
        return row.answers[(as_whom or "administrator") if opened else "stranger"]
    shares = row.address.partition(PROJECT)[2].startswith(WHO_SHARES) or asked in PUT_OFF
    if who == "manage" and shares:
        return row.answers["owner"]
    return 403 if who == "read" and asked in OF_THE_MEMBER else row.answers["member"]


def is_about(row: Row, who: str) -> bool:
    if who == "approve_registrations":
        return (row.method, row.address) in QUEUE
    if who in HOLDERS:
        thing, _ = ABOUT[who]
        return thing in (row.address + IN_THE_BODY.get((row.method, row.address), ""))
    return PROJECT in row.address


def asked_of(n: int, row: Row) -> list[str]:
    """Whom this row is asked of: whoever it is about, and one of each kind besides."""
    if row.address.endswith(OF_THE_STRANGER):
        return []
    in_turn = {HOLDERS[n % len(HOLDERS)], ROLES[n % len(ROLES)]}
    return [who for who in (*HOLDERS, *ROLES) if who in in_turn or is_about(row, who)]


@dataclass(frozen=True)
class Scene:
    cookies: dict[str, SimpleCookie]
    people: dict[str, Person]
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
        make_person("ada", role=Person.Role.ADMINISTRATOR)
        holes = example_objects.build(*(make_person(name) for name in ("alice", "bob", "charlie")))
        people = {who: make_person(who.replace("_", "-")) for who in (*HOLDERS, *ROLES)}
        for name in HOLDERS:
            Permission.objects.create(person=people[name], name=name)
        project = Project.objects.get(id=holes["project_id"])
        for role in ROLES:
            Membership.objects.create(project=project, person=people[role], role=role)
        cookies = {}
        for who, person in people.items():
            visitor = Visitor(person)
            visitor.force_login(person, backend=BACKEND)
            cookies[who] = visitor.cookies
        yield Scene(cookies, people, holes)
        transaction.set_rollback(True)


@pytest.mark.one_in(3)
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("row", "visitors"),
    [pytest.param(row, asked_of(n, row), id=str(row)) for n, row in enumerate(rows())],
)
def test_holders_and_members_are_answered_as_the_table_says(
    row: Row,
    visitors: list[str],
    scene: Scene,
    record_property: Callable[[str, object], None],
) -> None:
    got = {}
    for who in visitors:
        visitor = Visitor(scene.people[who])
        visitor.cookies = copy.deepcopy(scene.cookies[who])
        got[who] = status_of(visitor, row, scene.holes)
    assert got == {who: expect_status(row, who) for who in visitors}
    record_property(figures.PROPERTY, ("permissions", len(got)))


def test_everybody_is_asked_about_what_they_may() -> None:
    """What a permission opens and does not close, by how often the answer is not a stranger's."""
    differs = {
        who: sum(expect_status(row, who) != row.answers["stranger"] for row in rows())
        for who in (*HOLDERS, *ROLES)
    }
    assert all(differs.values())
    assert {(row.method, row.address) for row in rows()} >= QUEUE | OF_THE_MEMBER
    assert differs["approve_registrations"] == len(QUEUE)
