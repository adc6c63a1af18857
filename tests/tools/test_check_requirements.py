"""The pinned files: nothing missing, nothing without a hash, no index named."""

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HASH = "    --hash=sha256:" + "0" * 64

PROJECT = """
[project]
dependencies = ["django>=5.2,<5.3"]
[project.optional-dependencies]
sandbox = ["aiohttp"]
dev = ["pytest>=9"]
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    runs = [
        f"django==5.2.9 \\\n{HASH}",
        f"aiohttp==3.14.5 \\\n{HASH}",
        f"hatchling==1.27.0 \\\n{HASH}",
    ]
    for name, text in {
        "build.in": "# why\nhatchling\n",
        "dev.in": "",
        "demo.txt": "\n".join(runs),
        "dev.txt": "\n".join([*runs, f"pytest==9.1.0 \\\n{HASH}"]),
    }.items():
        (tmp_path / "requirements").mkdir(exist_ok=True)
        (tmp_path / "requirements" / name).write_text(text)
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
