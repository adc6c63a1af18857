"""The texts of a page, as a reader sees them, and whether one of them is English.

Names and identifiers stand in `code`, `pre` or `kbd`, or are values; they have no language.
"""

import re
import string
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

from babel.messages.pofile import read_po

import workspace_manager
from workspace_manager.contract.message import catalogues

GERMAN = Path(workspace_manager.__file__).parent / "web/locale/de/LC_MESSAGES/django.po"
SKIPPED = {"script", "style", "code", "pre", "kbd", "svg", "option", "textarea", "title"}
VOID = {"meta", "link", "input", "br", "img", "hr", "wbr", "path", "circle", "rect", "ellipse"}
READ_ALOUD = {"title", "aria-label", "alt", "placeholder", "data-label"}
ENGLISH = re.compile(
    r"\b(the|The|is|are|not|and|of|to|with|has|have|been|this|This|that|it|It|they|their|there|"
    r"cannot|Nobody|nobody|somebody|any more|yet|by hand|again|Try|Look|Check|Set)\b"
)
"""Words no German sentence has."""
HOLES = re.compile(r"%\(\w+\)[sd]|%[sd]|%%")
SHORTEST = 12
"""A shorter piece of a template may be in a German sentence by chance."""


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if not SKIPPED & set(self.inside):
            self.found += [text for name, text in attributes if name in READ_ALOUD and text]
        if tag not in VOID:
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            while self.inside.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not SKIPPED & set(self.inside):
            self.found.append(" ".join(data.split()))


def texts_of(page: str) -> list[str]:
    """Every text of an HTML page that is read or read aloud."""
    parser = _Texts()
    parser.feed(page)
    return parser.found


def english_in(texts: Iterable[str], *, names: Iterable[str] = ()) -> list[str]:
    """The texts that have English in them: a sentence that we know, or a word no German sentence
    has. `names` are no words.
    """
    known = tuple(names)
    return [text for text in dict.fromkeys(texts) if _is_english(_without(text, known))]


def _without(text: str, names: tuple[str, ...]) -> str:
    for name in names:
        text = text.replace(name, "…")
    return text


def _is_english(text: str) -> bool:
    return bool(ENGLISH.search(text)) or text in _whole() or any(p in text for p in _pieces())


@lru_cache(maxsize=1)
def _whole() -> frozenset[str]:
    """What stands alone on a page and is another word in German."""
    return frozenset(english for english, german in _pairs() if english != german)


@lru_cache(maxsize=1)
def _pieces() -> tuple[str, ...]:
    """The longest piece between the holes of every English sentence."""
    pieces = (max(_parts(english), key=len) for english, german in _pairs() if english != german)
    return tuple(piece for piece in pieces if len(piece) >= SHORTEST and " " in piece.strip())


def _parts(template: str) -> list[str]:
    if HOLES.search(template):
        return HOLES.split(template)
    try:
        return [literal for literal, *_ in string.Formatter().parse(template)] or [""]
    except ValueError:
        return [template]


def _pairs() -> Iterator[tuple[str, str]]:
    """Every English text there is with its German."""
    with GERMAN.open("rb") as file:
        for message in read_po(file, locale="de"):
            if message.id:
                ids = [message.id] if isinstance(message.id, str) else message.id
                german = (
                    message.string
                    if isinstance(message.string, str)
                    else next(iter(message.string or [""]))
                )
                yield from ((english, german) for english in ids)
    for catalogue in catalogues().values():
        translation = catalogue.translation("de")
        for key, english in catalogue.english.items():
            for form in (english,) if isinstance(english, str) else english:
                yield form, translation.pgettext(catalogue.code(key), form)
