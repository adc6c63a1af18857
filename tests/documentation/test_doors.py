"""The page of doors has each credential that a system declares; it and the page of public reports
name checks that there are.
"""

import re
from pathlib import Path

import pytest

from workspace_manager.removal.credential_ends import MACHINE_KEY
from workspace_manager.removal.end_of_access import ENDED_BY
from workspace_manager.systems import registry

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "reference"
PAGE = (PAGES / "doors.md").read_text()
NAMED = PAGE + (PAGES / "public-reports.md").read_text()
OURS = {"manager_session", "api_token", "access_token", MACHINE_KEY}
"""Lines of the end of access that no step ends by itself."""


def test_each_credential_has_one_row() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    declared = {one.name for spec in registry().specs.values() for one in spec.credentials}
    assert len(rows) == len(set(rows))
    assert set(rows) == {name for name, _ in ENDED_BY} | declared | OURS


def test_each_system_is_there() -> None:
    titles = {line.partition("(")[0].strip("# ").casefold() for line in PAGE.splitlines()}
    for spec in registry().specs.values():
        assert spec.label.english.casefold() in titles


@pytest.mark.parametrize("check", sorted(set(re.findall(r"`(tests/[\w/.]+::\w+)`", NAMED))))
def test_each_check_is_there(check: str) -> None:
    file, _, name = check.partition("::")
    assert f"def {name}(" in (ROOT / file).read_text()
