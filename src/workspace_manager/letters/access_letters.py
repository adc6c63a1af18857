"""Letters about somebody's time and things here: that access ends, that somebody else gave it, and
what an administrator has to say.
"""

from datetime import date
from typing import Final
from urllib.parse import quote

from django.conf import settings
from django.utils import formats, translation

from workspace_manager.contract.message import Message, in_words
from workspace_manager.core.messages import message
from workspace_manager.letters.letter import Letter, in_language, render_letter
from workspace_manager.letters.mail_outbox import administrators_to_tell, post
from workspace_manager.records.models import Person

LETTERS: Final = ("access_ends", "by_administrator", "opened")


def access_ends(person: Person) -> None:
    """Tell the administrator who set somebody's end date that it comes."""
    for administrator in administrators_to_tell(person.end_set_by):
        letter = _access_ends(person, in_language(administrator.locale))
        post(letter, "access_ends", to=administrator)


def _access_ends(person: Person, language: str) -> Letter:
    url = f"{settings.BASE_URL}/manage/people/{quote(person.username, safe='')}"
    with translation.override(language):
        day = formats.date_format(person.ends_at, "DATE_FORMAT") if person.ends_at else ""
    return render_letter("access_ends", language, {"name": person.username, "day": day, "url": url})


def by_administrator(person: Person, subject: str, text: str) -> None:
    """Send what an administrator wrote: plain text, of which nothing is run or read as HTML."""
    letter = _by_administrator(subject, text, in_language(person.locale))
    post(letter, "by_administrator", to=person)


def _by_administrator(subject: str, text: str, language: str) -> Letter:
    return render_letter("by_administrator", language, {"subject": subject, "written": text})


def announce_opening(owner: Person, what: Message, reason: str, *, address: str) -> None:
    """Tell an owner that somebody else gave people access to what is theirs, and why."""
    if owner.email:
        letter = _opened(what, reason, address, in_language(owner.locale))
        post(letter, "opened", to=owner)


def _opened(what: Message, reason: str, address: str, language: str) -> Letter:
    words = {"what": in_words(what, language), "reason": reason}
    return render_letter("opened", language, {**words, "url": f"{settings.BASE_URL}{address}"})


def preview(letter: str, language: str) -> Letter:
    """One of them with made-up words, as it would be sent."""
    if letter == "opened":
        reason = in_words(message("example_reason"), language)
        return _opened(message("example_opened"), reason, "/projects/…", language)
    if letter == "access_ends":
        return _access_ends(Person(username="carla.rossi", ends_at=date(2030, 1, 31)), language)
    subject = in_words(message("example_subject"), language)
    text = in_words(message("example_text"), language)
    return _by_administrator(subject, text, language)
