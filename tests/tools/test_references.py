"""References of code and documentation lead into the repository: pages, sections, files."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = re.compile(r"docs/[a-z0-9/-]+\.md(?:#[a-z0-9-]+)?")
LINK = re.compile(r"\]\(([^)\s]+)\)")
AWAY = re.compile(
    r"\(facts,? (?:[A-Z]\d|\d|on )|\bfacts, (?:Keycloak|Nextcloud|usernames|container|section)"
    r"|\bthe specification(?:'s)? sections?\b|\(specification\b|\bblueprint\b"
    r"|(?<!docs/explanation/)\bhouse\.md\b"
)
"""Names of documents that are not in the repository."""
PLACES = (ROOT / "src" / "workspace_manager", ROOT / "tests")
ROOMS = "|".join(sorted(path.parent.name for path in PLACES[0].glob("*/__init__.py")))
FILE = re.compile(rf"`((?:{ROOMS})/[\w/]+\.py)\b")
NAME = re.compile(rf"`((?:{ROOMS})\.\w+)[\w.]*`")
"""A module, as prose names it: `core/clock.py`, `core.clock`."""
HISTORY = ("docs/decisions/", "CHANGELOG.md")
"""Pages that tell what was."""


def tracked(*suffixes: str) -> list[Path]:
    command = ["git", "ls-files", "-z", "--", *(f"*{suffix}" for suffix in suffixes)]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def slug(heading: str) -> str:
    """The anchor of a heading, as forges make it."""
    plain = re.sub(r"[`*]", "", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


@cache
def anchors(page: Path) -> frozenset[str]:
    text = page.read_text(encoding="utf-8")
    headings = {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
    return frozenset(headings | set(re.findall(r'<a id="([^"]+)"', text)))


def missing(target: Path, anchor: str) -> bool:
    return not target.exists() or bool(
        anchor and target.suffix == ".md" and anchor not in anchors(target)
    )


def test_what_code_refers_to_is_there() -> None:
    found = [
        (path.relative_to(ROOT).as_posix(), reference)
        for path in tracked(".py", ".html", "Makefile", ".toml")
        for reference in PAGE.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 150
    lost = [
        (where, reference)
        for where, reference in found
        if missing(ROOT / reference.partition("#")[0], reference.partition("#")[2])
    ]
    assert lost == []


def test_what_pages_link_to_is_there() -> None:
    lost = []
    for page in tracked(".md"):
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for link in LINK.findall(re.sub(r"\s*\n\s*", " ", text)):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, anchor = link.partition("#")
            if missing((page.parent / file).resolve() if file else page, anchor):
                lost.append((page.relative_to(ROOT).as_posix(), link))
    assert lost == []


def test_a_module_that_prose_names_is_there() -> None:
    """With a dot in `src` alone: pages write codes of messages so, and tests write kinds."""
    found = [
        (path.relative_to(ROOT).as_posix(), name.replace(".", "/").removesuffix("/py"))
        for path in tracked(".py", ".md")
        for pattern in ([FILE, NAME] if "src" in path.parts and path.suffix == ".py" else [FILE])
        for name in pattern.findall(path.read_text(encoding="utf-8"))
        if not path.relative_to(ROOT).as_posix().startswith(HISTORY)
    ]
    assert len(found) > 100
    lost = [
        (where, name)
        for where, name in found
        if not any((root / f"{name}.py").exists() or (root / name).is_dir() for root in PLACES)
    ]
    assert not lost, "\n".join(map(str, lost))


@pytest.mark.parametrize("suffix", [".py", ".html"])
def test_nothing_cites_what_is_not_here(suffix: str) -> None:
    cited = [
        path.relative_to(ROOT).as_posix()
        for path in tracked(suffix)
        if path != Path(__file__) and AWAY.search(path.read_text(encoding="utf-8"))
    ]
    assert cited == []
