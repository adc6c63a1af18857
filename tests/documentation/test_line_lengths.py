"""Lines of prose in the documentation are at most 120 characters long, so that a change of one
sentence is read as such.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
LONGEST: Final = 120
FENCE: Final = re.compile(r"\s*(```|~~~)")
ONE_PIECE: Final = re.compile(r"\s*(!?\[[^\]]*\]\(\S+\)|`[^`]+`)[.,;:]?$")
"""A line that is one link, one picture or one piece of code: nothing in it can be wrapped."""


def long_lines(text: str) -> Iterator[int]:
    """Yield the numbers of the lines that are too long, without tables, code and headings."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif (
            len(line) > LONGEST
            and not fenced
            and not line.lstrip().startswith(("|", "#"))
            and not ONE_PIECE.match(line)
        ):
            yield number


def test_a_long_line_of_prose_is_found() -> None:
    words = "word " * 25
    held = f"{words}\n- {words}\n> {words}\nSee [it](https://example.org/{'a' * 120}) and more."
    assert list(long_lines(held)) == [1, 2, 3, 4]


def test_tables_code_headings_and_links_are_exempt() -> None:
    words = "word " * 25
    link = f"[it](https://example.org/{'a' * 120})"
    exempt = f"| {words} |\n# {words}\n```\n{words}\n```\n  {link}.\n!{link}\n`{words}`"
    assert not list(long_lines(exempt))
    assert list(long_lines(f"```\n{words}\n```\n{words}")) == [4]


def test_no_line_of_prose_is_longer() -> None:
    command = ["git", "ls-files", "-z", "--", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    pages = [ROOT / name for name in listed.stdout.split("\0") if name]
    assert pages
    assert not [
        f"{page.relative_to(ROOT)}:{number}"
        for page in pages
        if page.is_file()
        for number in long_lines(page.read_text(encoding="utf-8"))
    ]
