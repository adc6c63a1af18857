"""Uploaded files that a database takes, told by their beginning, and the parts that they become."""

import gzip
import io
import tarfile

import pytest

from tests.systems.sql_server.chest import Chest
from workspace_manager.contract.snapshots import UPLOAD_SEEN, UnfitFile
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL
from workspace_manager.systems.sql_server.snapshots.uploaded import OPENED

ARCHIVE = b"PGDMP\x01\x0f\x00" + b"data\x00" * 50_000
BOTH = (MARIADB, POSTGRESQL)
OF_MARIADB = (
    b"/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\nCREATE TABLE a (b INT);"
)
OF_POSTGRESQL = b"--\n-- PostgreSQL database dump\n--\n\\restrict abc\nCREATE TABLE a (b INT);"
TAR = io.BytesIO()
with tarfile.open(fileobj=TAR, mode="w") as archive:
    archive.addfile(tarfile.TarInfo("notes"))
STRANGE = {
    "empty": b"",
    "blank": b" \n\n",
    "png": b"\x89PNG\r\n\x1a\n",
    "tar": TAR.getvalue(),
    "gz in gz": gzip.compress(b"x"),
    "pdf": b"%PDF-1.7\n",
    "html": b"<!DOCTYPE html>",
    "json": b'{"a": 1}',
    "n-quads": b"<a:s> <a:p> <a:o> .\n",
    "utf-16": "CREATE TABLE a (b INT);".encode("utf-16"),
}


def take(flavour: str, data: bytes) -> dict[str, bytes]:
    chest = Chest()
    part = OPENED[flavour](data[:UPLOAD_SEEN], chest)
    for start in range(0, len(data), 50_000):
        part.write(data[start : start + 50_000])
    part.close()
    return chest.parts


@pytest.mark.parametrize("flavour", BOTH)
@pytest.mark.parametrize(
    "data",
    [
        b"CREATE TABLE a (b INT);",
        b"\xef\xbb\xbf-- mine\n",
        b"\n /* mine */ SELECT 1",
        b"(SELECT 1)" + b" " * 100_000,
    ],
)
def test_statements_are_taken_as_they_are(flavour: str, data: bytes) -> None:
    assert take(flavour, data) == {"database.sql": data}


@pytest.mark.parametrize("flavour", BOTH)
@pytest.mark.parametrize("data", STRANGE.values(), ids=STRANGE)
def test_what_is_something_else_is_refused(flavour: str, data: bytes) -> None:
    with pytest.raises(UnfitFile, match="file"):
        take(flavour, data)


def test_each_product_takes_its_own_alone() -> None:
    assert take(MARIADB, OF_MARIADB) == {"database.sql": OF_MARIADB}
    assert take(POSTGRESQL, OF_POSTGRESQL) == {"database.sql": OF_POSTGRESQL}
    for flavour, data in ((MARIADB, OF_POSTGRESQL), (MARIADB, ARCHIVE), (POSTGRESQL, OF_MARIADB)):
        with pytest.raises(UnfitFile, match="and the SQL server is"):
            take(flavour, data)


@pytest.mark.parametrize("named", [b"", b"[]", b'[["postgis", "public"], ["file_fdw", "public"]]'])
def test_of_a_download_the_archive_alone_is_taken(named: bytes) -> None:
    """Only an administrator makes the extensions that it names, and not because a file says so."""
    assert take(POSTGRESQL, ARCHIVE + named) == {"database.dump": ARCHIVE}


@pytest.mark.parametrize("end", [b"]", b'[["', b'[["a"', b'x"]]', b'[["' * 9000 + b"]]"])
def test_what_only_looks_like_that_is_part_of_the_archive(end: bytes) -> None:
    assert take(POSTGRESQL, ARCHIVE + end) == {"database.dump": ARCHIVE + end}
