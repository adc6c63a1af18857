"""People read one word for a thing: the words that the glossary does not use are nowhere."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.documentation.read_words import (
    catalogue_texts,
    documentation_texts,
    help_texts,
    openapi_texts,
)

GLOSSARY: Final = Path(__file__).resolve().parents[2] / "docs/glossary.md"
HEADING: Final = "## Words that are not used"
ROW: Final = re.compile(r"^\| (?P<word>[^|]+) \| (?P<but>[^|]+) \|$", re.MULTILINE)
WHAT_IS_NO_WORD: Final = re.compile(
    r"\{\w*\}|%\(\w+\)[sd]|`[^`]*`|<[^>]*>|\([a-z-]+ [a-z-]+[^)]*\)"
)
"""Placeholders, markup, and what is typed as it stands: commands, paths, settings."""
EXEMPT: Final = {
    "work_stacks.template_name": "the alphabet has letters",
    "identity_provider.name_bad_edge": "the alphabet has letters",
    "work_stacks.volumes_stay": "a label of a container has this name",
    "container_manager.setting_stack_address_help": "a part of an address",
    "container_manager.look_first": "said of a volume that somebody else made",
}
"""Where a word is meant otherwise."""


def words() -> list[str]:
    rows = [row["word"] for row in ROW.finditer(GLOSSARY.read_text().partition(HEADING)[2])]
    return rows[1:]


def finds(word: str, text: str) -> bool:
    bare = WHAT_IS_NO_WORD.sub(" ", text)
    return bool(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", bare, re.IGNORECASE))


def is_german(word: str) -> bool:
    """German nouns begin with a capital letter; the others are listed."""
    return word[0].isupper() or word in {"vor der Tür", "angekreuzt"}


def find_uses(word: str) -> list[str]:
    """Where people read it, without what is exempt."""
    language = "de" if is_german(word) else "en"
    found = [
        place
        for spoken, place, text in catalogue_texts()
        if spoken == language and finds(word, text)
    ]
    if language == "en":
        others = (*openapi_texts(), *help_texts(), *documentation_texts())
        found += [place for place, text in others if finds(word, text)]
    return [place for place in found if not any(place.endswith(one) for one in EXEMPT)]


def test_the_table_has_words_of_both_languages() -> None:
    assert len(words()) >= 30
    assert {is_german(word) for word in words()} == {True, False}
    assert len(words()) == len(set(words()))


def test_few_are_exempt() -> None:
    assert len(EXEMPT) <= 10


@pytest.mark.parametrize("word", words())
def test_a_word_that_is_not_used_is_nowhere(word: str) -> None:
    assert find_uses(word) == []


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("stranger", "A stranger was refused."),
        ("a letter", "You get a letter."),
        ("Manager", "Der Manager hat es notiert."),
        ("Leute", "die Leute melden sich an"),
    ],
)
def test_a_planted_word_is_found(word: str, text: str) -> None:
    assert finds(word, text)


def test_what_is_typed_is_no_word() -> None:
    assert not finds("tombstone", "See `workspace-manager tombstone list`.")
    assert not finds("letter", "{actor} sent {letter}")
