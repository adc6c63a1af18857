"""Sentences that stories write in English, said in the reader's language where we know them.

Stories and systems know no web framework and write English. A sentence is recognised by its pattern and translated; one that nobody
translated stays English and is marked as such, so that a screen reader pronounces it rightly.
"""

import re
from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from workspace_manager.web.pages.known_sentences import SENTENCES

_HOLE = re.compile(r"%\((\w+)\)s")


def said(text: str) -> SafeString:
    """The sentence in the active language, safe to put on a page."""
    translated = translated_sentence(text)
    if translated is not None:
        return format_html("{}", translated)
    if (get_language() or "en").startswith("en") or not text:
        return format_html("{}", text)
    return format_html('<span lang="en">{}</span>', text)


def translated_sentence(text: str) -> str | None:
    """The translation of one sentence, or of one sentence after the other; None when any of it is not known."""
    if not text or (get_language() or "en").startswith("en"):
        return None
    for template, pattern in _patterns():
        found = pattern.fullmatch(text)
        if not found:
            continue
        translation = gettext(template)
        if translation == template:
            return None
        return translation % found.groupdict() if found.groupdict() else translation
    return None


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    # Exact sentences first, then those with the fewest holes: the most particular one wins.
    ordered = sorted(SENTENCES, key=lambda template: (len(_HOLE.findall(template)), -len(template)))
    return tuple((template, re.compile(_pattern(template), re.DOTALL)) for template in ordered)


def _pattern(template: str) -> str:
    parts = _HOLE.split(template)
    # split() gives text, name, text, name, …; texts stand literally and names become groups.
    return "".join(
        f"(?P<{part}>.+?)" if index % 2 else re.escape(part) for index, part in enumerate(parts)
    )
