"""The tables of all systems: what they lead to can be said, and what is left alone says why."""

import pytest

from workspace_manager.contract.members import IgnoredMember, MemberTable, codes_of
from workspace_manager.contract.message import catalogues
from workspace_manager.systems import registry

TABLES = [
    pytest.param(table, id=f"{name}: {table.document}")
    for name, spec in registry().specs.items()
    for table in spec.member_tables()
]


@pytest.mark.parametrize("table", TABLES)
def test_every_finding_of_a_table_can_be_said(table: MemberTable) -> None:
    known = catalogues()
    for code in codes_of(table.rows):
        system, _, key = code.partition(".")
        assert key in known[system].english, code


@pytest.mark.parametrize("table", TABLES)
def test_every_row_says_why(table: MemberTable) -> None:
    for row in table.rows:
        assert row.because.endswith("."), row
        assert row.path.startswith("/") or (isinstance(row, IgnoredMember) and not row.path), row
