"""Measure how pages read: `python tools/reading_ease.py PAGE...`; standard library only.

For each page and for all of them: sentences, words a sentence, share of sentences in the passive.
Prose alone counts. Headings, tables, code and pictures do not.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

NOT_PROSE = re.compile(r"```[\s\S]*?```|^#.*$|^ *\|.*$|!\[[^\]]*\]\([^)]*\)", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
ITEM = re.compile(r"\n\s*(?:[-*]|\d+\.)\s|\n\s*\n")
END = re.compile(r"(?<=[.!?])[*_)\"]*\s+")
IRREGULAR = (
    "begun|bound|brought|built|chosen|done|drawn|found|given|gone|held|kept|known|left|let|lost"
    "|made|meant|met|paid|put|read|said|seen|sent|set|shown|shut|stopped|taken|thrown|told|written"
)
PASSIVE = re.compile(
    rf"\b(?:am|are|be|been|being|is|was|were)\s+(?:\w+\s+)?(?:\w+ed|{IRREGULAR})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Ease:
    """Counts of one text or of several."""

    sentences: int = 0
    words: int = 0
    passive: int = 0

    def __add__(self, other: "Ease") -> "Ease":
        return Ease(
            self.sentences + other.sentences,
            self.words + other.words,
            self.passive + other.passive,
        )

    def __str__(self) -> str:
        whole = max(self.sentences, 1)
        share = self.passive / whole
        return f"{self.sentences:5} sentences {self.words / whole:5.1f} words {share:4.0%} passive"


def measure(markdown: str) -> Ease:
    """Count the prose of a page. A list item and a paragraph end a sentence."""
    text = LINK.sub(r"\1", NOT_PROSE.sub("\n\n", markdown)).replace("`", "")
    found = [
        sentence
        for block in ITEM.split(f"\n{text}")
        for sentence in END.split(block.strip())
        if len(sentence.split()) > 1
    ]
    return Ease(
        sentences=len(found),
        words=sum(len(sentence.split()) for sentence in found),
        passive=sum(bool(PASSIVE.search(sentence)) for sentence in found),
    )


def main(pages: list[Path]) -> int:
    """Print a line for each page, and one for all."""
    measured = {page: measure(page.read_text(encoding="utf-8")) for page in pages}
    for page, ease in measured.items():
        print(ease, page)
    print(sum(measured.values(), Ease()), "all")
    return 0


if __name__ == "__main__":
    sys.exit(main([Path(name) for name in sys.argv[1:]]))
