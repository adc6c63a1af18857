"""The configuration that operators are given: the how-to explains the file the tests run, and the
stand-in and the checks know its settings.
"""

import ast
import re
from pathlib import Path
from typing import Any

from workspace_manager.systems.notebook_hub import checks_identity
from workspace_sandbox.stand_ins.notebook_hub.hub_api import ASKED_AFRESH, SCOPES

ROOT = Path(__file__).resolve().parents[3]
CONFIGURATION = (ROOT / "deploy" / "notebook-hub" / "jupyterhub_config.py").read_text()


def read_configuration() -> dict[str, Any]:
    """What the configuration tells of itself."""
    for node in ast.parse(CONFIGURATION).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "asked_afresh":
            found: dict[str, Any] = ast.literal_eval(node.value)
            return found
    raise AssertionError("asked_afresh is not set")


def test_the_how_to_names_the_file_that_the_tests_run_and_explains_it() -> None:
    page = (ROOT / "docs" / "howto" / "notebook-hub.md").read_text()
    assert "](../../deploy/notebook-hub/jupyterhub_config.py)" in page
    assert all(
        f"| `{name}" in page for name in read_configuration() if name != "userdata_from_id_token"
    )
    asked_for = re.compile(r'\b(?:environ(?:\.get)?[\[(]|secret\()"([A-Z_]+)"')
    variables = set(asked_for.findall(CONFIGURATION))
    assert len(variables) > 8
    assert {name for name in variables if f"`{name}`" not in page} == set()


def test_the_stand_in_tells_the_same() -> None:
    assert read_configuration() == ASKED_AFRESH
    assert all(scope in CONFIGURATION for scope in SCOPES)


def test_each_setting_is_judged_by_our_checks() -> None:
    assert list(checks_identity._settings(read_configuration())) == []
    for name, value in read_configuration().items():
        (complaint,) = checks_identity._settings(read_configuration() | {name: not value})
        assert complaint.english.startswith(name)
