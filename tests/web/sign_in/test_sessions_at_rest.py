"""Rows about a session or a token sign nobody in."""

import pytest
from django.db import connection

from tests.visitors import BACKEND, Visitor
from workspace_manager.access import tokens
from workspace_manager.records.models import Person, Session

pytestmark = pytest.mark.django_db
KEYS = ("session_key", "session_data")


def everything_stored() -> str:
    """Every value of every table, as text."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found += [str(value) for row in cursor.fetchall() for value in row]
    return "\n".join(found)


def test_a_session_key_from_the_database_signs_nobody_in(ada: Person) -> None:
    here = Visitor(ada)
    here.force_login(ada, backend=BACKEND)
    assert here.get("/manage/people").status_code == 200
    assert here.cookies["sessionid"].value not in everything_stored()
    for stored in Session.objects.values_list(*KEYS):
        for text in stored:
            thief = Visitor()
            thief.cookies["sessionid"] = text
            assert thief.get("/manage/people").status_code in {302, 403}


def test_a_session_goes_on_and_ends_as_ever(ada: Person) -> None:
    here = Visitor(ada)
    here.force_login(ada, backend=BACKEND)
    first = here.cookies["sessionid"].value
    here.session["kept"] = "x"
    session = here.session
    session["kept"] = "x"
    session.save()
    assert here.session["kept"] == "x"
    session.cycle_key()
    assert Session.objects.count() == 1
    assert session.session_key != first
    other = Visitor()
    other.cookies["sessionid"] = first
    assert other.get("/manage/people").status_code == 302
    session.flush()
    assert not Session.objects.exists()


def test_no_table_holds_a_token(ada: Person) -> None:
    _, clear = tokens.create(ada, name="t", actor="ada")
    assert clear not in everything_stored()


def test_a_session_that_was_there_is_not_taken_by_its_stored_name(ada: Person) -> None:
    """Not even by saving under it: a stored name is no key."""
    here = Visitor(ada)
    here.force_login(ada, backend=BACKEND)
    store = type(here.session)(Session.objects.get().session_key)
    assert store.load() == {}
    assert not store.exists(Session.objects.get().session_key)
