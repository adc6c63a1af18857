"""Each misconfiguration that can be seen is seen, and a sound system has nothing failing."""

from typing import Any

import httpx
import pytest

from workspace_manager.contract.connector import Finding, Severity
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn, accounts

from .conftest import connected


def row(name: str, **flags: Any) -> dict[str, Any]:
    found = {"id": name, "codename": name, "title": "", "publicRead": False, "publicWrite": False}
    return found | flags


def checked(stand_in: TriplestoreStandIn, **settings: Any) -> dict[str, Finding]:
    return {one.name: one for one in connected(stand_in, **settings).check()}


def test_a_sound_system_fails_nothing(stand_in: TriplestoreStandIn, flavour: str) -> None:
    found = checked(stand_in)
    assert not [one for one in found.values() if one.severity is Severity.FAILING]
    assert ("open_repositories" in found) == (flavour == "opengdb")
    assert all(one.remedy for one in found.values() if one.severity is not Severity.OK)


def test_a_check_changes_nothing(stand_in: TriplestoreStandIn) -> None:
    connected(stand_in).prove_rights()
    before = stand_in.version
    checked(stand_in)
    assert stand_in.version == before


def test_a_dead_system_is_one_finding(opengdb: TriplestoreStandIn) -> None:
    found = checked(opengdb, url="http://127.0.0.1:9")
    assert list(found) == ["reachable"]
    assert found["reachable"].severity is Severity.FAILING


def test_an_administrator_without_rights_is_seen(opengdb: TriplestoreStandIn) -> None:
    opengdb.state["users"]["admin"]["superuser"] = False
    found = checked(opengdb)["rights"]
    assert found.severity is Severity.FAILING
    assert "superuser" in found.remedy


def test_a_wrong_product_is_seen(opengdb: TriplestoreStandIn) -> None:
    assert checked(opengdb, flavour="graphdb")["flavour"].severity is Severity.FAILING


@pytest.mark.parametrize(
    ("rows", "stored", "name", "severity", "said"),
    [
        ([row("ts-a", publicRead=True)], ["ts-a"], "public_repositories", "warning", "read"),
        (
            [row("ts-a", publicWrite=True)],
            ["ts-a"],
            "public_repositories",
            "warning",
            "change these",
        ),
        ([row("ts-a"), row("ts-a")], ["ts-a"], "listed_once", "failing", "ts-a"),
        ([row("ts-a")], [], "store", "warning", "without data: ts-a"),
        ([], ["ts-a"], "store", "warning", "not listed"),
    ],
)
def test_what_is_wrong_with_repositories_is_seen(
    opengdb: TriplestoreStandIn,
    rows: list[dict[str, Any]],
    stored: list[str],
    name: str,
    severity: str,
    said: str,
) -> None:
    opengdb.state["repositories"] += rows
    for one in stored:
        opengdb.state["stored"][one] = {"title": "", "config": "", "nquads": "", "namespaces": {}}
    found = checked(opengdb)[name]
    assert found.severity == severity
    assert said in found.text


def test_a_store_that_is_down_is_seen(opengdb: TriplestoreStandIn) -> None:
    httpx.post(f"{opengdb.control_url}/storage", json={"down": True})
    found = checked(opengdb)
    assert found["store"].severity is Severity.FAILING
    assert found["rights"].severity is Severity.OK


def test_an_open_list_is_seen_and_a_closed_one_too(opengdb: TriplestoreStandIn) -> None:
    assert checked(opengdb)["open_repositories"].severity is Severity.WARNING
    opengdb.state["users"]["x"] = accounts.new_account("x")
    fault = {"path": "^/rest/repositories", "fault": "status", "status": 401, "times": 9}
    opengdb.faults.add(fault)
    assert checked(opengdb)["open_repositories"].severity is Severity.OK
