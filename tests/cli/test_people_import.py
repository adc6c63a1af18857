"""`people import`: each row gets a result in words; a bad file names its lines, brings nobody."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from django.utils import timezone

from tests.clock import noon
from tests.fake_world.people import make_person
from tests.reconcile.found_accounts import add_unknown_account, ended_run, user
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.member_description import ID
from workspace_manager.people.filters import PEOPLE
from workspace_manager.people.unlinked_sign_ins import KIND
from workspace_manager.records.models import Person, Tombstone

pytestmark = pytest.mark.django_db
HEAD = ",".join(PEOPLE.columns)


def called(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["people", "import", *arguments])


def results(file: Path, *options: str) -> dict[str, str]:
    answer = called(str(file), "--json", *options)
    assert answer.exit_code == 0, answer.output
    return {one["username"]: one["result"] for one in json.loads(answer.stdout)["items"]}


def errors(tmp_path: Path, content: bytes | str) -> str:
    file = tmp_path / "people.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = Person.objects.count()
    answer = called(str(file))
    assert answer.exit_code == 1, answer.output
    assert Person.objects.count() == before
    assert "Nothing was taken over." in answer.stderr
    return " ".join(answer.stderr.split())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """One row of each sort."""
    make_person("anna", sub="sub-anna")
    make_person("hans", sub="sub-hans")
    ended_run()
    user("bert")
    user("cleo", confirmed=False)
    user("dora", confirmed=False)
    user("emil")
    user("fritz")
    user("Gerd")
    found = tmp_path / "people.csv"
    found.write_text(
        "\ufeffsub;username;email;role;state\n"
        ";anna;;user;active\n"
        ";bert;BERT@example.org;administrator;active\n"
        ";cleo;;;\n"
        "sub-dora;dora;;;\n"
        "sub-fritz;emil;;;\n"
        ";fritz;other@example.org;;\n"
        ";Hans;;;\n"
        ";nobody;;;\n"
        ";GERD;;;\n",
        encoding="utf-8",
    )
    return found


def test_every_row_gets_its_result_and_a_dry_run_writes_nothing(file: Path) -> None:
    expected = {
        "anna": "here",
        "bert": "linked",
        "cleo": "refused",
        "dora": "linked",
        "emil": "refused",
        "fritz": "refused",
        "Hans": "refused",
        "nobody": "nobody",
        "GERD": "refused",
    }
    assert results(file, "--dry-run") == expected
    assert set(Person.objects.values_list("username", flat=True)) == {"anna", "hans"}
    assert results(file) == expected
    assert set(Person.objects.values_list("username", flat=True)) == {
        "anna",
        "bert",
        "dora",
        "hans",
    }
    assert not Person.objects.filter(role="administrator").exists()
    assert results(file)["bert"] == "here"


def test_it_is_said_in_words(file: Path) -> None:
    answer = called(str(file), "--dry-run")
    assert "will be linked" in answer.stdout
    assert "A list cannot give the administrator role." in answer.stdout
    assert "Ask this person to register" in answer.stdout
    assert "2 will be linked" in answer.stderr


def test_what_people_export_writes_is_read_back(tmp_path: Path) -> None:
    make_person("anna", sub="sub-anna")
    Person.objects.update(first_name="=1+1", last_name='O"Hara,\nMüller')
    ended_run()
    path = tmp_path / "out.csv"
    assert CliRunner().invoke(main, ["people", "export", str(path)]).exit_code == 0
    assert results(path) == {"anna": "here"}


def test_before_the_first_comparison_nobody_knows_who_is_there(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("username\nanna\n")
    answer = called(str(path), "--dry-run")
    assert answer.exit_code == 1
    assert "workspace-manager reconcile" in " ".join(answer.stderr.split())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"username\nanna\nb\xe9rt\n", "line 3: This is not UTF-8"),
        ("username\nan\0na\n", "line 2: Remove the NUL character from this line"),
        ("", "The file is empty"),
        ("name,email\nanna,a@b.c\n", "line 1: The column “username” is missing"),
        ("username,password\nanna,x\n", "line 1: There is no column “password”"),
        ("username,username\nanna,x\n", "line 1: The column “username” is there twice"),
        ("username,email\nanna\n", "line 2: Cells in this line: 1, columns: 2."),
        ("username,,email\nanna,,x\n", "line 1: Column 2 has no name."),
        ("sep=;\nusername;name\nanna;x\n", "line 2: There is no column “name”"),
        ("username;;\nanna;;x\n", "line 2: Cells in this line: 3, columns: 1."),
        ("username\nanna\nbert\nANNA\n", "line 4: “username” ANNA is already in line 2"),
        ("username,sub\nanna,x\nbert,x\n", "line 3: “sub” x is already in line 2"),
        ("username\nanna\n=cmd()\n", "line 3: “username” is a formula"),
        ("username,email\nanna,x\n,y\n", "line 3: “username” is empty"),
        ('username\nanna\n"bert\n', "This is not valid CSV"),
        ("username\n" + "".join(f"u{n}\n" for n in range(10_001)), "line 10002: A table has at"),
    ],
)
def test_a_bad_file_names_its_lines_and_brings_nobody(
    content: bytes | str, said: str, tmp_path: Path
) -> None:
    ended_run()
    assert said in errors(tmp_path, content)


def test_all_errors_are_named_at_once_and_lines_are_those_of_the_file(tmp_path: Path) -> None:
    ended_run()
    told = errors(tmp_path, 'username,last_name\n"anna","O\nHara"\n\n@b,x\n+c,y\n')
    assert "line 5: “username” is a formula" in told
    assert "line 6: “username” is a formula" in told


def test_names_of_people_who_left_are_refused(tmp_path: Path) -> None:
    ended_run()
    user("anna")
    Tombstone.objects.create(username="anna", expires_at=timezone.now() + timedelta(days=1))
    path = tmp_path / "people.csv"
    path.write_text("username\nanna\n")
    assert results(path) == {"anna": "refused"}


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    answer = called(str(tmp_path / "nothing.csv"))
    assert answer.exit_code == 1
    assert "The file cannot be read" in " ".join(answer.stderr.split())


def test_a_table_as_spreadsheets_write_it_is_read(tmp_path: Path) -> None:
    make_person("anna", sub="sub-anna")
    ended_run()
    add_unknown_account(
        KIND, ID, login_name="bert", email="bert@example.org", email_confirmed=True, sub=ID
    )
    path = tmp_path / "people.csv"
    path.write_text(
        "sep=;\r\n"
        "Username;SUB;State;Role;;\r\n"
        "anna;;Active;User;;\r\n"
        f"bert;{ID.upper()};ACTIVE;;;\r\n"
        ";;;;;\r\n"
    )
    assert results(path) == {"anna": "here", "bert": "linked"}


def test_a_last_day_is_set_or_the_row_says_why_not(tmp_path: Path, ada: Person) -> None:
    make_person("anna", sub="sub-anna")
    ended_run()
    for name in ("bert", "cleo", "dora"):
        user(name)
    day, over = noon(90).date(), noon(-2).date()
    path = tmp_path / "people.csv"
    path.write_text(
        "username,ends_at,last_name,state\n"
        f"anna,{day},Meier,\nbert,{day},,\ncleo,until spring,,\ndora,{over},,\n"
        f"{ada.username},{day},,\nemil,,,gone\n"
    )
    dry = results(path, "--dry-run")
    assert dry == {"anna": "here", "bert": "linked", "ada": "here"} | dict.fromkeys(
        ("cleo", "dora", "emil"), "refused"
    )
    assert not Person.objects.exclude(ends_at=None).exists()
    answer = called(str(path))
    said = " ".join(answer.output.split())
    assert "until spring cannot be the last day (column “ends_at”)." in said
    assert "The last day is today or later" in said
    assert "The last day was not set:" in said
    assert "emil is gone in the column “state”." in said
    assert "Not taken from the list: last_name." in said
    ends = dict(Person.objects.values_list("username", "ends_at"))
    assert ends == {"ada": None, "anna": day, "bert": day}
