"""One list of everybody, however they stand: the same at every door, with what can be done."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from click.testing import CliRunner
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.cli.__main__ import main
from workspace_manager.people.everybody import columns_of
from workspace_manager.people.everybody_views import ACTIONS
from workspace_manager.people.filters import PEOPLE
from workspace_manager.records.models import (
    Account,
    Permission,
    Person,
    Registration,
    Tombstone,
)

pytestmark = pytest.mark.django_db
STANDS = {
    "waiting": ["wanda"],
    "approved": ["nora"],
    "active": ["ada", "anna"],
    "suspended": ["bela"],
    "leaving": ["lea"],
    "former": ["zora"],
}
SUB = "sub-of-nora"
ACCOUNT = "identity_provider.user"


def make_registration(username: str, status: str, *, sub: str = "") -> Registration:
    return Registration.objects.create(
        username=username,
        email=f"{username}@example.org",
        first_name=username.title(),
        last_name="Noether",
        status=status,
        sub=sub,
        decided_by="ada" if sub else "",
    )


@pytest.fixture(autouse=True)
def everybody(ada: Person) -> Registration:
    """Somebody in each state, and who is in none: turned away, came, or left long ago."""
    nora = make_registration("nora", "approved", sub=SUB)
    Account.objects.create(
        system="identity_provider", kind=ACCOUNT, name=SUB, username="nora", made_by_us=True
    )
    make_registration("wanda", "pending")
    make_registration("rita", "rejected")
    make_person("anna", sub="sub-anna")
    make_registration("anna", "approved", sub="sub-anna")
    make_registration("removed person", "approved")
    for name, state in (("bela", "suspended"), ("lea", "leaving")):
        Person.objects.create_user(name, state=state)
    ends = timezone.now() + timedelta(days=30)
    Tombstone.objects.create(username="zora", sub="sub-zora", expires_at=ends)
    return nora


def by_rest(visitor: Visitor) -> Callable[[str], list[str]]:
    return lambda state: [
        one["username"] for one in visitor.ask("GET", f"/people?state={state}").json()["items"]
    ]


def on_the_page(visitor: Visitor) -> Callable[[str], list[str]]:
    def found(state: str) -> list[str]:
        page = visitor.get("/manage/people", {"state": state}).content.decode()
        return re.findall(r'class="who"><a href="/manage/people/([a-z]+)["?]', page)

    return found


def in_the_table(visitor: Visitor) -> Callable[[str], list[str]]:
    def found(state: str) -> list[str]:
        answer = visitor.get("/manage/people.csv", {"state": state})
        text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
        return rows_of(text, state)

    return found


def rows_of(text: str, state: str) -> list[str]:
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["state"] for row in rows} <= ({state} if state in STANDS else STANDS.keys())
    return [row["username"] for row in rows]


def typed(*words: str) -> str:
    answer = CliRunner().invoke(main, [*words])
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def on_the_command_line(_visitor: Visitor) -> Callable[[str], list[str]]:
    return lambda state: [
        one["username"]
        for one in json.loads(typed("people", "list", "--state", state, "--json"))["items"]
    ]


def by_export(_visitor: Visitor) -> Callable[[str], list[str]]:
    return lambda state: rows_of(typed("people", "export", "-", "--state", state), state)


DOORS = [by_rest, on_the_page, in_the_table, on_the_command_line, by_export]


@pytest.mark.parametrize("door", DOORS)
def test_everybody_is_found_by_how_they_stand(
    as_administrator: Visitor, door: Callable[[Visitor], Callable[[str], list[str]]]
) -> None:
    found = door(as_administrator)
    for state, names in STANDS.items():
        assert found(state) == names, state
    assert found("here") == ["ada", "anna", "bela", "lea"]
    assert found("everybody") == ["ada", "anna", "bela", "lea", "nora", "wanda", "zora"]


def test_where_nothing_is_asked_people_see_everybody_and_programs_who_is_here(
    as_administrator: Visitor,
) -> None:
    here = by_rest(as_administrator)("here")
    items = as_administrator.ask("GET", "/people").json()["items"]
    assert [one["username"] for one in items] == here
    assert rows_of(typed("people", "export", "-"), "here") == here
    listed = json.loads(typed("people", "list", "--json"))["items"]
    everybody = by_rest(as_administrator)("everybody")
    assert [one["username"] for one in listed] == everybody
    page = as_administrator.get("/manage/people").content.decode()
    assert "7 people" in page
    for word, count in (("everybody", 7), ("waiting", 1), ("approved", 1), ("active", 2)):
        assert re.search(rf'>{word} <span class="count">{count}<', page), word


def test_the_order_is_one_over_everybody(as_administrator: Visitor) -> None:
    def found(query: str) -> list[str]:
        answer = as_administrator.ask("GET", f"/people?state=everybody&{query}")
        return [one["username"] for one in answer.json()["items"]]

    assert found("sort=-username")[0] == "zora"
    assert found("sort=-last_name")[:2] == ["nora", "wanda"]
    assert found("sort=-left_at")[0] == "zora"
    for name in ("last_sign_in", "ends_at", "role", "state", "email"):
        assert sorted(found(f"sort=-{name}")) == sorted(found(f"sort={name}"))
    assert found("limit=2&offset=3") == ["lea", "nora"]
    assert found("q=an") == ["anna", "wanda"]
    assert found("q=wanda") == ["wanda"]
    assert found("system=identity_provider") == ["anna", "nora"]
    assert found("signed_in=false&q=noether") == ["nora", "wanda"]
    assert found("role=user") == ["anna", "bela", "lea"]


def test_every_order_of_the_list_is_a_column_of_somebody() -> None:
    """An order that no table has would order nobody, and say nothing."""
    of_former = {"left_at"}
    assert columns_of(Person).keys() | of_former == {one.name for one in PEOPLE.orders}


def test_who_was_approved_and_never_came_is_shown_at_every_door(
    as_administrator: Visitor, everybody: Registration
) -> None:
    shown = as_administrator.ask("GET", "/people/nora").json()
    known = (shown["state"], shown["sub"], shown["actions"], shown["registration"])
    assert known == ("approved", SUB, ["withdraw"], str(everybody.id))
    assert [one["name"] for one in shown["accounts"]] == [SUB]
    assert json.loads(typed("people", "show", "nora", "--json")) == shown
    told = typed("people", "show", "nora")
    assert f"workspace-manager registrations withdraw {everybody.id}" in told
    page = as_administrator.get("/manage/people/nora").content.decode()
    assert "This person was approved and has not signed in yet." in page
    assert f'action="/manage/registrations/{everybody.id}/withdraw"' in page
    assert SUB in page


def test_who_waits_is_shown_with_what_can_be_decided(as_administrator: Visitor) -> None:
    shown = as_administrator.ask("GET", "/people/wanda").json()
    assert (shown["state"], shown["actions"]) == ("waiting", ["approve", "reject"])
    page = as_administrator.get("/manage/people/wanda").content.decode()
    assert f'action="/manage/registrations/{shown["id"]}/approve"' in page
    assert f'action="/manage/registrations/{shown["id"]}/reject"' in page
    assert 'name="chosen"' not in page
    assert "registrations approve" in typed("people", "show", "wanda")
    assert "tombstones release zora" in typed("people", "show", "zora")


def test_whoever_asks_for_a_name_hides_nobody(as_administrator: Visitor) -> None:
    ends = timezone.now() + timedelta(days=30)
    Tombstone.objects.create(username="wanda", expires_at=ends)
    again = make_registration("anna", "pending")
    assert "This person has left." in as_administrator.get("/manage/people/wanda").content.decode()
    assert as_administrator.ask("GET", "/people/anna").json()["state"] == "active"
    page = as_administrator.get("/manage/people").content.decode()
    assert f'href="/manage/people/anna?registration={again.id}"' in page
    its = as_administrator.get(f"/manage/people/anna?registration={again.id}").content.decode()
    assert "This person wants to join." in its
    gone = as_administrator.get("/manage/people/anna?registration=x").content.decode()
    assert "Preview the removal of anna" in gone


def test_every_action_is_an_address(as_administrator: Visitor) -> None:
    items = as_administrator.ask("GET", "/people?state=everybody").json()["items"]
    assert {one["state"] for one in items} == ACTIONS.keys()
    for one in items:
        assert one["id"]
        of = {"waiting": "registrations", "approved": "registrations", "former": "tombstones"}
        where = of.get(one["state"], "people")
        which = one["id"] if where == "registrations" else one["username"]
        for action in one["actions"]:
            assert resolve(f"/api/v1/{where}/{which}/{action}").kwargs, action


def test_a_name_that_is_not_kept_any_more_is_told_nowhere(as_administrator: Visitor) -> None:
    Tombstone.objects.update(erased=True)
    (left,) = as_administrator.ask("GET", "/people?state=former").json()["items"]
    assert (left["username"], left["sub"], left["actions"]) == (None, None, [])
    for query in ("q=zora", "q=sub-zora"):
        assert as_administrator.ask("GET", f"/people?state=former&{query}").json()["count"] == 0
    assert by_rest(as_administrator)("everybody")[-1] is None
    for state in ("former", "everybody"):
        asked_for = {"state": state}
        assert "zora" not in as_administrator.get("/manage/people", asked_for).content.decode()
        assert "zora" not in in_the_table(as_administrator)(state)
        assert "zora" not in typed("people", "list", "--state", state)


def test_nobody_learns_more_than_before(as_alice: Visitor, alice: Person, ada: Person) -> None:
    Permission.objects.create(person=alice, name="approve_registrations", given_by="ada")
    for state in ("waiting", "approved", "former", "everybody"):
        problem(as_alice.ask("GET", f"/people?state={state}"), 403)
    for name in ("nora", "wanda", "zora", "anna"):
        problem(as_alice.ask("GET", f"/people/{name}"), 404)
        assert as_alice.get(f"/manage/people/{name}").status_code == 403
    assert by_rest(as_alice)("here") == by_rest(as_alice)("active") == ["alice"]
    assert as_alice.ask("GET", "/people?state=leaving").json() == {"items": [], "count": 0}


def test_many_cost_as_many_statements_as_few(as_administrator: Visitor) -> None:
    def cost() -> list[int]:
        counts = []
        for ask in (
            lambda: as_administrator.ask("GET", "/people?state=everybody&limit=200"),
            lambda: as_administrator.get("/manage/people"),
        ):
            with CaptureQueriesContext(connection) as queries:
                ask()
            counts.append(len(queries))
        return counts

    cost()
    few = cost()
    for n in range(20):
        make_registration(f"applicant{n}", "pending")
        make_registration(f"approved{n}", "approved", sub=f"sub-{n}")
        make_person(f"guest{n}", sub=f"sub-guest{n}")
        Tombstone.objects.create(username=f"left{n}", expires_at=timezone.now())
    assert all(now <= before for now, before in zip(cost(), few, strict=True))
