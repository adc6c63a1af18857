"""Uploaded files that a repository takes, told by their beginning, and what becomes of them."""

import pytest

from tests.systems.sql_server.chest import Chest
from workspace_manager.contract.snapshots import UPLOAD_SEEN, UnfitFile
from workspace_manager.systems.triplestore.snapshots import nquads
from workspace_manager.systems.triplestore.snapshots.uploaded import open_upload

LINE = b'<a:s%d> <a:p> "some words" <a:g> .\n'


def take(data: bytes, size: int = 1000) -> dict[str, bytes]:
    chest = Chest()
    part = open_upload(data[:UPLOAD_SEEN], chest)
    for start in range(0, len(data), size):
        part.write(data[start : start + size])
    part.close()
    return chest.parts


@pytest.mark.parametrize("size", [7, 1000, 10**7])
def test_statements_are_taken_as_they_are(size: int) -> None:
    data = b"".join(LINE % n for n in range(200 if size == 7 else 5000))
    assert take(data, size) == {"repository.nq": data, "prefixes.nq": b""}
    assert take(data.rstrip(), size)["repository.nq"] == data.rstrip()


def test_the_prefixes_of_a_download_are_prefixes_again() -> None:
    prefixes = b"# @prefix ex: <http://example.org/> .\n# @prefix : <urn:x> .\n"
    data = b"# mine\n" + LINE % 1 + prefixes + b'# {"type": "text/turtle"}\n' + prefixes
    assert take(data) == {"repository.nq": data, "prefixes.nq": prefixes}


@pytest.mark.parametrize(
    "comment",
    [b"# @prefix ex: <urn:x> <urn:y> .", b"# @prefix a b: <urn:x> .", b"# @prefix \xff: <urn:x> ."],
)
def test_what_only_looks_like_a_prefix_is_a_comment(comment: bytes) -> None:
    assert take(LINE % 1 + comment + b"\n")["prefixes.nq"] == b""


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" \n",
        b"\x89PNG\r\n\x1a\n",
        b"CREATE TABLE a (b INT);",
        b"@prefix ex: <urn:x> .\n",
        b"<?xml version='1.0'?>\n<rdf:RDF/>",
        LINE % 1 + b"<a:s> <a:p>",
        LINE % 1 + b"<no iri> <a:p> <a:o> .\n",
    ],
)
def test_what_is_something_else_is_refused(data: bytes) -> None:
    with pytest.raises(UnfitFile, match="file"):
        take(data)


def test_the_line_is_named() -> None:
    with pytest.raises(UnfitFile, match="Line 3 "):
        take(LINE % 1 + b"# comment\nnothing\n")


def test_a_line_may_be_cut_where_nobody_looks_any_more() -> None:
    data = b"".join(LINE % n for n in range(UPLOAD_SEEN // 30))
    assert take(data)["repository.nq"] == data


def test_a_line_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nquads, "LONGEST", 200_000)
    with pytest.raises(UnfitFile, match="Line 2 "):
        take(LINE % 1 + b'<a:s> <a:p> "' + b"x" * 300_000)
