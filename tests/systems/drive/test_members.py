"""The tables of members: every member of what is read is decided about, and each finding that a
table leads to is one that the checks make.
"""

from typing import Any, cast

import pytest

from tests.systems.drive.conftest import FakeEngine, MakeDrive, Switch
from tests.systems.drive.documents import documents
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.members import IgnoredMember, RequiredMember, codes_of
from workspace_manager.systems.drive import SYSTEM
from workspace_manager.systems.drive.checks_inside import as_the_app_reads
from workspace_manager.systems.drive.members.provider import FOR_TOKENS, PROVIDER, table_of
from workspace_manager.systems.drive.messages import message

TABLES = SYSTEM.member_tables()


def test_every_member_of_the_stand_in_is_decided(
    make_drive: MakeDrive, engine: FakeEngine, switch: Switch
) -> None:
    switch(auto_provision=False)
    found = list(documents(make_drive()._client, cast(ContainerEngine, engine), "nextcloud-app"))
    assert {id(table) for table, _ in found} == {id(table) for table in TABLES}
    assert [(table.document, table.undecided(one)) for table, one in found] == [
        (table.document, ()) for table, _ in found
    ]


def test_each_row_has_a_reason_and_each_path_one_row() -> None:
    for table in TABLES:
        paths = [row.path for row in table.rows]
        assert len(paths) == len(set(paths)), table.document
        assert all(
            row.because.endswith(".") or isinstance(row, IgnoredMember) for row in table.rows
        )
        assert all(row.because for row in table.rows)


def test_what_a_table_leads_to_is_a_name_of_the_checks() -> None:
    for code in {code for table in TABLES for code in codes_of(table.rows)}:
        assert code.startswith("drive.check_"), code
        assert message(code.removeprefix("drive.")).english


def test_a_new_setting_of_the_app_is_seen(make_drive: MakeDrive) -> None:
    (provider,) = make_drive()._client.providers()
    newer = {**provider, "settings": {**provider["settings"], "mappingNew": "", "odd": [1]}}
    assert PROVIDER.undecided(newer) == ("/settings/mappingNew", "/settings/odd/*")


def test_what_only_tokens_need_is_left_out_without_them() -> None:
    paths = {row.path for row in table_of({}, tokens=False).rows}
    assert not FOR_TOKENS & paths
    assert {row.path for row in PROVIDER.rows} == paths | FOR_TOKENS


def test_its_remedies_name_the_provider_and_its_claims_are_bounded() -> None:
    odd = {"identifier": "our realm", "settings": {"mappingUid": "x" * 10_000}}
    rows = [row for row in table_of(odd).rows if isinstance(row, RequiredMember)]
    assert all("our realm" in row.remedy.english for row in rows)
    assert max(len(row.found.english) for row in rows) < 500


AUDIENCE = "selfencoded_bearer_validation_audience_check"


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("auto_provision", "false", True),
        ("auto_provision", "0", False),
        ("auto_provision", "", False),
        (AUDIENCE, "false", False),
        (AUDIENCE, 0, False),
        (AUDIENCE, "", True),
        ("disable_account_creation", "true", True),
        ("disable_account_creation", "yes", False),
        ("httpclient.allowselfsigned", "false", False),
        ("httpclient.allowselfsigned", "", True),
        ("prompt", "none", "none"),
    ],
)
def test_a_switch_is_read_as_the_app_reads_it(name: str, value: Any, read: Any) -> None:
    """The command-line tool stores texts where nobody says what a value is."""
    assert as_the_app_reads({name: value}) == {name: read}
    assert as_the_app_reads([]) == {}
