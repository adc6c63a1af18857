"""The search finds what is there, however it is written: otherwise finding nothing would say
nothing.
"""

import base64
import json
import sqlite3
import zlib
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.secret_leaks.search import Search, files

SECRET = "Zürich 47/canary+&secret"


def search_content(content: bytes, place: str = "somewhere", **kept_in: str) -> list[str]:
    search = Search({"secret": SECRET, "other": "quite another one"}, kept_in)
    search.look(place, content)
    assert search.places == 1
    return search.found


WRITTEN = {
    "plain": SECRET.encode(),
    "in an address": f"https://x/?password={quote(SECRET, safe='')}&y=1".encode(),
    "in JSON": json.dumps({"password": SECRET}).encode(),
    "in hexadecimal": b"x'" + SECRET.encode().hex().encode() + b"'",
    "as a password of HTTP": b"Basic " + base64.b64encode(b"admin:" + SECRET.encode()),
    "of a longer name": b"Basic " + base64.b64encode(b"admins:" + SECRET.encode()),
    "of another name": b"Basic " + base64.b64encode(b"administ:" + SECRET.encode()),
    "in base64 for addresses": base64.urlsafe_b64encode(SECRET.encode() + b"and more"),
    "in two bytes each": SECRET.encode("utf-16-le"),
}


@pytest.mark.parametrize("content", WRITTEN.values(), ids=WRITTEN.keys())
def test_a_secret_is_found_however_it_is_written(content: bytes) -> None:
    assert search_content(b"before " + content + b" after") == ["secret in somewhere"]


def test_a_secret_may_be_where_it_is_meant_to_be_and_nowhere_else() -> None:
    assert search_content(SECRET.encode(), "answer of /reveal", secret="answer of /reveal") == []
    assert search_content(SECRET.encode(), "log", secret="answer of /reveal") == ["secret in log"]
    assert search_content(b"nothing of that kind") == []


def test_any_signed_token_is_found() -> None:
    assert search_content(b"Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.abc") == [
        "a signed token in somewhere"
    ]


def test_files_are_read_as_they_lie_there_and_as_people_see_them(tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    letter = EmailMessage()
    letter.set_content(f"Your password: {SECRET}", cte="base64")
    (tmp_path / "mail" / "1.log").write_bytes(letter.as_bytes())
    (tmp_path / "left-out").mkdir()
    (tmp_path / "left-out" / "x").write_bytes(SECRET.encode())
    with closing(sqlite3.connect(tmp_path / "some.sqlite3")) as database:
        database.execute("PRAGMA secure_delete = OFF")
        database.execute("CREATE TABLE free (text TEXT)")
        database.execute("CREATE TABLE session (data TEXT)")
        database.execute("INSERT INTO free VALUES (?)", (SECRET,))
        packed = base64.urlsafe_b64encode(zlib.compress(SECRET.encode() * 9)).decode().rstrip("=")
        database.execute("INSERT INTO session VALUES (?)", (f".{packed}:1abc:signature",))
        database.commit()
        database.execute("DELETE FROM free")
        database.commit()
    search = Search({"secret": SECRET})
    for place, content in files(tmp_path, {"left-out"}):
        search.look(place, content)
    assert set(search.found) == {
        "secret in letter mail/1.log",
        "secret in file some.sqlite3",
        "secret in table session of some.sqlite3",
    } | {line for line in search.found if line == "secret in file mail/1.log"}
    assert "2 found" not in search.line()
