"""The project's own copy of the recordings holds no secret, and the reader takes every form a
recording may have.
"""

from pathlib import Path

import pytest

from tests.recorded.conftest import folders
from tests.recorded.expected_meaning import Row, Table, Uncovered
from tests.recorded.expected_meaning_triplestore import TABLE, code
from tests.recorded.left_out import LEFT_OUT
from tests.recorded.placeholders import is_placeholder, placeholder, redact
from tests.recorded.reading import SYSTEMS, Exchange, Run, Unreadable, read
from tools.copy_recordings import survivors

HOME = Path(__file__).parent
SECRET = "kW8sT2qLmV5xR7yZ"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzLTEiLCJub25jZSI6ImFiY2RlZmdoaWprbCJ9.c2lnbmF0dXJl"


def exchange_of(folder: Path, text: str, name: str = "one.http") -> Exchange:
    path = folder / name
    path.write_text(text, newline="")
    found = read(path, "triplestore")
    assert isinstance(found, Exchange)
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_in_the_copy_is_secret(system: str) -> None:
    paths = sorted((HOME / system).iterdir())
    assert paths
    found = [
        f"{path.name}: {what}"
        for path in paths
        for what in survivors(path.read_text(encoding="utf-8", errors="replace"), {})
    ]
    assert found == []


def test_a_secret_becomes_a_placeholder_of_its_length_wherever_it_is() -> None:
    text = (
        f"> POST /token?code={SECRET} HTTP/1.1\n> Authorization: Bearer {JWT}\n> "
        f"X-API-Key: {SECRET}\n>\n"
        f"> password={SECRET}&user=bob\n\n< HTTP/1.1 200 OK\n< Set-Cookie: "
        f"session={SECRET}; Path=/\n\n"
        f'{{"access_token":"{SECRET}","sql_password":["{SECRET}"],"name":"bob"}}\n'
    )
    hidden, claims = redact(text)
    assert SECRET not in hidden
    assert len(hidden) == len(text)
    assert "eyJ" not in hidden
    assert [said["sub"] for said in claims.values()] == ["s-1"]
    assert redact(hidden) == (hidden, {})


def test_equal_secrets_have_equal_placeholders_and_others_others() -> None:
    assert placeholder(SECRET) == placeholder(SECRET) != placeholder(SECRET[::-1])
    assert is_placeholder(placeholder(SECRET))
    assert placeholder("") == ""
    assert len(placeholder("abc==")) == 5


@pytest.mark.parametrize("gap", [">", ""])
def test_a_body_is_behind_a_bare_angle_or_an_empty_line(tmp_path: Path, gap: str) -> None:
    found = exchange_of(
        tmp_path,
        f"> PUT /rest/repositories/a HTTP/1.1\n> HOST: 127.0.0.1:1\n{gap}\n> {{\n> }}\n\n"
        "< HTTP/1.1 204\n< ALLOW: GET\n\n# took 3.5 ms; seq 007; given: a is there\n",
    )
    assert (found.body, found.host, found.status) == ("{\n}", "127.0.0.1:1", 204)
    assert (found.seq, found.given) == (7, "a is there")
    assert found.answer_header("allow") == "GET"


@pytest.mark.parametrize(
    "said", ["# client saw: ReadTimeout: timed out", "! ReadTimeout: timed out"]
)
def test_no_answer_is_an_exchange_too(tmp_path: Path, said: str) -> None:
    found = exchange_of(
        tmp_path, f"> GET /rest/repositories HTTP/1.1\n\n{said}\n\n# took 8000 ms\n"
    )
    assert found.status is None
    assert TABLE.meaning(found) == "unavailable"


def test_hex_is_read_as_bytes_and_a_cut_is_seen(tmp_path: Path) -> None:
    head = "> GET /repositories/a HTTP/1.1\n\n< HTTP/1.1 200 OK\n< Content-Type: x/y\n\n"
    hexed = exchange_of(
        tmp_path,
        head + "00000000  01 00 6f 0a    |..o.|\n\n# body is binary, shown as hex; 4 bytes\n",
    )
    assert hexed.content == b"\x01\x00o\n"
    assert exchange_of(tmp_path, head + "abc...[cut]\n\n# took 1 ms\n").cut
    assert exchange_of(tmp_path, head + "abc... (8402 characters)\n").cut


def test_both_forms_of_a_run_are_read(tmp_path: Path) -> None:
    one, other = tmp_path / "a.txt", tmp_path / "b.txt"
    one.write_text("$ occ user:info x\n--- stdout\nuser not found\n--- stderr\n--- exit 1, .2 s\n")
    other.write_text("$ java -jar cli.jar\nhello\n# exit 0\n")
    first, second = read(one, "nextcloud"), read(other, "ontology-editor")
    assert isinstance(first, Run)
    assert isinstance(second, Run)
    assert (first.stdout, first.exit_code) == ("user not found", 1)
    assert (second.stdout, second.exit_code) == ("hello", 0)


def test_what_cannot_be_read_is_said_by_name(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"one\.http: .*neither a status line"):
        exchange_of(tmp_path, "> GET / HTTP/1.1\n\nnothing\n")


def test_an_exchange_no_row_covers_fails_by_name(tmp_path: Path) -> None:
    found = exchange_of(tmp_path, "> GET /rest/repositories HTTP/1.1\n\n< HTTP/1.1 299 Odd\n\n")
    table = Table(
        "triplestore", ("/rest/repositories",), (Row("GET", "*", 200, "*", "done"),), code
    )
    with pytest.raises(Uncovered, match=r"one\.http: no row for GET /rest/repositories -> 299"):
        table.meaning(found)
    with pytest.raises(Uncovered, match="no route is known for /nowhere"):
        table.route("/nowhere")


def test_the_name_of_a_file_decides_nothing(tmp_path: Path) -> None:
    text = (
        "> DELETE /rest/security/users/x HTTP/1.1\n\n< HTTP/1.1 404 Not Found\n< "
        "Content-Type: application/json\n\n"
    )
    text += '{"detail":"No User matches the given query."}\n'
    names = ("user-delete-ok.http", "gateway-502.http")
    assert {TABLE.meaning(exchange_of(tmp_path, text, name)) for name in names} == {"gone"}


def test_a_folder_is_named_after_its_system_or_holds_such_folders(tmp_path: Path) -> None:
    (tmp_path / "keycloak").mkdir()
    assert folders(str(tmp_path)) == {"keycloak": tmp_path / "keycloak"}
    assert folders(str(tmp_path / "keycloak")) == {"keycloak": tmp_path / "keycloak"}
    (tmp_path / "other").mkdir()
    with pytest.raises(pytest.UsageError, match="neither this folder nor one in it"):
        folders(str(tmp_path / "other"))


def test_what_is_left_out_has_a_reason_and_is_little() -> None:
    assert all(len(row.reason) > 20 for row in LEFT_OUT)
    assert len(LEFT_OUT) < 10
