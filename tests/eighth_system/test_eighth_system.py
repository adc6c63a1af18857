"""The page on how to add a system, followed: what it leads to is known everywhere, and what does
not fit harms nothing else.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
RECIPE = (ROOT / "docs" / "development" / "add-a-system.md").read_text()
OURS = os.pathsep.join(str(ROOT / folder) for folder in ("src", "sandbox/src"))


def run(command: list[str], *, cwd: Path, path: str, **more: str) -> str:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": path,
        **more,
    }
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def follow_recipe(make: pytest.TempPathFactory, distribution: Path, name: str) -> tuple[Path, str]:
    """Build a distribution by the recipe's own commands: where it is installed, and what they
    printed. It is installed beside this environment, which other tests use meanwhile.
    """
    source, target = make.mktemp(name) / f"workspace-{name}", make.mktemp("installed")
    shutil.copytree(distribution, source, ignore=shutil.ignore_patterns("__pycache__"))
    (commands,) = re.findall(r"```sh\n(.*?)```", RECIPE, re.DOTALL)
    lines = [line.strip().replace("kiln", name) for line in commands.splitlines()]
    printed = run(
        ["bash", "-ec", "\n".join(lines)],
        cwd=source,
        path=os.pathsep.join([str(target), OURS]),
        PIP_TARGET=str(target),
        PYTEST_ADDOPTS="-p no:cacheprovider -p no:django -q --import-mode=importlib",
    )
    code = "from workspace_manager.systems import registry; print(sorted(registry().outside))"
    assert run([sys.executable, "-c", code], cwd=ROOT, path=OURS).strip() == "[]"
    return target, printed


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The kiln: where it is installed, and what the recipe's commands printed."""
    return follow_recipe(tmp_path_factory, HERE / "distribution", "kiln")


def test_the_distribution_is_what_the_recipe_says() -> None:
    package = HERE / "distribution/src/workspace_kiln"
    named = {
        name for name in re.findall(r"`(\w+\.(?:py|de\.po))`", RECIPE) if name != "check_tree.py"
    }
    assert {"settings.py", "names.py", "client.py", "connector.py", "stand_in.py"} <= named
    files = {path.name for path in package.iterdir() if path.suffix in {".py", ".po"}}
    assert files == named
    (table,) = re.findall(r"```toml\n(.*?)```", RECIPE, re.DOTALL)
    written = (HERE / "distribution/pyproject.toml").read_text()
    assert all(line.strip() in written for line in table.splitlines())
    (taken,) = re.findall(r"```python\n(.*?)```", RECIPE, re.DOTALL)
    checks = (HERE / "distribution/tests/test_kiln.py").read_text()
    assert all(line.strip() in checks for line in taken.splitlines())


@pytest.mark.thorough
def test_its_connector_passes_the_checks_of_the_plugin(followed: tuple[Path, str]) -> None:
    found = re.search(r"kiln\.account +stand-in +(\d+) passed\n", followed[1])
    assert found, followed[1][-2000:]
    assert int(found[1]) >= 90


@pytest.mark.thorough
def test_it_is_known_everywhere(followed: tuple[Path, str]) -> None:
    """In a process of its own, since a process looks once which systems there are."""
    inner = [sys.executable, "-m", "pytest", "-q", "-n", "0", str(HERE / "inside_installed.py")]
    printed = run(inner, cwd=ROOT, path=os.pathsep.join([str(followed[0]), OURS]))
    assert re.search(r"\d+ passed", printed)


@pytest.mark.thorough
def test_what_does_not_fit_is_a_finding_of_its_own(tmp_path: Path) -> None:
    for name, entries, module in (
        ("broken", "pottery = workspace_broken:SYSTEM", "import nothing_of_this_name"),
        ("double", "drive = workspace_double:SYSTEM", "SYSTEM = None"),
        ("reserved", "records = workspace_reserved:SYSTEM", "SYSTEM = None"),
        ("one", "loom = workspace_one:SYSTEM", LOOM),
        ("two", "loom = workspace_two:SYSTEM", LOOM),
        ("other", "wheel = workspace_other:SYSTEM", LOOM),
        ("none", "anvil = workspace_none:SYSTEM", "SYSTEM = 5"),
    ):
        info = tmp_path / f"workspace_{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: workspace-{name}\nVersion: 1\n"
        )
        (info / "entry_points.txt").write_text(f"[workspace_manager.systems]\n{entries}\n")
        (tmp_path / f"workspace_{name}.py").write_text(module)
    inner = [sys.executable, "-m", "pytest", "-q", "-n", "0", str(HERE / "inside_broken.py")]
    printed = run(inner, cwd=ROOT, path=os.pathsep.join([str(tmp_path), OURS]))
    assert re.search(r"\d+ passed", printed)


LOOM = """
from workspace_manager.contract.message import quoted
from workspace_manager.contract.system import NoSettings, SystemSpec
SYSTEM = SystemSpec(name="loom", label=quoted("loom"), settings=NoSettings, connect="loom:connect")
"""


def test_listing_systems_imports_no_client() -> None:
    code = (
        "import sys; from workspace_manager.systems import registry; assert "
        "len(registry().specs) >= 7;"
        "print([m for m in sys.modules if m in ('httpx','pymysql','psycopg','django','aiohttp')"
        " or '.client' in m])"
    )
    assert run([sys.executable, "-c", code], cwd=ROOT, path=OURS).strip() == "[]"
