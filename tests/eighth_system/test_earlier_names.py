"""The kiln, written with the contract's earlier names: it works as before, and each name warns."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.eighth_system.test_eighth_system import HERE, OURS, ROOT, run

ENTRY_POINT = "[workspace_manager.systems]\nkiln = workspace_kiln:SYSTEM\n"
CONTRACT = ROOT / "src" / "workspace_manager" / "contract"
RENAMED = re.compile(r"^keep_earlier_names\((.*?)\)$", re.DOTALL | re.MULTILINE)
EARLIER = {
    now: earlier
    for path in CONTRACT.glob("*.py")
    for given in RENAMED.findall(path.read_text())
    for earlier, now in re.findall(r"(\w+)=\"([A-Z]\w+)\"", given)
}
"""The classes. Of functions a name may be a word of something else."""


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kiln's distribution with every renamed name turned back, where it can be imported."""
    target = tmp_path_factory.mktemp("earlier")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(HERE / "distribution", target, ignore=ignored, dirs_exist_ok=True)
    for path in target.rglob("*.py"):
        text = path.read_text()
        path.write_text(re.sub(r"\w+", lambda word: EARLIER.get(word[0], word[0]), text))
    information = target / "src" / "workspace_kiln-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: workspace-kiln\nVersion: 1\n"
    )
    (information / "entry_points.txt").write_text(ENTRY_POINT)
    return target


def path_of(earlier: Path) -> str:
    return os.pathsep.join([str(earlier / "src"), OURS])


def test_it_is_loaded_and_its_names_warn(earlier: Path) -> None:
    code = (
        "import warnings; from workspace_manager.contract.system import Holder\n"
        "from workspace_manager.systems import registry\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always', DeprecationWarning)\n"
        "    found = registry(); kiln = found.specs['kiln']\n"
        "    settings = kiln.settings(url='http://kiln')\n"
        "    print(found.wrong, *kiln.accounts(settings, Holder('a', 'b')))\n"
        "print(*(one.message for one in caught))\n"
    )
    printed, warned = run([sys.executable, "-c", code], cwd=ROOT, path=path_of(earlier)).split(
        "\n", 1
    )
    assert printed.startswith("() DesiredState(")
    assert "workspace_manager.contract.system.Wish is called DesiredState now" in warned


@pytest.mark.thorough
def test_its_connector_passes_the_checks_of_the_plugin(earlier: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-W", "default::DeprecationWarning", "tests"]
    options = "-p no:cacheprovider -p no:django --import-mode=importlib"
    printed = run(command, cwd=earlier, path=path_of(earlier), PYTEST_ADDOPTS=options)
    assert re.search(r"kiln\.account +stand-in +\d+ passed\n", printed), printed[-2000:]


@pytest.mark.thorough
def test_it_is_known_everywhere(earlier: Path) -> None:
    inner = [sys.executable, "-m", "pytest", "-q", "-n", "0", str(HERE / "inside_installed.py")]
    printed = run(inner, cwd=ROOT, path=path_of(earlier))
    assert re.search(r"\d+ passed", printed)
