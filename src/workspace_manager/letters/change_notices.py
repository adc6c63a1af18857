"""Notices of what somebody else did to what people had: kept for their page, and written to them.

Both are rows of the transaction that does it. What they are told of has a name, and is told once.
See docs/explanation/notices.md#what-others-did.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from workspace_manager.contract.message import Message, in_words
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.messages import join_messages
from workspace_manager.letters.letter import Letter, in_language, render_letter, zone_of
from workspace_manager.letters.mail_outbox import post
from workspace_manager.letters.messages import message
from workspace_manager.records.models import NoticeChoice, NoticeSent, Person

KIND: Final = "happened"
LETTERS: Final = (KIND,)
SHOWN: Final = timedelta(days=30)
"""So long it stands on somebody's first page."""
MOST_SHOWN: Final = 8
LONGEST_SUBJECT: Final = 100
MOST_LINES: Final = 20
"""So many things are named; of the rest it is said how many there are."""
GOING: Final = Person.State.LEAVING


def tell(
    people: Iterable[Person],
    what: Message,
    *,
    about: str,
    lines: Sequence[Message] = (),
    by: str = "",
    since: datetime | None = None,
) -> None:
    """Tell people what was done to what they had, in the caller's transaction: not who did it
    (`by`), nor who is leaving. `about` and `since` name it: who was told of it is not told again.
    """
    for person in {one.pk: one for one in people}.values():
        if person.username != by and person.state != GOING:
            _tell(person, what, _few(lines), f"{KIND}:{what.code}:{about}", since)


def tell_leaver(person: Person, what: Message, *, about: str) -> None:
    """Tell somebody who is leaving what becomes of what was theirs."""
    _tell(person, what, (), f"{KIND}:{what.code}:{about}", None)


def _tell(
    person: Person, what: Message, lines: Sequence[Message], key: str, since: datetime | None
) -> None:
    now = timezone.now()
    _, new = NoticeSent.objects.get_or_create(
        person=person,
        key=key,
        since=since or now,
        defaults={
            "kind": KIND,
            "how": NoticeChoice.How.AT_ONCE,
            "what": _in_one(what, lines),
            "sent_at": now,
            # It waits for nobody.
            "ended_at": now,
        },
    )
    if new and person.email:
        language = in_language(person.locale)
        post(_letter(what, lines, language, person.timezone), KIND, to=person)


def recent_notices(person: Person) -> QuerySet[NoticeSent]:
    """The notices of a person in the last weeks, the latest first."""
    since = timezone.now() - SHOWN
    found = NoticeSent.objects.filter(person=person, kind=KIND, sent_at__gte=since)
    return found.order_by("-sent_at", "-id")


def by_whom(actor: str) -> Named | Message:
    """Return who did it, as whoever is told of it may know: a person of the workspace by name."""
    known = Person.objects.filter(username=actor).exists()
    return Named(person=actor) if known else message("an_administrator")


def _few(lines: Sequence[Message]) -> Sequence[Message]:
    more = len(lines) - MOST_LINES
    return [*lines[:MOST_LINES], message("more", count=more)] if more > 0 else lines


def _in_one(what: Message, lines: Sequence[Message]) -> Message:
    return message("with_lines", what=what, lines=join_messages(lines, by=", ")) if lines else what


def _letter(what: Message, lines: Sequence[Message], language: str, zone: str = "") -> Letter:
    def said(one: Message) -> str:
        return " ".join(in_words(one, language, zone_of(zone)).split())

    first = said(what)
    short = len(first) <= LONGEST_SUBJECT
    words = {
        "what": first,
        "subject": first if short else said(message("subject")),
        "lines": [said(line) for line in lines],
        "url": settings.BASE_URL,
    }
    return render_letter(KIND, language, words)


def preview(language: str) -> Letter:
    """The letter with made-up words, as it would be sent."""
    what = message("leaves", name=Named(person="carla.rossi"))
    lines = (message("ends.project", label="Herbarium"),)
    return _letter(what, lines, language)
