"""Every button, field and sentence that the tutorial names is one of the product's. A browser
follows the whole tutorial in `make real`. This test says at once which words are out of date.
"""

import re
from pathlib import Path

from babel.messages.pofile import read_po

from tests.documentation.clicks import VERBS
from tests.documentation.page import DOCS, Clicked, steps

PAGE = DOCS / "tutorial" / "a-life.md"
PACKAGE = Path(__file__).parents[2] / "src" / "workspace_manager"
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}|<[^>]+>")


def sentences() -> set[str]:
    found: set[str] = set()
    for path in PACKAGE.rglob("*.po"):
        with path.open("rb") as file:
            for entry in read_po(file):
                found |= {entry.id} if isinstance(entry.id, str) else set(entry.id)
    return found


def says(sentence: str, words: str) -> bool:
    """Whether a sentence of the product can read like this. Its own text is longer than what fills
    its placeholders, and a button may end in a name for screen readers.
    """
    parts = PLACEHOLDER.split(sentence)
    if not words.startswith(parts[0]) or len("".join(parts)) * 2 <= len(words):
        return False
    pattern = ".*".join(re.escape(part) for part in parts) + r"(?: \S+)?"
    return re.fullmatch(pattern, words) is not None


def test_what_the_tutorial_names_is_in_the_product() -> None:
    clicks = [step for step in steps(PAGE) if isinstance(step, Clicked)]
    verbs = [verb for step in clicks for verb in VERBS.finditer(step.words)]
    typed = {verb["text"] for verb in verbs}
    named = [verb[kind] for verb in verbs for kind in ("press", "field", "see") if verb[kind]]
    assert len(named) > 10
    product = sentences()
    unknown = [
        words
        for words in named
        if not any(says(one, words) for one in product) and words not in typed
    ]
    assert unknown == []
