"""Letters, written in a person's language."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation


@dataclass(frozen=True)
class Letter:
    """A letter as it is sent: the same in plain text and in HTML."""

    subject: str
    text: str
    html: str


def in_language(locale: str) -> str:
    """The language somebody of this locale is spoken to in, on pages and in letters."""
    return "de" if locale.lower().startswith("de") else "en"


def render_letter(letter: str, language: str, words: Mapping[str, object]) -> Letter:
    """One letter in words. The first line of its plain text is the subject."""
    context = {"base_url": settings.BASE_URL, **words}
    with translation.override(language):
        text = render_to_string(f"letters/{letter}.txt", context)
        html = render_to_string(f"letters/{letter}.html", context)
    subject, _, body = text.partition("\n")
    return Letter(subject.strip()[:200], body.strip(), html)


def zone_of(name: str) -> tzinfo:
    """The time zone of this name; UTC where there is none."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):  # ZoneInfoNotFoundError is a KeyError
        return UTC
