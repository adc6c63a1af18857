"""`people export`: a table that reads back as it was, and runs nothing in a spreadsheet."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fake_world.people import make_person
from workspace_manager.cli.__main__ import main
from workspace_manager.people import everybody_views
from workspace_manager.people.filters import PEOPLE
from workspace_manager.people.person_views import PersonView
from workspace_manager.records.models import Person

pytestmark = pytest.mark.django_db


def called(username: str, *, sub: str = "", **about: str) -> None:
    person = make_person(username, sub=sub)
    Person.objects.filter(id=person.id).update(**about)


def exported(*options: str) -> list[dict[str, str]]:
    answer = CliRunner().invoke(main, ["people", "export", "-", *options])
    assert answer.exit_code == 0, answer.output
    return list(csv.DictReader(io.StringIO(answer.stdout)))


def test_everybody_is_in_it_as_they_are_called() -> None:
    called("anna", sub="sub-of-anna", first_name='Ann, "A"', last_name="O'Hara\nMüller")
    called("bob", state="suspended")
    anna, bob = exported()
    assert tuple(anna) == PEOPLE.columns
    assert (anna["username"], anna["sub"]) == ("anna", "sub-of-anna")
    assert (anna["first_name"], anna["last_name"]) == ('Ann, "A"', "O'Hara\nMüller")
    assert bob["state"] == "suspended"
    assert [one["username"] for one in exported("--state", "active")] == ["anna"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_name_that_is_a_formula_is_text(name: str) -> None:
    called("anna", last_name=name)
    (anna,) = exported()
    assert anna["last_name"] == f"'{name}"


def test_it_is_a_file_and_how_many_is_said(tmp_path: Path) -> None:
    make_person("anna")
    file = tmp_path / "people.csv"
    answer = CliRunner().invoke(main, ["people", "export", str(file)])
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert answer.stderr == "1 person written.\n"
    assert next(csv.reader(file.open(newline=""))) == list(PEOPLE.columns)
    nowhere = CliRunner().invoke(main, ["people", "export", str(tmp_path / "no" / "x.csv")])
    assert nowhere.exit_code == 2
    assert "No such file or directory" in nowhere.stderr


def test_many_are_read_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        make_person(f"person-{number}")
    monkeypatch.setattr(everybody_views, "BATCH", 2)
    asked: list[int] = []
    read = everybody_views._people

    def counted(some: list[Person]) -> Iterator[PersonView]:
        asked.append(len(some))
        return read(some)

    monkeypatch.setattr(everybody_views, "_people", counted)
    assert len(exported()) == 5
    assert asked == [2, 2, 1]
