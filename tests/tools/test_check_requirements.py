"""The pinned files: nothing missing, nothing without a hash, no index named."""

import json
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HASH = "    --hash=sha256:" + "0" * 64

PROJECT = """
[project]
name = "ours"
dependencies = ["django>=5.2,<5.3"]
[project.optional-dependencies]
dev = ["pytest>=9"]
"""
SANDBOX = """
[project]
version = "1"
dependencies = ["ours==1", "aiohttp"]
"""
PROXY = {"dependencies": {"proxy": "~5.1.0"}}
PACKAGE = {"version": "5.1.0", "integrity": "sha512-x"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "src" / "workspace_manager").mkdir(parents=True)
    (tmp_path / "src" / "workspace_manager" / "__init__.py").write_text('__version__ = "1"\n')
    (tmp_path / "sandbox").mkdir()
    (tmp_path / "sandbox" / "pyproject.toml").write_text(SANDBOX)
    runs = [
        f"django==5.2.9 \\\n{HASH}",
        f"aiohttp==3.14.5 \\\n{HASH}",
        f"hatchling==1.27.0 \\\n{HASH}",
    ]
    for name, text in {
        "build.in": "# why\nhatchling\n",
        "dev.in": "",
        "runtime.txt": runs[0],
        "build.txt": runs[2],
        "demo.txt": "\n".join(runs),
        "notebook-hub.in": "jupyterhub>=6\n",
        "notebook-hub.txt": f"jupyterhub==6.1.1 \\\n{HASH}",
        "opengdb.in": "django>=5.2\n",
        "opengdb.txt": f"django==5.2.19 \\\n{HASH}",
        "notebook-hub-proxy/package.json": json.dumps(PROXY),
        "notebook-hub-proxy/package-lock.json": json.dumps({"packages": {"": PROXY, "p": PACKAGE}}),
        "dev.txt": "\n".join([*runs, f"pytest==9.1.0 \\\n{HASH}"]),
    }.items():
        file = tmp_path / "requirements" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


@pytest.fixture
def check() -> Callable[[Path], int]:
    found: Callable[[Path], int] = runpy.run_path(str(ROOT / "tools/check_requirements.py"))["main"]
    return found


def test_ours_hold_what_is_asked_for(check: Callable[[Path], int]) -> None:
    assert check(ROOT) == 0


def test_files_that_fit_pass(tree: Path, check: Callable[[Path], int]) -> None:
    assert check(tree) == 0


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("django==5.2.9", "django==6.0.1", "django<5.3,>=5.2 is asked for, 6.0.1 is pinned"),
        ("aiohttp==3.14.5", "aiohttq==3.14.5", "aiohttp is not in it"),
        (f"django==5.2.9 \\\n{HASH}", "django==5.2.9", "django==5.2.9 has no hash"),
        ("django", "--index-url https://index.example/simple\ndjango", "names an index"),
    ],
)
def test_what_does_not_fit_is_named(
    tree: Path,
    check: Callable[[Path], int],
    capsys: pytest.CaptureFixture[str],
    before: str,
    after: str,
    complaint: str,
) -> None:
    pinned = tree / "requirements" / "demo.txt"
    pinned.write_text(pinned.read_text().replace(before, after))
    assert check(tree) == 1
    assert complaint in capsys.readouterr().out


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("integrity", "other", "p has no hash"),
        ("version", "resolved", "names an index: 5.1.0"),
        ("~5.1.0", "~5.2.0", "is not of its package.json"),
    ],
)
def test_what_npm_pinned_is_looked_at_too(
    tree: Path,
    check: Callable[[Path], int],
    capsys: pytest.CaptureFixture[str],
    before: str,
    after: str,
    complaint: str,
) -> None:
    pinned = tree / "requirements" / "notebook-hub-proxy" / "package-lock.json"
    pinned.write_text(pinned.read_text().replace(before, after))
    assert check(tree) == 1
    assert complaint in capsys.readouterr().out


def test_the_notebook_hub_is_pinned_too(
    tree: Path, check: Callable[[Path], int], capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "requirements" / "notebook-hub.txt").write_text("")
    assert check(tree) == 1
    assert "requirements/notebook-hub.txt: jupyterhub is not in it" in capsys.readouterr().out


def test_nothing_of_the_sandbox_is_pinned_for_the_manager_alone(
    tree: Path, check: Callable[[Path], int], capsys: pytest.CaptureFixture[str]
) -> None:
    demo = (tree / "requirements" / "demo.txt").read_text()
    (tree / "requirements" / "runtime.txt").write_text(demo)
    assert check(tree) == 1
    assert "requirements/runtime.txt: aiohttp is in it" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ('version = "1"', 'version = "2"', "version 2 is not 1"),
        ("ours==1", "ours>=1", "does not ask for ours==1"),
    ],
)
def test_the_sandbox_is_of_exactly_the_managers_version(
    tree: Path,
    check: Callable[[Path], int],
    capsys: pytest.CaptureFixture[str],
    before: str,
    after: str,
    complaint: str,
) -> None:
    project = tree / "sandbox" / "pyproject.toml"
    project.write_text(project.read_text().replace(before, after))
    assert check(tree) == 1
    assert complaint in capsys.readouterr().out
