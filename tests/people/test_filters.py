"""People are looked through alike by REST, on the page and on the command line."""

import json
import re
from datetime import UTC, date, datetime
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.cli.__main__ import main
from workspace_manager.records.models import Account, Person

pytestmark = pytest.mark.django_db

ASKED = [
    ({"state": "suspended"}, "zora"),
    ({"role": "administrator"}, "ada"),
    ({"system": "drive"}, "anna"),
    ({"signed_in": "false"}, "ada zora"),
    ({"signed_in": "true"}, "anna bela"),
    ({"signed_in_since": "2026-05-01"}, "bela"),
    ({"signed_in_before": "2026-05-01"}, "anna"),
    ({"has_end": "true"}, "anna bela"),
    ({"has_end": "false"}, "ada zora"),
    ({"ends_since": "2027-01-01"}, "bela"),
    ({"ends_before": "2027-01-01"}, "anna"),
    ({"q": "example.org", "ends_before": "2030-01-01", "state": "active"}, "anna bela"),
    ({"sort": "-ends_at", "has_end": "true"}, "bela anna"),
    ({"sort": "last_name"}, "zora bela anna ada"),
]


@pytest.fixture(autouse=True)
def everybody(ada: Person) -> None:
    """Ada, the administrator, and three others who differ in everything that is looked for."""
    make = Person.objects.create_user
    anna = make("anna", email="anna@example.org", last_name="Curie", ends_at=date(2026, 12, 31))
    anna.last_sign_in = datetime(2026, 4, 30, tzinfo=UTC)
    anna.save()
    bela = make("bela", email="bela@example.org", last_name="Bohr", ends_at=date(2027, 1, 1))
    bela.last_sign_in = datetime(2026, 5, 1, 12, tzinfo=UTC)  # that day in every zone
    bela.save()
    zora = make("zora", state=Person.State.SUSPENDED, last_name="Abbe")
    Person.objects.filter(id=ada.id).update(last_name="Zuse", last_sign_in=None)
    mine = {"system": "drive", "kind": "drive.account"}
    Account.objects.create(**mine, name="anna", person=anna, username="anna")
    Account.objects.create(**mine, name="z", person=zora, username="zora", machine=True)
    Account.objects.create(
        **mine, name="b", person=bela, username="bela", gone_at=datetime(2026, 5, 1, tzinfo=UTC)
    )


def test_rest_finds(as_administrator: Visitor) -> None:
    for asked, names in ASKED:
        found = as_administrator.ask("GET", f"/people?{urlencode(asked)}").json()["items"]
        assert " ".join(one["username"] for one in found) == names, asked


def test_the_page_finds(as_administrator: Visitor) -> None:
    words = {"true": "yes", "false": "no"}
    for asked, names in ASKED:
        typed = {name: words.get(what, what) for name, what in asked.items()}
        page = as_administrator.get("/manage/people", typed).content.decode()
        found = re.findall(r'<td[^>]*class="who"><a href="/manage/people/([a-z]+)"', page)
        assert " ".join(found) == names, asked


def test_the_command_line_finds() -> None:
    flags = {
        ("signed_in", "true"): ["--signed-in"],
        ("signed_in", "false"): ["--never-signed-in"],
        ("has_end", "true"): ["--has-end"],
        ("has_end", "false"): ["--without-end"],
    }
    for asked, names in ASKED:
        typed: list[str] = []
        for name, what in asked.items():
            typed += flags.get((name, what), [f"--{name.replace('_', '-')}", what])
        answer = CliRunner().invoke(main, ["people", "list", "--json", *typed])
        found = json.loads(answer.stdout)
        items = found["items"] if isinstance(found, dict) else found
        assert " ".join(one["username"] for one in items) == names, asked


@pytest.mark.parametrize(
    "query", ["system=fridge", "ends_before=soon", "signed_in=maybe", "signed_in_ever=true"]
)
def test_what_cannot_be_asked_is_refused(as_administrator: Visitor, query: str) -> None:
    problem(as_administrator.ask("GET", f"/people?{query}"), 422)


def test_the_page_passes_over_what_cannot_be(as_administrator: Visitor) -> None:
    page = as_administrator.get("/manage/people", {"system": "fridge", "ends_before": "soon"})
    assert "4 people" in page.content.decode()


def test_of_who_left_no_filter_finds_anybody(as_administrator: Visitor) -> None:
    answer = as_administrator.ask("GET", "/people?former=true&has_end=false").json()
    assert answer == {"items": [], "count": 0}


def test_many_cost_as_many_statements_as_few(as_administrator: Visitor) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            as_administrator.get("/manage/people", {"sort": "-last_sign_in", "state": "active"})
        return len(queries)

    cost()
    few = cost()
    people = [Person(username=f"guest{n}") for n in range(60)]
    Person.objects.bulk_create(people)
    assert cost() == few
