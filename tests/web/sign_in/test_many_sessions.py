"""However many sessions there are: those of one person end at the same cost, old ones go in parts,
and none lasts longer than it may.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.access.sign_in_setup import CALLBACK
from tests.clock import turned
from tests.fake_world.world import World
from tests.visitors import Visitor
from workspace_manager.access import sessions
from workspace_manager.access.session_store import SessionStore
from workspace_manager.people import suspend
from workspace_manager.records.models import Person, Session, SignIn

pytestmark = pytest.mark.django_db
MANY = 60_000


def strangers(count: int, *, ends_in: timedelta = timedelta(hours=6)) -> None:
    """Sessions of nobody, as they were left by whoever only looked at the sign-in."""
    table, data = Session._meta.db_table, SessionStore().encode({"x": "y" * 400})
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} (session_key, session_data, expire_date) "
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %s) "
            "SELECT 's' || i, %s, %s FROM n",
            [count, data, timezone.now() + ends_in],
        )


@contextmanager
def instructions() -> Iterator[list[int]]:
    """How much SQLite did, in thousands of its own instructions: they follow the rows it read."""
    if connection.vendor != "sqlite":
        pytest.skip("counted by SQLite alone")
    told: list[int] = []
    connection.connection.set_progress_handler(lambda: told.append(1), 1000)
    try:
        yield told
    finally:
        connection.connection.set_progress_handler(None, 0)


def test_suspending_costs_the_same_among_sixty_thousand_sessions(
    ada: Person, alice: Person, world: World, visitor_for: Callable[[Person], Visitor]
) -> None:
    def suspended() -> tuple[int, int]:
        visitor = visitor_for(alice)
        assert visitor.get("/components").status_code == 200
        Person.objects.filter(id=alice.id).update(state=Person.State.ACTIVE)
        with instructions() as done, CaptureQueriesContext(connection) as asked:
            suspend.suspend("alice", actor="ada", systems=world.systems())
        assert visitor.get("/components").status_code == 302
        return len(asked), len(done)

    suspended()
    Person.objects.filter(id=alice.id).update(state=Person.State.ACTIVE)
    few = suspended()
    strangers(MANY)
    Person.objects.filter(id=alice.id).update(state=Person.State.ACTIVE)
    many = suspended()
    assert many[0] == few[0], "statements"
    # To read so many rows takes hundreds of thousands.
    assert many[1] <= few[1] + MANY // 3000, "a table was read"
    assert Session.objects.count() == MANY


def test_every_session_of_the_person_ends_and_no_other(
    alice: Person, bob: Person, visitor_for: Callable[[Person], Visitor]
) -> None:
    first, second, other = visitor_for(alice), visitor_for(alice), visitor_for(bob)
    sessions.end_sessions(alice)
    assert [one.get("/components").status_code for one in (first, second, other)] == [302, 302, 200]
    assert not any(str(alice.id) in str(one) for one in rows())


def test_a_browser_that_changes_hands_is_the_other_persons(
    alice: Person, bob: Person, visitor_for: Callable[[Person], Visitor]
) -> None:
    visitor = visitor_for(alice)
    visitor.force_login(bob, backend="allauth.account.auth_backends.AuthenticationBackend")
    sessions.end_sessions(alice)
    assert visitor.get("/components").status_code == 200
    sessions.end_sessions(bob)
    assert visitor.get("/components").status_code == 302


def rows() -> list[Any]:
    return [SessionStore().decode(one.session_data) for one in Session.objects.all()]


@pytest.mark.parametrize(
    "place",
    ["/", "/sign-in", "/sign-in?ended=1", "/register", "/components", "/no", "/api/v1/me",
     "/accounts/closed", CALLBACK, f"{CALLBACK}?state=x&code=y", "/health/live", "/health/ready"],
)  # fmt: skip
def test_whoever_only_looks_leaves_no_session(place: str) -> None:
    Visitor().get(place)
    assert not Session.objects.exists()


def test_old_ones_go_in_parts(alice: Person, visitor_for: Callable[[Person], Visitor]) -> None:
    visitor = visitor_for(alice)
    strangers(2_500, ends_in=timedelta(seconds=-1))
    with CaptureQueriesContext(connection) as asked:
        sessions.forget_old(most=1_000)
    assert Session.objects.count() == 1_501
    assert len([one for one in asked if "DELETE" in one["sql"]]) == 1
    for _ in range(3):
        sessions.forget_old(most=1_000)
    assert visitor.get("/components").status_code == 200
    assert Session.objects.count() == 1


def test_old_sign_ins_go_in_parts(alice: Person) -> None:
    then = timezone.now() - timedelta(hours=13)
    SignIn.objects.bulk_create(SignIn(person=alice, sub="s", begun_at=then) for _ in range(30))
    SignIn.objects.create(person=alice, sub="s")
    sessions.forget_old(most=20)
    assert SignIn.objects.count() == 11
    sessions.forget_old(most=20)
    assert SignIn.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_session_ends_after_twelve_hours_whatever_is_done_in_it(
    alice: Person, visitor_for: Callable[[Person], Visitor]
) -> None:
    """No identity provider knows this one: its own end counts."""
    with turned() as clock:
        visitor = visitor_for(alice)
        for hours in (4, 8, 11.9):
            clock.set(hours)
            store = SessionStore(visitor.cookies["sessionid"].value)
            store["written"] = hours
            store.save()
            assert visitor.get("/components").status_code == 200
            assert store.get_expiry_age() <= (12 - hours) * 3600 + 2
        clock.set(12.1)
        assert visitor.get("/components").status_code == 302
        assert SESSION_KEY not in SessionStore(visitor.cookies["sessionid"].value).load()
