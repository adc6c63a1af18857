"""The second example, built and installed by the same commands as the first."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.eighth_system.test_eighth_system import OURS, ROOT, follow_recipe, run

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Where it is installed, and what its own tests printed."""
    return follow_recipe(tmp_path_factory, HERE / "distribution", "forge")


@pytest.mark.thorough
def test_its_connectors_pass_the_checks_of_the_plugin(followed: tuple[Path, str]) -> None:
    for kind, most in (("account", 60), ("tokens", 30)):
        found = re.search(rf"forge\.{kind} +stand-in +(\d+) passed\n", followed[1])
        assert found, followed[1][-2000:]
        assert int(found[1]) >= most


@pytest.mark.thorough
def test_it_is_installed_without_an_edit_of_ours(followed: tuple[Path, str]) -> None:
    code = (
        "from workspace_manager.systems import registry; "
        "found = registry(); print(sorted(found.outside), [one.text for one in found.wrong])"
    )
    path = os.pathsep.join([str(followed[0]), OURS])
    assert run([sys.executable, "-c", code], cwd=ROOT, path=path).strip() == "['forge'] []"


@pytest.mark.parametrize("package", ["src/workspace_manager", "sandbox/src/workspace_sandbox"])
def test_who_uses_us_sees_our_types(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
