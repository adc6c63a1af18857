"""`audit`: the same entries in a terminal, and all of them in a file."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from django.db import connection

from workspace_manager.audit.note import note
from workspace_manager.audit.seals import seal_waiting
from workspace_manager.cli.__main__ import main
from workspace_manager.records.models import Person

pytestmark = pytest.mark.django_db


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["audit", *arguments])


@pytest.fixture(autouse=True)
def noted() -> None:
    note("person:suspended", "=anna", actor="ada", reason="für immer")
    note("token:created", "bob", actor="bob")


def test_entries_are_listed_and_found() -> None:
    (newest, oldest) = json.loads(typed("list", "--json").stdout)["items"]
    assert (newest["action"], oldest["subject"]) == ("token:created", "=anna")
    assert oldest["details"] == {"reason": "für immer"}
    (found,) = json.loads(typed("list", "--person", "ada", "--json").stdout)["items"]
    assert found["action"] == "person:suspended"
    assert "Nothing like that is found." in typed("list", "--since", "2999-01-01").stdout
    short = typed("list", "--limit", "1")
    assert "bob" in short.stdout
    assert "anna" not in short.stdout
    assert "`audit export` all" in short.stderr


@pytest.mark.parametrize("text", ["yesterday", "0001-01-01T00:00+10:00"])
def test_no_moment_is_a_wrong_argument(text: str) -> None:
    answer = typed("list", "--since", text)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert f"{text!r} is no date or moment" in answer.stderr


def test_all_of_it_is_written_oldest_first(tmp_path: Path) -> None:
    lines, table = tmp_path / "audit.jsonl", tmp_path / "audit.csv"
    for file in (lines, table):
        answer = typed("export", str(file))
        assert (answer.exit_code, answer.stderr) == (0, "2 entries written.\n")
    documents = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [one["subject"] for one in documents] == ["=anna", "bob"]
    first, second = csv.DictReader(table.open(newline=""))
    assert (first["subject"], second["subject"]) == ("'=anna", "bob")
    assert json.loads(first["details"]) == {"reason": "für immer"}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (("--person", "ada"), ["=anna"]),
        (("--action", "token:created"), ["bob"]),
        (("--q", "suspended"), ["=anna"]),
        (("--since", "2999-01-01"), []),
        (("--until", "2999-01-01"), ["=anna", "bob"]),
    ],
)
def test_what_a_filter_finds_is_written(
    tmp_path: Path, filters: tuple[str, ...], found: list[str]
) -> None:
    file = tmp_path / "audit.jsonl"
    answer = typed("export", str(file), *filters)
    assert answer.exit_code == 0, answer.output
    count = len(found)
    assert answer.stderr == f"{count} {'entry' if count == 1 else 'entries'} written.\n"
    assert [json.loads(line)["subject"] for line in file.read_text().splitlines()] == found
    table = typed("export", "-", *filters)
    assert table.stderr == answer.stderr
    assert len(list(csv.reader(table.stdout.splitlines()))) == 1 + count


def test_it_is_verified_and_says_so_by_its_exit_code() -> None:
    assert "2 are not sealed yet" in typed("verify").stdout
    seal_waiting()
    answer = typed("verify")
    assert answer.exit_code == 0
    assert "The audit verifies: 2 sealed entries in 1 seals." in answer.stdout
    newest = answer.stdout.split()[-1]
    assert typed("verify", "--expect", newest).exit_code == 0
    assert typed("verify", "--expect", "9:ab").exit_code == 1
    assert typed("verify", "--expect", "nine").exit_code == 2
    with connection.cursor() as cursor:
        cursor.execute("UPDATE records_auditentry SET actor = 'eve' WHERE subject = 'bob'")
    answer = typed("verify")
    assert answer.exit_code == 1
    assert "was changed after it was written." in answer.stdout
    answer = typed("verify", "--json")
    assert (answer.exit_code, json.loads(answer.stdout)["verifies"]) == (1, False)


def test_what_happened_to_somebody_is_told() -> None:
    Person.objects.create_user("bob")
    note("person:suspended", "bob", actor="command line (root)")
    answer = CliRunner().invoke(main, ["people", "timeline", "bob", "--kind", "suspension"])
    assert "Somebody on the command line (root) suspended bob." in answer.stdout
    every = CliRunner().invoke(main, ["people", "timeline", "bob", "--json"])
    assert [one["kind"] for one in json.loads(every.stdout)["items"]] == ["suspension", "access"]
    nobody = CliRunner().invoke(main, ["people", "timeline", "nobody"])
    assert nobody.exit_code == 1
    assert "Nobody here has this name." in nobody.stderr
