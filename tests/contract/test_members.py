"""Tables of the members of a document."""

import pytest
from pydantic import JsonValue

from workspace_manager.contract.connector import Severity
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.members import (
    CombinedMember,
    IgnoredMember,
    MemberTable,
    RequiredMember,
)
from workspace_manager.contract.message import quote_words

FINDINGS = Findings("drive")
NEEDED = RequiredMember(
    path="/attributes/access.token/on",
    because="Nobody gets in otherwise.",
    values=("true", None),
    name=quote_words("tokens"),
    found=quote_words("off"),
    remedy=quote_words("switch it on"),
    severity=Severity.WARNING,
)
TABLE = MemberTable(
    "a client",
    (
        NEEDED,
        CombinedMember(path="/mappers", because="With the scopes.", findings=("check_mappers",)),
        IgnoredMember(path="/access/*", because="What we may do."),
        IgnoredMember(path="/id", because="An id."),
    ),
)


def document(value: JsonValue) -> dict[str, JsonValue]:
    return {"id": "1", "attributes": {"access.token": {"on": value}}}


@pytest.mark.parametrize("value", ["true", None])
def test_a_member_that_is_as_needed_is_not_mentioned(value: JsonValue) -> None:
    assert list(TABLE.findings(document(value), FINDINGS)) == []


def test_a_member_that_is_not_there_is_judged_as_none() -> None:
    assert list(TABLE.findings({}, FINDINGS)) == []
    needed = MemberTable("a client", (RequiredMember(**{**vars(NEEDED), "values": ("true",)}),))
    assert [one.name for one in needed.findings({}, FINDINGS)] == ["tokens"]


@pytest.mark.parametrize("value", ["false", True, 1, {}, []])
def test_any_other_value_is_a_finding(value: JsonValue) -> None:
    (found,) = TABLE.findings(document(value), FINDINGS)
    assert (found.severity, found.text, found.remedy) == (
        Severity.WARNING,
        "off",
        "switch it on",
    )


def test_a_member_without_a_row_is_undecided() -> None:
    odd: dict[str, JsonValue] = {
        **document("true"),
        "mappers": [{"config": {"a.b": 1}}],
        "access": {"view": True},
        "new": {"a/b": [{"c": 1}, {"c": 2}], "empty": []},
    }
    assert TABLE.undecided(odd) == ("/new/a~1b/*/c", "/new/empty")


def test_a_needed_member_does_not_cover_what_is_under_it() -> None:
    assert TABLE.undecided(document({"now": "a map"})) == ("/attributes/access.token/on/now",)


def test_names_that_begin_alike_are_one_row() -> None:
    table = MemberTable("variables", (IgnoredMember(path="/innodb_*", because="Its own."),))
    assert table.undecided({"innodb_a": "1", "innodb_": "1", "innodb": "1", "not_innodb_a": 1}) == (
        "/innodb",
        "/not_innodb_a",
    )
