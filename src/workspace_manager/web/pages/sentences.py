"""Sentences of plans and removals that are not codes yet, recognised by their pattern and translated."""

import re
from functools import lru_cache

from django.utils.translation import get_language, gettext

from workspace_manager.core.connected_systems import RECORDS, label_of
from workspace_manager.systems import registry
from workspace_manager.web.pages import words
from workspace_manager.web.pages.known_removals import SENTENCES

_HOLE = re.compile(r"%\((\w+)\)s")


def translated_sentence(text: str) -> str | None:
    """The sentence in the active language; None when it is not known, or when English is read anyway."""
    if not text or (get_language() or "en").startswith("en"):
        return None
    for template, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found:
            filled = {name: _value(value) for name, value in found.groupdict().items()}
            translation = gettext(template)
            return translation % filled if filled else translation
    return None


def _value(value: str) -> str:
    """What stood in a hole: names stay, states and systems are words of ours."""
    if value in words.STATES:
        return words.state(value)
    if value in _SYSTEMS:
        return words.system(_SYSTEMS[value])
    return _IN_BRACKETS.sub(lambda found: f"({_value(found[1])})", value)


_SYSTEMS = {label_of(name).english: name for name in (*registry().specs, RECORDS.name)}
_IN_BRACKETS = re.compile(r"\(([\w ]+)\)")


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
