"""The check of the tools that snapshots need: programs of the test's own stand in their
place.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.systems.sql_server.database_server import DatabaseServer
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.checks_snapshots import tool_findings
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL

SAID = {
    "mariadb-dump": "mariadb-dump  Ver 10.19 Distrib 10.11.19-MariaDB, for debian-linux-gnu",
    "mariadb": "mariadb from 10.11.19-MariaDB, client 15.2 --sandbox",
    "pg_dump": "pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)",
    "pg_restore": "pg_restore (PostgreSQL) 15.18",
    "psql": r"psql (PostgreSQL) 15.18 \\restrict RESTRICT_KEY",
}


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    write(tmp_path, SAID)
    return tmp_path


def write(folder: Path, said: Mapping[str, str]) -> None:
    for name, text in said.items():
        (folder / name).write_text(f"#!/bin/sh\necho '{text}'\n")
        (folder / name).chmod(0o755)


def list_findings(flavour: str, version: str) -> list[Finding]:
    return list(tool_findings(flavour, version))


def code_of(found: Finding) -> str:
    return found.message.code if found.message else ""


@pytest.mark.parametrize(
    ("flavour", "version"), [(MARIADB, "10.11.19-MariaDB-0+deb12u1"), (POSTGRESQL, "15.18")]
)
def test_tools_that_are_there_are_fine(programs: Path, flavour: str, version: str) -> None:
    assert [one.severity for one in list_findings(flavour, version)] == [Severity.OK]


def test_a_tool_that_is_missing_is_named(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mariadb-dump", "pg_restore"):
        (programs / name).unlink()
    monkeypatch.setenv("PATH", str(programs))
    for flavour, version, tool in (
        (MARIADB, "10.11.19-MariaDB", "mariadb-dump"),
        (POSTGRESQL, "15.18", "pg_restore"),
    ):
        [found] = [
            one for one in list_findings(flavour, version) if one.severity is Severity.WARNING
        ]
        assert found.text.startswith(f"{tool} is missing")
        assert code_of(found) == "sql_server.tool_not_there"
        assert "Debian" in found.remedy


def test_a_tool_older_than_the_server_is_named(programs: Path) -> None:
    for flavour, version, server in (
        (MARIADB, "11.4.2-MariaDB", "11.4"),
        (POSTGRESQL, "17.1 (Debian)", "17"),
    ):
        found = list_findings(flavour, version)
        assert {one.severity for one in found} == {Severity.WARNING}
        assert {code_of(one) for one in found} == {"sql_server.tool_too_old"}
        assert all(server in one.remedy for one in found)


@pytest.mark.parametrize(
    ("flavour", "name", "text"),
    [
        (MARIADB, "mariadb", "mariadb  Ver 15.1 Distrib 10.11.6-MariaDB"),
        (POSTGRESQL, "psql", "psql (PostgreSQL) 15.13"),
    ],
)
def test_a_client_that_cannot_be_restricted_fails(
    programs: Path, flavour: str, name: str, text: str
) -> None:
    write(programs, {name: text})
    found = list_findings(flavour, "10.11.6-MariaDB" if flavour == MARIADB else "15.13")
    assert [one.severity for one in found] == [Severity.FAILING]
    assert code_of(found[0]) == "sql_server.client_unsafe"


def test_an_account_that_may_name_no_definers_is_told(server: DatabaseServer) -> None:
    server.make_warden()
    warden: dict[str, Any] = {"admin_username": "warden", "admin_password": Secret("w")}
    for changes, warned in ((warden, True), ({}, False)):
        codes = {code_of(one) for one in server.system(**changes).check()}
        assert ("sql_server.definers_need_right" in codes) is warned
